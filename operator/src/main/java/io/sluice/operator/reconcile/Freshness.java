// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/** Whether what a reconciliation holds of a resource is what the API server holds of it. */
public final class Freshness {
    private Freshness() {}

    /**
     * For a reconciliation that acts on a status which it need not change, as storing one would
     * tell.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if nobody answers
     */
    public static StatusStore.Saved confirm(KubernetesClient client, HasMetadata read) {
        return isLatest(client, read) ? StatusStore.Saved.KEPT : StatusStore.Saved.CONFLICT;
    }

    /** Whether nobody has changed the resource since {@code read} was read or stored. */
    public static boolean isLatest(KubernetesClient client, HasMetadata read) {
        String version = read.getMetadata().getResourceVersion();
        return of(client, read)
                .map(ObjectMeta::getResourceVersion)
                .filter(version::equals)
                .isPresent();
    }

    /** Whether the resource itself is there, and not another one of its name. */
    public static boolean isThere(KubernetesClient client, HasMetadata read) {
        return of(client, read).isPresent();
    }

    private static Optional<ObjectMeta> of(KubernetesClient client, HasMetadata read) {
        return Optional.ofNullable(client.resource(read).get())
                .map(HasMetadata::getMetadata)
                .filter(now -> now.getUid().equals(read.getMetadata().getUid()));
    }
}
