// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.canary;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.RawResource;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Gives a canary another {@code spec.restartNonce}, and so another generation. The Apache operator
 * lets a canary have no spec, while the CRDs here refuse a write of a spec without the fields that
 * each cluster or job needs. So what is missing of these is written too.
 */
public record NonceBump(KubernetesClient client) implements BiConsumer<HasMetadata, Long> {
    /** The name of what a canary has none of. */
    private static final String NAME = "none";

    @Override
    public void accept(HasMetadata resource, Long generation) {
        client.resources(resource.getClass())
                .inNamespace(resource.getMetadata().getNamespace())
                .withName(resource.getMetadata().getName())
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        patch(resource, generation).toString());
    }

    /**
     * A JSON merge patch. The generation is as good a number as any: the next one differs from it.
     */
    static ObjectNode patch(HasMetadata resource, long generation) {
        ObjectNode spec = spec(resource);
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode change = patch.putObject("spec").put("restartNonce", generation);
        if (resource instanceof FlinkSessionJob) {
            completeSessionJob(spec, change);
        } else {
            completeDeployment(spec, change);
        }
        return patch;
    }

    private static void completeSessionJob(ObjectNode spec, ObjectNode change) {
        if (!spec.hasNonNull("deploymentName")) {
            change.put("deploymentName", NAME);
        }
        if (!spec.hasNonNull("job")) {
            suspendedJob(change);
        }
    }

    /** Should it ever lose its label, a canary without a spec has a job that is not to run. */
    private static void completeDeployment(ObjectNode spec, ObjectNode change) {
        if (spec.path("serviceAccount").asText("").isBlank()) {
            change.put("serviceAccount", NAME);
        }
        if (!spec.hasNonNull("flinkVersion")) {
            change.put("flinkVersion", "v1_20");
            if (!spec.hasNonNull("job")) {
                suspendedJob(change);
            }
        }
    }

    private static void suspendedJob(ObjectNode change) {
        change.putObject("job").put("state", "suspended").put("parallelism", 1);
    }

    private static ObjectNode spec(HasMetadata resource) {
        return Optional.of(resource)
                .filter(RawResource.class::isInstance)
                .map(RawResource.class::cast)
                .map(RawResource::getSpec)
                .orElseGet(JsonNodeFactory.instance::objectNode);
    }
}
