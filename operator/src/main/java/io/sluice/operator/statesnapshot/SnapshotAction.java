// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.operator.model.Action;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** An effect for a snapshot. Each is idempotent; none waits for its outcome. */
sealed interface SnapshotAction {
    /**
     * Sets the labels, and puts our finalizer on the resource or takes it off.
     *
     * @param labels those that change
     * @param isHeld whether the resource has the finalizer from now on
     */
    record Mark(Map<String, String> labels, boolean isHeld) implements SnapshotAction {
        public Mark {
            labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        }
    }

    /** Asks the job's JobManager; without one nothing is asked. */
    record Ask(Action.OfJob action) implements SnapshotAction {}

    /** Deletes another snapshot of the same job. */
    record Delete(String name, String uid) implements SnapshotAction {}

    /** Lets the deleted resource go. */
    record Release() implements SnapshotAction {}
}
