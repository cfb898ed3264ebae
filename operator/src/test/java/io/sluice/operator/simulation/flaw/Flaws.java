// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation.flaw;

import java.util.EnumSet;
import java.util.Set;

/** What can be wrong with an operator; the simulator has to find each of them. */
public enum Flaws {
    /** Acts first and records its intent afterwards. */
    STATUS_AFTER_EFFECT,
    /** A JobManager that does not answer counts as one that is not there. */
    UNREACHABLE_IS_GONE,
    /** Deletes a cluster and does not wait until its pods are gone. */
    DELETION_NOT_AWAITED,
    /** Starts anew because a cache, which may be behind, says that nothing is there. */
    CACHE_IS_TRUTH,
    /** Names each request to stop anew, so that a repeated one kills the one before. */
    RANDOM_TRIGGER,
    /** Removes the former cluster without having recorded where its state is. */
    PATH_NOT_RECORDED,
    /** Takes what an ended job was restored from for its last state. */
    OLDER_CHECKPOINT,
    /** Takes checkpoints that could not be read for none. */
    UNREAD_IS_NONE,
    /** Does not notice that a JobManager restarted and began the job anew. */
    RESTART_NOT_NOTICED,
    /** Takes a savepoint that was written, although the job then ran on. */
    PATH_OF_A_FAILED_STOP,
    /** Takes for a job's last word what its JobManager may have cached before its end. */
    CHECKPOINTS_FROM_A_CACHE,
    /** Leaves the former job's graph in the metadata. */
    JOB_GRAPH_KEPT,
    /** Does not remember that it is the last stable spec that runs, and not the one taken up. */
    ROLLBACK_NOT_REMEMBERED,
    /** Rolls back without the state that is known. */
    ROLLBACK_WITHOUT_STATE,
    /** Takes a job that is done for one that failed, and starts it again. */
    ANY_END_IS_FAILURE,
    /** Starts an unhealthy job again although only its JobManager knows its state. */
    UNHEALTHY_WITHOUT_METADATA,
    /** Asks for savepoints under a name that is not the one on record. */
    RANDOM_SAVING,
    /** Deletes the savepoint that the job was started from, because it is old. */
    DISPOSED_TOO_EARLY,
    /** Deletes a cluster without the savepoint that was to be made before. */
    LAST_SAVEPOINT_SKIPPED,
    /** Takes any checkpoint for young enough to go on from. */
    CHECKPOINT_AGE_IGNORED,
    /** Removes a stateless job's cluster instead of having the job cancelled first. */
    REMOVED_UNCANCELLED,
    /** Does not notice that another version of Flink is asked for. */
    VERSION_NOT_NOTICED,
    /** Does not remember which of a job's exceptions were told. */
    EXCEPTIONS_NOT_RECORDED,
    /** Has all attempts keep their metadata in ZooKeeper under one name. */
    ONE_NAME_IN_ZOOKEEPER;

    public static Set<Flaws> none() {
        return EnumSet.noneOf(Flaws.class);
    }
}
