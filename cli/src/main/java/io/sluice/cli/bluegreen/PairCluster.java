// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.cluster.Finding;
import io.sluice.cli.cluster.ResourceReader;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;

/** What the commands ask of the API server, in one namespace. */
record PairCluster(KubernetesClient client, String namespace) {
    private static final ResourceKind KIND = ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT;
    private static final int UNPROCESSABLE = 422;

    /**
     * The pair; empty if there is none of the name.
     *
     * @throws NotDone if the caller may not see it
     * @throws KubernetesClientException if the API server does not answer
     */
    Optional<Pair> find(String name) {
        return switch (new ResourceReader(client, namespace).find(KIND, name)) {
            case Finding.Found(var resource) ->
                    Optional.of(resource)
                            .filter(FlinkBlueGreenDeployment.class::isInstance)
                            .map(FlinkBlueGreenDeployment.class::cast)
                            .map(Pair::of);
            case Finding.Absent() -> Optional.empty();
            case Finding.Hidden(var kind) ->
                    throw new NotDone(
                            "you have no right to get "
                                    + kind.crd()
                                    + " in namespace '"
                                    + namespace
                                    + "'; ask for it, or name another namespace with -n");
        };
    }

    /**
     * @throws NotDone if there is none of the name, or the caller may not see it
     */
    Pair get(String name) {
        return find(name)
                .orElseThrow(
                        () ->
                                new NotDone(
                                        "NAME: there is no FlinkBlueGreenDeployment '"
                                                + name
                                                + "' in namespace '"
                                                + namespace
                                                + "'; kubectl get flinkbgdep -n "
                                                + namespace
                                                + " shows what there is"));
    }

    /** The quotas of the namespace; empty if the caller may not list them. */
    Optional<List<ResourceQuota>> quotas() {
        try {
            return Optional.of(client.resourceQuotas().inNamespace(namespace).list().getItems());
        } catch (KubernetesClientException failed) {
            if (failed.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return Optional.empty();
            }
            throw failed;
        }
    }

    /**
     * Sets a field of a pair. Returns false, and changes nothing, if the pair was changed since it
     * was read.
     *
     * @param path as in JSON Patch
     * @throws NotDone if the API server refuses it
     */
    boolean set(Pair pair, String path, JsonNode value) {
        ArrayNode patch = JsonNodeFactory.instance.arrayNode();
        patch.addObject()
                .put("op", "replace")
                .put("path", "/metadata/resourceVersion")
                .put("value", pair.version());
        patch.addObject().put("op", "add").put("path", path).set("value", value);
        try {
            client.resources(FlinkBlueGreenDeployment.class)
                    .inNamespace(namespace)
                    .withName(pair.name())
                    .patch(PatchContext.of(PatchType.JSON), patch.toString());
            return true;
        } catch (KubernetesClientException failed) {
            return switch (failed.getCode()) {
                case HttpURLConnection.HTTP_CONFLICT -> false;
                case HttpURLConnection.HTTP_BAD_REQUEST,
                        HttpURLConnection.HTTP_FORBIDDEN,
                        HttpURLConnection.HTTP_NOT_FOUND,
                        UNPROCESSABLE ->
                        throw new NotDone(refusal(failed));
                default -> throw failed;
            };
        }
    }

    /** Quotas and admission plugins answer with the same code as missing rights. */
    private String refusal(KubernetesClientException failed) {
        String message =
                Optional.ofNullable(failed.getStatus())
                        .map(Status::getMessage)
                        .or(() -> Optional.ofNullable(failed.getMessage()))
                        .orElse("");
        return message.contains("cannot patch resource")
                ? "you have no right to patch "
                        + KIND.crd()
                        + " in namespace '"
                        + namespace
                        + "'; ask for it, for example for the ClusterRole edit"
                : "the API server refuses it: " + message;
    }
}
