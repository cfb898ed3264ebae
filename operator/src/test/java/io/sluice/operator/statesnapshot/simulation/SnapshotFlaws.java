// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot.simulation;

import java.util.EnumSet;
import java.util.Set;

/**
 * What can be wrong with an operator of snapshots; the simulator has to find each of them. All of
 * production is in its place: a flaw changes what it is told, or what becomes of what it asks for.
 */
enum SnapshotFlaws {
    /** Acts first and records its intent afterwards. */
    STATUS_AFTER_EFFECT,
    /** Writes a status over one that it has not read. */
    STATUS_WITHOUT_VERSION,
    /** Takes a JobManager that does not answer for one that says that the snapshot has failed. */
    SILENCE_IS_FAILURE,
    /** Takes a JobManager that does not answer for one that knows nothing of the snapshot. */
    SILENCE_IS_UNKNOWN,
    /** Asks under another id each time. */
    TRIGGER_NOT_DERIVED,
    /** Asks for each snapshot under the same id. */
    TRIGGER_REUSED,
    /** Takes a job whose resource could not be read for one that is gone. */
    UNREAD_IS_GONE,
    /** Puts no finalizer on what has files. */
    NOT_HELD,
    /** Lets a snapshot go while its files are being deleted. */
    DISPOSAL_NOT_AWAITED,
    /** Waits for a JobManager that could delete the files as long as it takes. */
    ENDLESS_DELETION,
    /** Takes a second for a minute. */
    CLOCK_RUNS_FAST,
    /** Takes the newest savepoint of the job for the one that was asked for. */
    NEWEST_IS_OURS;

    static Set<SnapshotFlaws> none() {
        return EnumSet.noneOf(SnapshotFlaws.class);
    }
}
