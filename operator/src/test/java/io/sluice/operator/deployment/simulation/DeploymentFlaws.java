// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import java.util.EnumSet;
import java.util.Set;

/**
 * What can be wrong with an operator of FlinkDeployments; the simulator has to find each of them.
 * All of production is in its place: a flaw changes what it is told, or what becomes of what it
 * asks for.
 */
public enum DeploymentFlaws {
    /** Acts first and records its intent afterwards. */
    STATUS_AFTER_EFFECT,
    /** Writes a status over one that it has not read. */
    STATUS_WITHOUT_VERSION,
    /** Acts on what is on record without a look whether that is the latest. */
    REPEATS_UNASKED,
    /** Takes a JobManager that does not answer for one that says that a stop has failed. */
    SILENCE_IS_FAILURE,
    /** Takes a JobManager that does not answer for one that knows no job. */
    SILENCE_IS_GONE,
    /** Takes a stop that is under way for one that is done. */
    STOP_NOT_AWAITED,
    /** Cancels a job that was to be stopped with a savepoint. */
    CANCELS_INSTEAD_OF_STOP,
    /** Takes what Flink told of checkpoints first for what there is. */
    CHECKPOINTS_READ_ONCE,
    /** Stops a job under another id each time that it asks. */
    TRIGGER_NOT_DERIVED,
    /** Takes it for granted that checkpoints are left after a cancellation. */
    RETENTION_ASSUMED,
    /** Deletes the metadata of high availability with a cluster. */
    METADATA_DELETED_WITH_CLUSTER,
    /** Does not tell Flink which savepoint or checkpoint to begin with. */
    PATH_NOT_RENDERED,
    /** Writes Flink's configuration in a file that the version at hand does not read. */
    OTHER_LAYOUT,
    /** Gives a standalone cluster no TaskManagers. */
    TASK_MANAGERS_NOT_PROVIDED,
    /** Lets a job that has ended run again when its JobManager restarts. */
    RESULTS_NOT_KEPT,
    /** Takes over without the path that the Apache operator has on record. */
    THEIR_PATH_UNREAD,
    /** Takes a job that the Apache operator has suspended for one that is to run on. */
    THEIR_SUSPENSION_UNREAD,
    /** Takes a resource whose status somebody has removed for one that never had a cluster. */
    ERASED_STATUS_IS_NEW,
    /** Gives all attempts one node in ZooKeeper. */
    ONE_NAME_IN_ZOOKEEPER,
    /** Deletes the savepoint that the job was started from. */
    DISPOSES_OF_WHAT_IT_STARTED_FROM,
    /** Deletes a resource without the savepoint that was to be made before. */
    LAST_SAVEPOINT_SKIPPED,
    /** Takes any checkpoint for young enough to go on from. */
    CHECKPOINT_AGE_IGNORED,
    /** Takes the number that asks for a savepoint for one that has been answered. */
    NONCE_UNREAD,
    /** Takes checkpoints that could not be read for none. */
    UNREAD_IS_NONE,
    /** Takes what an ended job was restored from for its last state. */
    OLDER_CHECKPOINT,
    /** Takes a savepoint that was written for the last state, although the job then ran on. */
    PATH_OF_A_FAILED_STOP,
    /** Does not notice that a JobManager restarted and began the job anew. */
    RESTART_NOT_NOTICED,
    /** Does not notice that another version of Flink is asked for. */
    VERSION_NOT_NOTICED,
    /** Takes a job that is done for one that failed, and starts it again. */
    ANY_END_IS_FAILURE,
    /** Does not remember which of a job's exceptions were told. */
    EXCEPTIONS_NOT_RECORDED,
    /** Does not remember that nothing has changed. */
    NOTHING_REMEMBERED,
    /** Goes on with the first parallelism that the autoscaler has asked for. */
    OVERRIDES_READ_ONCE,
    /** Restarts a job that Flink would scale while it runs. */
    SCALES_BY_RESTART,
    /** Goes by the defaults that it has begun with. */
    DEFAULTS_READ_ONCE,
    /** Does not ask how a job does. */
    HEALTH_NOT_ASKED,
    /** Rolls a spec back that has had no time to become stable. */
    DEADLINE_IGNORED,
    /** Triggers savepoints that nobody has asked for. */
    SAVES_UNASKED,
    /** Takes a savepoint that is due for one that was triggered. */
    SCHEDULE_FORGOTTEN,
    /** Tells of an upgrade that it has taken no time. */
    DOWNTIME_UNTRUE;

    /** Those that take an autoscaler, options that change, or jobs that are ill. */
    static Set<DeploymentFlaws> ofScaling() {
        return EnumSet.range(OVERRIDES_READ_ONCE, DOWNTIME_UNTRUE);
    }

    static Set<DeploymentFlaws> none() {
        return EnumSet.noneOf(DeploymentFlaws.class);
    }
}
