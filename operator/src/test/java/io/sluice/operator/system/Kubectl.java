// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** What a person does to resources while the operator is at work on them. */
public record Kubectl(KubernetesClient client, String namespace) {
    public <R extends CustomResource<ObjectNode, ObjectNode>> void create(
            R resource, String name, ObjectNode spec) {
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setName(name);
        resource.setSpec(spec);
        client.resource(resource).create();
    }

    /** Another time if the operator wrote meanwhile. */
    public <R extends CustomResource<ObjectNode, ObjectNode>> void edit(
            Class<R> kind, String name, UnaryOperator<ObjectNode> change) {
        var resource = client.resources(kind).inNamespace(namespace).withName(name);
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptionsMatching(Kubectl::isConflict)
                .untilAsserted(
                        () -> {
                            var _ =
                                    resource.edit(
                                            found -> {
                                                found.setSpec(change.apply(found.getSpec()));
                                                return found;
                                            });
                        });
    }

    public void delete(Class<? extends HasMetadata> kind, String name) {
        client.resources(kind).inNamespace(namespace).withName(name).delete();
    }

    private static boolean isConflict(Throwable thrown) {
        return thrown instanceof KubernetesClientException answer
                && answer.getCode() == HttpURLConnection.HTTP_CONFLICT;
    }
}
