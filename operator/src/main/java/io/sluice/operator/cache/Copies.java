// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.javaoperatorsdk.operator.api.config.Cloner;
import io.sluice.api.RawResource;

/**
 * Gives each reconciliation a copy of its resource. The spec and the status of our own kinds are
 * shared with the cache, because nobody changes them in place. What belongs to a cluster is only
 * ever read, and is given out without a copy.
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
            case RawResource original -> (R) copy(original);
            case Deployment _, Pod _, ConfigMap _, Ingress _, HTTPRoute _ -> object;
            default -> others.clone(object);
        };
    }

    private static RawResource copy(RawResource original) {
        RawResource copy = RawResource.of(original.kind());
        copy.setMetadata(new ObjectMetaBuilder(original.getMetadata()).build());
        copy.readLater(original.whole());
        return copy;
    }
}
