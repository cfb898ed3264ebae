// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * Where the replicas of one service meet.
 *
 * @param namespace of their Leases
 * @param group label of their Leases: another service in the namespace has another
 * @param self this replica
 */
public record Place(String namespace, String group, Member self) {

    /** As the chart sets the environment; empty outside a cluster: this replica is the only one. */
    public static Optional<Place> from(Map<String, String> environment, int port) {
        return text(environment, "SLUICE_NAMESPACE")
                .flatMap(
                        namespace ->
                                text(environment, "POD_NAME")
                                        .map(
                                                pod ->
                                                        new Place(
                                                                namespace,
                                                                text(environment, "SLUICE_GROUP")
                                                                        .orElse(
                                                                                "sluice-autoscaler"),
                                                                new Member(
                                                                        pod,
                                                                        address(
                                                                                environment,
                                                                                port)))));
    }

    private static Optional<URI> address(Map<String, String> environment, int port) {
        return text(environment, "POD_IP")
                .map(ip -> ip.contains(":") ? "[" + ip + "]" : ip)
                .map(host -> URI.create("http://" + host + ":" + port));
    }

    private static Optional<String> text(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name))
                .map(String::strip)
                .filter(value -> !value.isEmpty());
    }
}
