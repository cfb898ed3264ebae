// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.ingress;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.sluice.manifest.IngressSpecView;
import io.sluice.operator.child.ChildObjects;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What to do about a resource's Ingress or HTTPRoute: pure and total. */
sealed interface IngressPlan {
    /** It is as it is to be. */
    record Nothing() implements IngressPlan {}

    record Apply(HasMetadata wanted) implements IngressPlan {}

    /** Deletes the one that was observed and no other. */
    record Remove(String uid) implements IngressPlan {}

    /** One of that name belongs to somebody else, and is left alone. */
    record Occupied() implements IngressPlan {}

    /**
     * @param wanted empty if there is to be none
     * @param found what the cache holds under the resource's name
     * @param uid the resource's
     */
    static IngressPlan of(
            Optional<? extends HasMetadata> wanted,
            Optional<? extends HasMetadata> found,
            String uid) {
        if (found.isEmpty()) {
            return wanted.<IngressPlan>map(Apply::new).orElseGet(Nothing::new);
        }
        HasMetadata standing = found.get();
        if (!ChildObjects.isOwned(standing, uid)) {
            return wanted.isPresent() ? new Occupied() : new Nothing();
        }
        return wanted.<IngressPlan>map(
                        next -> isAsWanted(standing, next) ? new Nothing() : new Apply(next))
                .orElseGet(() -> new Remove(standing.getMetadata().getUid()));
    }

    private static boolean isAsWanted(HasMetadata standing, HasMetadata wanted) {
        return fingerprint(standing).equals(fingerprint(wanted))
                && switch (wanted) {
                    case Ingress next -> standing instanceof Ingress now && isSame(now, next);
                    case HTTPRoute next -> standing instanceof HTTPRoute now && isSame(now, next);
                    default -> false;
                };
    }

    /** The API server may have added a class, which is no edit of ours. */
    private static boolean isSame(Ingress standing, Ingress wanted) {
        return standing.getSpec().getRules().equals(wanted.getSpec().getRules())
                && standing.getSpec().getTls().equals(wanted.getSpec().getTls())
                && (wanted.getSpec().getIngressClassName() == null
                        || Objects.equals(
                                wanted.getSpec().getIngressClassName(),
                                standing.getSpec().getIngressClassName()));
    }

    private static boolean isSame(HTTPRoute standing, HTTPRoute wanted) {
        return standing.getSpec().getRules().equals(wanted.getSpec().getRules())
                && standing.getSpec().getHostnames().equals(wanted.getSpec().getHostnames())
                && standing.getSpec().getParentRefs().equals(wanted.getSpec().getParentRefs());
    }

    private static Optional<String> fingerprint(HasMetadata ingress) {
        Map<String, String> annotations =
                Optional.ofNullable(ingress.getMetadata().getAnnotations()).orElseGet(Map::of);
        return Optional.ofNullable(annotations.get(IngressSpecView.FINGERPRINT));
    }
}
