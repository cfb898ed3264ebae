// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

import io.sluice.process.Environment;
import io.sluice.process.Variable;
import java.net.URI;
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
    public static Optional<Place> from(Environment environment, int port) {
        String group = environment.text(Variable.GROUP).orElse("sluice-autoscaler");
        return environment
                .text(Variable.NAMESPACE)
                .flatMap(
                        namespace ->
                                environment
                                        .text(Variable.POD_NAME)
                                        .map(pod -> new Member(pod, address(environment, port)))
                                        .map(self -> new Place(namespace, group, self)));
    }

    private static Optional<URI> address(Environment environment, int port) {
        return environment
                .text(Variable.POD_IP)
                .map(ip -> ip.contains(":") ? "[" + ip + "]" : ip)
                .map(host -> URI.create("http://" + host + ":" + port));
    }
}
