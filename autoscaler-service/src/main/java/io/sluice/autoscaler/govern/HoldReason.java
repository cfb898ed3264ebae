// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

/** Why a proposal is not carried out. */
public enum HoldReason {
    NOTHING_CHANGED("what is published already is what is needed"),
    SWITCHED_OFF("job.autoscaler.governor.mode is off: set it to apply or recommend"),
    RECOMMEND_ONLY("job.autoscaler.governor.mode is recommend: set it to apply to have it done"),
    JOB_NOT_STABLE("the job or its resource is being changed"),
    JOB_RECOVERING("not all subtasks of the job run yet"),
    METRICS_UNKNOWN("a rate of a vertex that would change could not be measured"),
    METRICS_CONTRADICT("a vertex is busy although nothing came in: Flink repeats old metrics"),
    PARALLELISM_OUT_OF_RANGE("a parallelism below 1 or above the maximum ends the JobManager"),
    MORE_DOES_NOT_HELP("more subtasks did not raise the rate when last tried: look for a hot key"),
    SCALE_UP_PENDING("what was asked for last has not come yet"),
    COOLING_DOWN("the last rescale is too recent: see job.autoscaler.governor.cool-down"),
    REVERSAL_TOO_SOON(
            "the job was scaled up not long ago: see job.autoscaler.governor.reversal-pause"),
    LOAD_JUMPS("the load just jumped: in a few minutes it will show where to"),
    LOAD_RISES("less is needed now, but the load rises"),
    CHANGE_TOO_SMALL("too few slots change: see job.autoscaler.governor.least-change"),
    NOT_WORTH_A_RESTART(
            "what is too much has not cost as much yet as a rescale would: see"
                    + " job.autoscaler.governor.unrest"),
    DAY_BUDGET_SPENT(
            "the job used up its rescales of the day: see"
                    + " job.autoscaler.governor.rescales-per-day"),
    FLEET_BUSY("as many other jobs are being rescaled as may be at once"),
    JOB_QUOTA("it would exceed job.autoscaler.quota.cpu or .memory"),
    NAMESPACE_QUOTA(
            "it would exceed job.autoscaler.governor.namespace-quota.cpu or .memory of its"
                    + " namespace");

    private final String text;

    HoldReason(String text) {
        this.text = text;
    }

    /** For people; never branched on. */
    public String text() {
        return text;
    }
}
