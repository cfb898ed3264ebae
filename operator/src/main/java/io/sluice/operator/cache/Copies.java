// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.javaoperatorsdk.operator.api.config.Cloner;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;

/**
 * A resource of one's own for each pass. Of ours the spec and the status are shared with the cache:
 * nobody changes them in place, they are only ever replaced.
 */
public final class Copies implements Cloner {
    private final KubernetesSerialization others;

    public Copies(KubernetesSerialization others) {
        this.others = others;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <R extends HasMetadata> R clone(R object) {
        return switch (object) {
            case FlinkDeployment original -> (R) filled(new FlinkDeployment(), original);
            case FlinkSessionJob original -> (R) filled(new FlinkSessionJob(), original);
            default -> others.clone(object);
        };
    }

    private static <R extends CustomResource<ObjectNode, ObjectNode>> R filled(R copy, R original) {
        copy.setMetadata(new ObjectMetaBuilder(original.getMetadata()).build());
        copy.setSpec(original.getSpec());
        copy.setStatus(original.getStatus());
        return copy;
    }
}
