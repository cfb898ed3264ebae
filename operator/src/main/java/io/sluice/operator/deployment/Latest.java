// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/** Whether what a cache holds of a resource is what the API server holds of it. */
public final class Latest {
    private Latest() {}

    /**
     * For a pass that acts on a status which it need not change, as storing one would tell.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if nobody answers
     */
    public static StatusStore.Saved confirm(KubernetesClient client, HasMetadata read) {
        var metadata = read.getMetadata();
        return Optional.ofNullable(client.resource(read).get())
                .map(HasMetadata::getMetadata)
                .filter(now -> now.getUid().equals(metadata.getUid()))
                .filter(now -> now.getResourceVersion().equals(metadata.getResourceVersion()))
                .map(_ -> StatusStore.Saved.KEPT)
                .orElse(StatusStore.Saved.CONFLICT);
    }
}
