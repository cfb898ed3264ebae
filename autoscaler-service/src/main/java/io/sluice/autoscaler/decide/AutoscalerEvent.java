// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import io.sluice.autoscaler.decide.EngineEvent.Severity;

/**
 * The events of the autoscaler: those of Flink's engine, which keep its words, and those of the
 * service. docs/reference/autoscaler.md is generated from these.
 */
public enum AutoscalerEvent {
    SCALING_REPORT(
            RecordedEvents.SCALING_REPORT_REASON,
            Severity.NORMAL,
            "A rescale was published. Or, where `job.autoscaler.scaling.enabled` is false, it would"
                    + " have been. The message has the parallelism and the rates of each vertex."),
    RESOURCE_REQUIREMENTS_UPDATED(
            "ResourceRequirementsUpdated",
            Severity.NORMAL,
            "With `--standalone`: the JobManager was asked for another parallelism. It is a line of"
                    + " the log, as there is no resource."),
    INEFFECTIVE_SCALING(
            "IneffectiveScaling",
            Severity.NORMAL,
            "More subtasks raised the rate of a vertex less than expected."),
    MEMORY_PRESSURE(
            "MemoryPressure",
            Severity.NORMAL,
            "Garbage collection or the use of the heap is above its threshold, and the job is not"
                    + " rescaled until that is over."),
    CONFIGURATION_RECOMMENDATION(
            "Configuration recommendation",
            Severity.NORMAL,
            "Memory tuning has found other sizes. The message has them as options."),
    RESOURCE_QUOTA_REACHED(
            "ResourceQuotaReached",
            Severity.WARNING,
            "A rescale is held because it would exceed a quota. The message has the quota's key and"
                    + " value."),
    SCALING_HELD(
            "ScalingHeld",
            Severity.NORMAL,
            "A change of the parallelism has been held for five minutes, and no quota is in the way."
                    + " The message has the reason and the change, and so has the condition"
                    + " `ScalingHeld` of the resource."),
    SCALING_LIMITED(
            "ScalingLimited",
            Severity.WARNING,
            "A vertex gets another parallelism than it needs, because its key groups or partitions"
                    + " could not be shared out evenly, or because of a limit."),
    JOB_BEHIND(
            "JobBehind",
            Severity.WARNING,
            "The job has not kept up with its load for half an hour or longer. The message has the"
                    + " last decision."),
    AUTOSCALER_ERROR(
            "AutoscalerError",
            Severity.WARNING,
            "A look at the job failed. The message has the cause; the next look is tried all the"
                    + " same."),
    JOB_MANAGER_ANSWER_TOO_LARGE(
            "JobManagerAnswerTooLarge",
            Severity.WARNING,
            "An answer of the JobManager is larger than the autoscaler reads. The message has the"
                    + " limit."),
    STATE_DISCARDED(
            "AutoscalerStateDiscarded",
            Severity.WARNING,
            "Entries of the ConfigMap `autoscaler-<name>` can't be used, and the autoscaler starts"
                    + " again without them.");

    private final String wire;
    private final Severity severity;
    private final String when;

    AutoscalerEvent(String wire, Severity severity, String when) {
        this.wire = wire;
        this.severity = severity;
        this.when = when;
    }

    /** The word in the event's field {@code reason}. */
    public String wire() {
        return wire;
    }

    public Severity severity() {
        return severity;
    }

    /** For people: what has happened when the event is written, in Markdown. */
    public String when() {
        return when;
    }
}
