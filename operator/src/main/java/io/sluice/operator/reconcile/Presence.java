// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.reconcile;

import io.javaoperatorsdk.operator.api.reconciler.Context;

/** Whether a resource is there; of one that is gone, only its last state is known. */
public enum Presence {
    PRESENT,
    GONE;

    /** What the framework knows of the resource that it calls for. */
    public static Presence of(Context<?> context) {
        return context.isPrimaryResourceDeleted() ? GONE : PRESENT;
    }
}
