// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import java.util.EnumSet;
import java.util.Set;

/**
 * What can be wrong with an operator of FlinkSessionJobs; the simulator has to find each of them.
 * All of production is in its place: a flaw changes what it is told, or what becomes of what it
 * asks for.
 */
enum SessionFlaws {
    /** Acts first and records its intent afterwards. */
    STATUS_AFTER_EFFECT,
    /** Does not record that a job was asked for, and so begins another one beside it. */
    JAR_NOT_RECORDED,
    /** Takes a JobManager that does not answer for one that knows no job. */
    SILENCE_IS_GONE,
    /** Takes a stop that is under way for one that is done. */
    STOP_NOT_AWAITED,
    /** Cancels a job that was to be stopped with a savepoint. */
    CANCELS_INSTEAD_OF_STOP,
    /** Does not tell Flink which savepoint or checkpoint to begin with. */
    PATH_NOT_SENT,
    /** Ends every job of the cluster instead of its own. */
    CANCELS_THE_OTHERS,
    /** Cancels a job of another FlinkSessionJob instead of its own. */
    CANCELS_A_NEIGHBOUR,
    /** Takes the checkpoints of another FlinkSessionJob's job for its own. */
    READS_A_NEIGHBOURS_CHECKPOINTS,
    /** Takes a job that Flink has already for one that it has refused. */
    KNOWN_IS_REFUSED,
    /** Replaces a cluster without a look at its FlinkSessionJobs. */
    CLUSTER_FORGETS_ITS_JOBS;

    static Set<SessionFlaws> none() {
        return EnumSet.noneOf(SessionFlaws.class);
    }
}
