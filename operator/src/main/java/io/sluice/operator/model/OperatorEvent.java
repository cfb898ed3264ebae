// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.operator.model.ResourceEvent.Kind;

/**
 * An event of the operator that is not the reason of a condition. A word that is filed in two ways
 * has two constants.
 */
public enum OperatorEvent implements ResourceEvent.Word {
    SUBMIT(
            Subject.JOB,
            Kind.NORMAL,
            "Submit",
            "A cluster or a job is being started. The message says from which state."),
    FAILED_JOB_SUBMIT(
            Subject.JOB,
            Kind.WARNING,
            "Submit",
            "A job that failed is being started again, because"
                    + " `kubernetes.operator.job.restart.failed` is set."),
    SPEC_CHANGED(
            Subject.JOB,
            Kind.NORMAL,
            "SpecChanged",
            "A changed spec is being carried out. The message has the changed fields, and whether"
                    + " they need an upgrade. Once for each generation."),
    SUSPENDED(
            Subject.JOB,
            Kind.NORMAL,
            "Suspended",
            "A running job is being stopped: to suspend it, to upgrade it, or because its session"
                    + " cluster is replaced."),
    ROLLBACK(
            Subject.JOB,
            Kind.NORMAL,
            "Rollback",
            "The last stable spec is being deployed in place of the current one, which did not"
                    + " become stable in time."),
    JOB_STATUS_CHANGED(
            Subject.JOB,
            Kind.NORMAL,
            "JobStatusChanged",
            "The job has another state in Flink; or a cron job has started a run."),
    DOWNTIME(
            Subject.JOB,
            Kind.NORMAL,
            "Downtime",
            "The job runs again after an upgrade. The message says for how long it was down, and"
                    + " for what."),
    SCALING(
            Subject.JOB,
            Kind.NORMAL,
            "Scaling",
            "The job is being scaled in place. The message has the parallelism before and after."),
    SAVEPOINT(
            Subject.JOB,
            Kind.NORMAL,
            "Savepoint",
            "A savepoint that a nonce, a schedule or a deletion asked for is complete. The message"
                    + " has its path."),
    CHECKPOINT(
            Subject.JOB,
            Kind.NORMAL,
            "Checkpoint",
            "A checkpoint that a nonce or a schedule asked for is complete."),
    SAVEPOINT_ERROR(
            Subject.JOB,
            Kind.WARNING,
            "SavepointError",
            "A savepoint could not be made, or could not be deleted when it was due to be. The"
                    + " message has Flink's answer."),
    CHECKPOINT_ERROR(
            Subject.JOB,
            Kind.WARNING,
            "CheckpointError",
            "A checkpoint that was asked for could not be made. The message has Flink's answer."),
    JOB_EXCEPTION(
            Subject.JOB,
            Kind.WARNING,
            "JobException",
            "The job threw an exception. The message has the first lines of its stack trace"
                    + " without secrets; annotations name the task and the TaskManager."),
    ERROR(
            Subject.JOB,
            Kind.WARNING,
            "Error",
            "The job failed, the API server or Flink refuses what the job needs, a run of a cron"
                    + " job could not be created, or a reconciliation failed and is repeated."),
    MISSING(
            Subject.JOB,
            Kind.WARNING,
            "Missing",
            "The JobManager's Deployment is gone, or the JobManager lists no job."),
    RECOVER_DEPLOYMENT(
            Subject.JOB,
            Kind.WARNING,
            "RecoverDeployment",
            "A cluster whose JobManager was missing is being created again. The message says from"
                    + " which state."),
    RESTART_UNHEALTHY_JOB(
            Subject.JOB,
            Kind.WARNING,
            "RestartUnhealthyJob",
            "A job that restarts too often or completes no checkpoints is being started again, or"
                    + " would be if its state were safe."),
    OOM_KILLED(
            Subject.JOB,
            Kind.WARNING,
            "OOMKilled",
            "A container was killed because it needed more memory than its limit. The message says"
                    + " which, and what to raise."),
    VALIDATION_ERROR(
            Subject.JOB,
            Kind.WARNING,
            "ValidationError",
            "The spec breaks a rule and is not carried out. The message has the rule and the"
                    + " field."),
    UNSUPPORTED_FLINK_VERSION(
            Subject.JOB,
            Kind.WARNING,
            "UnsupportedFlinkVersion",
            "The spec's `flinkVersion` is not supported, and the spec is not carried out."),
    INGRESS_MANAGEMENT(
            Subject.JOB,
            Kind.WARNING,
            "IngressManagement",
            "`spec.ingress` has no effect, or its Ingress or HTTPRoute can't be written. The"
                    + " message says why."),
    CLEANUP(
            Subject.JOB,
            Kind.NORMAL,
            "Cleanup",
            "A deleted resource is released; a cron job deleted an earlier run; or the files of a"
                    + " deleted FlinkStateSnapshot are kept, and the message says why."),
    CLEANUP_FAILED(
            Subject.JOB,
            Kind.WARNING,
            "CleanupFailed",
            "A deletion has to wait, or something is left behind. The message names it."),
    STATUS_NOT_KEPT(
            Subject.JOB,
            Kind.WARNING,
            "StatusNotKept",
            "The installed CRD is too old for the operator's status, so nothing is done for the"
                    + " resource."),
    MISS_SCHEDULE(
            Subject.CRON,
            Kind.WARNING,
            "MissSchedule",
            "No run began within the starting deadline of a scheduled time."),
    JOB_ALREADY_ACTIVE(
            Subject.CRON,
            Kind.NORMAL,
            "JobAlreadyActive",
            "A scheduled time was skipped, because an earlier run is still running."),
    TRANSITION_STARTED(
            Subject.PAIR,
            Kind.NORMAL,
            "TransitionStarted",
            "A transition to the other half begins. The message says from which state."),
    SAVEPOINT_TAKEN(
            Subject.PAIR,
            Kind.NORMAL,
            "SavepointTaken",
            "The active half was saved. The message has the path."),
    HALF_READY(Subject.PAIR, Kind.NORMAL, "HalfReady", "The other half runs."),
    WAITING_FOR_APPROVAL(
            Subject.PAIR,
            Kind.NORMAL,
            "WaitingForApproval",
            "The other half waits for the annotation `sluice.io/promote`."),
    ANALYSIS_INCONCLUSIVE(
            Subject.PAIR,
            Kind.WARNING,
            "AnalysisInconclusive",
            "The other half is promoted although a figure of its analysis is not known."),
    PROMOTED(Subject.PAIR, Kind.NORMAL, "Promoted", "The other half is the active one now."),
    REMOVED(
            Subject.PAIR,
            Kind.NORMAL,
            "Removed",
            "The former half is being deleted. The message says how long both ran."),
    TRANSITION_ABORTED(
            Subject.PAIR,
            Kind.WARNING,
            "TransitionAborted",
            "The other half is stopped or was not started, and the active one goes on. The message"
                    + " says why."),
    TRANSITION_SUPERSEDED(
            Subject.PAIR,
            Kind.NORMAL,
            "TransitionAborted",
            "The spec was changed during a transition, which begins again."),
    CHANGED_IN_PLACE(
            Subject.PAIR,
            Kind.WARNING,
            "ChangedInPlace",
            "The active half can't be saved, and gets the new spec in place."),
    FIRST_HALF_FAILED(
            Subject.PAIR,
            Kind.WARNING,
            "FirstHalfFailed",
            "The first FlinkDeployment of the pair does not run in time."),
    CRD_OLDER(
            Subject.OPERATOR,
            Kind.WARNING,
            "CrdOlder",
            "An installed CRD is older than the operator. The message has the command that updates"
                    + " it."),
    NAMESPACES_IGNORED(
            Subject.OPERATOR,
            Kind.WARNING,
            "NamespacesIgnored",
            "Two settings say which namespaces are served, and one of them is ignored."),
    NAMESPACE_REFUSED(
            Subject.OPERATOR,
            Kind.WARNING,
            "NamespaceRefused",
            "The API server does not let the operator serve a namespace, and the operator tries"
                    + " again."),
    CONFIGURATION_REFUSED(
            Subject.OPERATOR,
            Kind.WARNING,
            "ConfigurationRefused",
            "The changed configuration has a mistake, and the former one stays in use.");

    /** What an event is about. */
    public enum Subject {
        /** A FlinkDeployment, and what the other kinds share with it. */
        JOB,
        /** A FlinkDeployment with a schedule. */
        CRON,
        /** A FlinkBlueGreenDeployment. */
        PAIR,
        /** The operator's own pod. */
        OPERATOR
    }

    private final Subject subject;
    private final Kind kind;
    private final String wire;
    private final String when;

    OperatorEvent(Subject subject, Kind kind, String wire, String when) {
        this.subject = subject;
        this.kind = kind;
        this.wire = wire;
        this.when = when;
    }

    public Subject subject() {
        return subject;
    }

    public Kind kind() {
        return kind;
    }

    @Override
    public String wire() {
        return wire;
    }

    /** For people: what has happened when the event is written, in Markdown. */
    public String when() {
        return when;
    }
}
