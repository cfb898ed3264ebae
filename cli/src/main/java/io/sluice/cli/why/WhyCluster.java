// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.RawResource;
import io.sluice.api.spec.FlinkStateSnapshotSpec;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.cli.cluster.Finding;
import io.sluice.cli.cluster.ResourceReader;
import java.net.HttpURLConnection;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the command asks of the API server, in one namespace. */
record WhyCluster(KubernetesClient client, String namespace) {
    private static final long PAGE = 500;

    /**
     * Looks for a resource.
     *
     * @throws KubernetesClientException if the API server does not answer
     */
    Finding find(ResourceKind kind, String name) {
        return new ResourceReader(client, namespace).find(kind, name);
    }

    /**
     * A resource with its events, and with what belongs to it.
     *
     * @throws KubernetesClientException if the API server does not answer
     */
    Picture picture(RawResource resource) {
        return new Picture(resource, events(resource), relatives(resource).toList());
    }

    private Stream<Picture.Relative> relatives(RawResource resource) {
        return switch (resource.kind()) {
            case FLINK_DEPLOYMENT, FLINK_SESSION_JOB -> Stream.empty();
            case FLINK_BLUE_GREEN_DEPLOYMENT ->
                    Arrays.stream(HalfColor.values())
                            .map(color -> color.nameIn(resource.getMetadata().getName()))
                            .map(name -> relative(ResourceKind.FLINK_DEPLOYMENT, name));
            case FLINK_STATE_SNAPSHOT -> job(resource).stream();
        };
    }

    private Optional<Picture.Relative> job(RawResource snapshot) {
        return FlinkStateSnapshotSpec.parse(
                        Optional.ofNullable(snapshot.getSpec())
                                .orElseGet(JsonNodeFactory.instance::objectNode),
                        "spec")
                .value()
                .jobReference()
                .flatMap(
                        job ->
                                job.name()
                                        .map(
                                                name ->
                                                        relative(
                                                                job.kind()
                                                                        .orElse(
                                                                                ResourceKind
                                                                                        .FLINK_DEPLOYMENT),
                                                                name)));
    }

    private Picture.Relative relative(ResourceKind kind, String name) {
        Finding finding = find(kind, name);
        return new Picture.Relative(
                kind,
                name,
                finding,
                finding instanceof Finding.Found(var found)
                        ? events(found)
                        : new Picture.Events.Listed(List.of()));
    }

    private Picture.Events events(RawResource resource) {
        try {
            return new Picture.Events.Listed(
                    EventLine.newest(
                            client.v1()
                                    .events()
                                    .inNamespace(namespace)
                                    .withField(
                                            "involvedObject.uid", resource.getMetadata().getUid())
                                    .list(new ListOptionsBuilder().withLimit(PAGE).build())
                                    .getItems()));
        } catch (KubernetesClientException failed) {
            if (failed.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return new Picture.Events.Hidden();
            }
            throw failed;
        }
    }
}
