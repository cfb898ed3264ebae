// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.awaitility.core.ThrowingRunnable;

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
        withoutConflict(
                () -> {
                    var _ =
                            resource.edit(
                                    found -> {
                                        found.setSpec(change.apply(found.getSpec()));
                                        return found;
                                    });
                });
    }

    /** As {@code kubectl edit --subresource=status} would. */
    public <R extends CustomResource<ObjectNode, ObjectNode>> void editStatus(
            Class<R> kind, String name, UnaryOperator<ObjectNode> change) {
        var resource = client.resources(kind).inNamespace(namespace).withName(name);
        withoutConflict(
                () -> {
                    var _ =
                            resource.editStatus(
                                    found -> {
                                        found.setStatus(change.apply(found.getStatus().deepCopy()));
                                        return found;
                                    });
                });
    }

    /** Whatever finalizers it has, as if it had never been there. */
    public void remove(Class<? extends HasMetadata> kind, String name) {
        var resource = client.resources(kind).inNamespace(namespace).withName(name);
        resource.patch(
                PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
        resource.delete();
    }

    public void delete(Class<? extends HasMetadata> kind, String name) {
        client.resources(kind).inNamespace(namespace).withName(name).delete();
    }

    private static void withoutConflict(ThrowingRunnable edit) {
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptionsMatching(Kubectl::isConflict)
                .untilAsserted(edit);
    }

    private static boolean isConflict(Throwable thrown) {
        return thrown instanceof KubernetesClientException answer
                && answer.getCode() == HttpURLConnection.HTTP_CONFLICT;
    }
}
