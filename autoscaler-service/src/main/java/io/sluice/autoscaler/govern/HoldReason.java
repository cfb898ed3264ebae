// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

/** Why a proposal is not carried out. */
public enum HoldReason {
    NOTHING_CHANGED("the published parallelism is what the job needs"),
    SWITCHED_OFF("job.autoscaler.governor.mode is off: set it to apply or recommend"),
    RECOMMEND_ONLY(
            "job.autoscaler.governor.mode is recommend: set it to apply to carry proposals out"),
    JOB_NOT_STABLE("the job or its resource is being changed"),
    JOB_RECOVERING("not all subtasks of the job run yet"),
    PAIR_IN_TRANSITION(
            "a blue/green transition of the job's pair is in progress, in which neither half is"
                    + " rescaled"),
    METRICS_UNKNOWN("a rate of a vertex that would change could not be measured"),
    METRICS_CONTRADICT("a vertex is busy although nothing came in: Flink repeats old metrics"),
    PARALLELISM_OUT_OF_RANGE(
            "the proposal has a parallelism below 1 or above the maximum, which would end the"
                    + " JobManager"),
    MORE_DOES_NOT_HELP("more subtasks did not raise the rate the last time: look for a hot key"),
    SCALE_UP_PENDING("the last rescale has not taken effect yet"),
    COOLING_DOWN("the last rescale is too recent: see job.autoscaler.governor.cool-down"),
    REVERSAL_TOO_SOON(
            "the job was scaled up not long ago: see job.autoscaler.governor.reversal-pause"),
    LOAD_JUMPS("the load has just jumped: wait a few minutes until it settles"),
    BACKLOG_SHRINKS("what waits is worked off within minutes without a rescale"),
    JOB_IS_LATE(
            "less is needed now, but records wait for longer than"
                    + " job.autoscaler.governor.lag-objective"),
    LOAD_RISES("less is needed now, but the load rises"),
    CHANGE_TOO_SMALL("too few slots change: see job.autoscaler.governor.least-change"),
    NOT_WORTH_A_RESTART(
            "the surplus has not yet cost as much as a rescale would: see"
                    + " job.autoscaler.governor.unrest"),
    DAY_BUDGET_SPENT(
            "the job has used up its rescales of the day: see"
                    + " job.autoscaler.governor.rescales-per-day"),
    FLEET_BUSY("the maximum number of jobs is being rescaled at the moment"),
    JOB_QUOTA("the rescale would exceed job.autoscaler.quota.cpu or .memory"),
    NAMESPACE_QUOTA(
            "the rescale would exceed job.autoscaler.governor.namespace-quota.cpu or .memory of its"
                    + " namespace"),
    RESOURCE_QUOTA(
            "the rescale would exceed a ResourceQuota of the namespace: raise its hard limits");

    private final String text;

    HoldReason(String text) {
        this.text = text;
    }

    /** For people; never branched on. */
    public String text() {
        return text;
    }
}
