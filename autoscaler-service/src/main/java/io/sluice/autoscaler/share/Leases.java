// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.URI;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One {@code coordination.k8s.io} Lease for each replica, named after its pod. */
final class Leases {
    private static final String FIELD_MANAGER = "sluice-autoscaler";
    private static final String GROUP = "sluice.io/replicas-of";
    private static final String ADDRESS = "sluice.io/address";

    private final KubernetesClient client;
    private final Place place;

    Leases(KubernetesClient client, Place place) {
        this.client = client;
        this.place = place;
    }

    /** This replica lives. */
    void renew(Duration lease, ZonedDateTime now) {
        client.resource(render(lease, now))
                .fieldManager(FIELD_MANAGER)
                .forceConflicts()
                .serverSideApply();
    }

    /** Those of all replicas, as the API server has them now. */
    List<Heartbeat> read() {
        return client
                .leases()
                .inNamespace(place.namespace())
                .withLabel(GROUP, place.group())
                .list()
                .getItems()
                .stream()
                .map(Leases::heartbeat)
                .toList();
    }

    void remove(Member member) {
        named(member).delete();
    }

    private Resource<Lease> named(Member member) {
        return client.leases().inNamespace(place.namespace()).withName(member.name());
    }

    private static Heartbeat heartbeat(Lease lease) {
        var metadata = lease.getMetadata();
        Map<String, String> annotations =
                Optional.ofNullable(metadata.getAnnotations()).orElseGet(Map::of);
        return new Heartbeat(
                new Member(
                        metadata.getName(),
                        Optional.ofNullable(annotations.get(ADDRESS)).flatMap(Leases::uri)),
                metadata.getUid() + "/" + metadata.getResourceVersion());
    }

    private static Optional<URI> uri(String text) {
        try {
            return Optional.of(URI.create(text)).filter(uri -> "http".equals(uri.getScheme()));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    private Lease render(Duration lease, ZonedDateTime now) {
        LeaseBuilder builder =
                new LeaseBuilder()
                        .withNewMetadata()
                        .withName(place.self().name())
                        .withNamespace(place.namespace())
                        .addToLabels(GROUP, place.group())
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity(place.self().name())
                        .withLeaseDurationSeconds((int) lease.toSeconds())
                        .withRenewTime(now)
                        .endSpec();
        return place.self()
                .address()
                .map(
                        address ->
                                builder.editMetadata()
                                        .addToAnnotations(ADDRESS, address.toString())
                                        .endMetadata()
                                        .build())
                .orElseGet(builder::build);
    }
}
