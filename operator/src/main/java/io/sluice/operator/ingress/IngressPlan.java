// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.ingress;

import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.sluice.operator.manifest.IngressRenderer;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What to do about a resource's Ingress: pure and total. */
sealed interface IngressPlan {
    /** It is as it is to be. */
    record Nothing() implements IngressPlan {}

    record Apply(Ingress wanted) implements IngressPlan {}

    /** Deletes the Ingress that was observed and no other. */
    record Remove(String uid) implements IngressPlan {}

    /** An Ingress of that name belongs to somebody else, and is left alone. */
    record Occupied() implements IngressPlan {}

    /**
     * @param wanted empty if there is to be none
     * @param found what the cache holds under the resource's name
     * @param uid the resource's
     */
    static IngressPlan of(Optional<Ingress> wanted, Optional<Ingress> found, String uid) {
        if (found.isEmpty()) {
            return wanted.<IngressPlan>map(Apply::new).orElseGet(Nothing::new);
        }
        Ingress standing = found.get();
        if (!isOwned(standing, uid)) {
            return wanted.isPresent() ? new Occupied() : new Nothing();
        }
        return wanted.<IngressPlan>map(
                        next -> isAsWanted(standing, next) ? new Nothing() : new Apply(next))
                .orElseGet(() -> new Remove(standing.getMetadata().getUid()));
    }

    static boolean isOwned(Ingress standing, String uid) {
        return standing.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getUid().equals(uid));
    }

    /** The API server may have added a class, which is no edit of ours. */
    private static boolean isAsWanted(Ingress standing, Ingress wanted) {
        return fingerprint(standing).equals(fingerprint(wanted))
                && standing.getSpec().getRules().equals(wanted.getSpec().getRules())
                && standing.getSpec().getTls().equals(wanted.getSpec().getTls())
                && (wanted.getSpec().getIngressClassName() == null
                        || Objects.equals(
                                wanted.getSpec().getIngressClassName(),
                                standing.getSpec().getIngressClassName()));
    }

    private static Optional<String> fingerprint(Ingress ingress) {
        Map<String, String> annotations =
                Optional.ofNullable(ingress.getMetadata().getAnnotations()).orElseGet(Map::of);
        return Optional.ofNullable(annotations.get(IngressRenderer.FINGERPRINT));
    }
}
