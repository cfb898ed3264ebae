// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.leadership;

import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore.Saved;
import java.util.function.BooleanSupplier;

/**
 * Keeps a process that may have lost its lease from recording an intent, and so from acting on it.
 * A reconciliation that recorded its intent before is done again by the next leader in the same
 * words: names and ids of what it does follow from the status.
 *
 * @param mayAct asked again for each reconciliation and for each status
 */
public record LeadershipGuard(BooleanSupplier mayAct) {
    /** Thrown into the framework's retry; by then the process leads again, or is gone. */
    public static final class NotLeading extends IllegalStateException {
        NotLeading() {
            super("this operator may not lead any more; nothing is done");
        }
    }

    /** The same reconciliations, of a process that may act. */
    public <R, C> ResourceReconciler<R, C> guarded(ResourceReconciler<R, C> resourceReconciler) {
        return (resource, cached, store) -> {
            check();
            return resourceReconciler.reconcile(
                    resource, cached, (read, status) -> checked(store.save(read, status)));
        };
    }

    /** Between the intent and the effects: the API server may have taken its time. */
    private Saved checked(Saved saved) {
        check();
        return saved;
    }

    /**
     * Asks whether this process still leads. A process that reads an object in order to change it
     * calls this after the read, as it may have stood still before that.
     *
     * @throws NotLeading if this process may not act any more
     */
    public void check() {
        if (!mayAct.getAsBoolean()) {
            throw new NotLeading();
        }
    }
}
