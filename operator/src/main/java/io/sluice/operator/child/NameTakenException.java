// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.child;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.stream.Collectors;

/** An object of a name that a resource needs belongs to somebody else, and is left as it is. */
public final class NameTakenException extends RuntimeException {
    private NameTakenException(String kind, String name, String whose) {
        super(
                "%s '%s' is there already and is %s: delete it, or give one of the two another name"
                        .formatted(kind, name, whose));
    }

    /** A Deployment that is not labelled as one of Flink. */
    public static NameTakenException jobManager(String name) {
        return new NameTakenException("Deployment", name, "no Flink cluster's");
    }

    /** A Deployment that does not belong to the cluster. */
    public static NameTakenException taskManagers(String name) {
        return new NameTakenException("Deployment", name, "not this cluster's");
    }

    static NameTakenException of(HasMetadata found) {
        String owners =
                found.getMetadata().getOwnerReferences().stream()
                        .map(NameTakenException::named)
                        .collect(Collectors.joining(", "));
        return new NameTakenException(
                found.getKind(),
                found.getMetadata().getName(),
                "not this resource's" + (owners.isEmpty() ? "" : ", it belongs to " + owners));
    }

    private static String named(OwnerReference owner) {
        return owner.getKind() + " '" + owner.getName() + "'";
    }
}
