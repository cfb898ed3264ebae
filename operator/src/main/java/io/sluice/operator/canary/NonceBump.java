// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.canary;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.function.BiConsumer;

/** Gives a canary another {@code spec.restartNonce}, and so another generation. */
public record NonceBump(KubernetesClient client) implements BiConsumer<HasMetadata, Long> {
    /** The generation is as good a number as any: the next one differs from it. */
    @Override
    public void accept(HasMetadata resource, Long generation) {
        var patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("spec").put("restartNonce", generation);
        client.resources(resource.getClass())
                .inNamespace(resource.getMetadata().getNamespace())
                .withName(resource.getMetadata().getName())
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch.toString());
    }
}
