// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

/**
 * Why a resource is in the state it is in. Each reason is a condition's reason, and its outlook
 * says what the conditions Ready, Reconciling and Stalled are.
 */
public enum Reason {
    SPEC_INVALID(
            "SpecInvalid",
            Outlook.STALLED,
            "The spec can't be used; correct it and apply it again."),
    NOT_SUPPORTED("NotSupported", Outlook.STALLED, "This version of Sluice can't run that yet."),
    STATEFUL_UPGRADE_UNSUPPORTED(
            "StatefulUpgradeUnsupported",
            Outlook.STALLED,
            "The change needs a restart that keeps the job's state, which this version of Sluice can't do. The job runs on"
                    + " with its former spec. Revert the change, or set spec.job.upgradeMode to stateless to start empty."),
    SUSPENDED(
            "Suspended",
            Outlook.AT_REST,
            "The job is suspended. Set spec.job.state to running to start it."),
    SUSPENDING("Suspending", Outlook.PROGRESSING, "The job's cluster is being removed."),
    DEPLOYMENT_STARTED("DeploymentStarted", Outlook.PROGRESSING, "The cluster is being created."),
    UPGRADE_STARTED(
            "UpgradeStarted",
            Outlook.PROGRESSING,
            "The former cluster is being removed to make room for the new one."),
    WAITING_FOR_REMOVAL(
            "WaitingForRemoval", Outlook.PROGRESSING, "Waits until the former cluster is gone."),
    WAITING_FOR_JOB_MANAGER(
            "JobManagerIsDeploying", Outlook.PROGRESSING, "Waits for the JobManager's pod."),
    WAITING_FOR_REST(
            "DeployedNotReady",
            Outlook.PROGRESSING,
            "The JobManager's pod runs; waits for its REST API."),
    WAITING_FOR_SUBMISSION(
            "WaitingForSubmission",
            Outlook.PROGRESSING,
            "The JobManager answers; waits for main() to submit the job."),
    WAITING_FOR_TASKS(
            "WaitingForTasks",
            Outlook.PROGRESSING,
            "The job is accepted; waits until all its tasks run."),
    JOB_RESTARTING("JobRestarting", Outlook.PROGRESSING, "Flink restarts the job after a failure."),
    JOB_CANCELLING("JobCancelling", Outlook.PROGRESSING, "The job is being cancelled."),
    POD_PROBLEM("PodProblem", Outlook.STALLED, "A pod can't run."),
    JOB_UNREACHABLE(
            "JobUnreachable",
            Outlook.PROGRESSING,
            "The JobManager does not answer; the job is left as it is."),
    JOB_RUNNING("JobRunning", Outlook.READY, "The job runs with the current spec."),
    SCALING_IN_PLACE("ScalingInPlace", Outlook.READY, "The job is being scaled while it runs."),
    SCALING_UNAVAILABLE(
            "ScalingUnavailable",
            Outlook.READY,
            "The job runs, but can't be scaled in place: set jobmanager.scheduler to adaptive (Flink 1.18 or later)."),
    JOB_FINISHED(
            "JobFinished",
            Outlook.AT_REST,
            "The job is done. Change the spec (for example restartNonce) to run it again."),
    JOB_FAILED(
            "JobFailed",
            Outlook.STALLED,
            "The job failed for good. See the events; change the spec to start it again."),
    JOB_CANCELED(
            "JobCanceled",
            Outlook.STALLED,
            "The job was cancelled in Flink. Change the spec to start it again."),
    JOB_MANAGER_RECOVERED(
            "JobManagerRecovered",
            Outlook.PROGRESSING,
            "The JobManager was missing; the cluster is created anew."),
    JOB_MANAGER_MISSING(
            "JobManagerMissing",
            Outlook.STALLED,
            "The JobManager's Deployment is gone and starting again would lose the job's state. To start from a savepoint,"
                    + " create the resource anew with spec.job.initialSavepointPath; to start empty, set"
                    + " spec.job.upgradeMode to stateless and change restartNonce."),
    MANIFESTS_REFUSED(
            "ManifestsRefused", Outlook.STALLED, "The cluster can't be created from this spec."),
    DELETING("Deleting", Outlook.PROGRESSING, "The cluster is being removed."),
    DELETED("Deleted", Outlook.AT_REST, "Nothing is left of it.");

    /** What a reason means for somebody who waits. */
    public enum Outlook {
        READY,
        PROGRESSING,
        STALLED,
        AT_REST
    }

    private final String wire;
    private final Outlook outlook;
    private final String text;

    Reason(String wire, Outlook outlook, String text) {
        this.wire = wire;
        this.outlook = outlook;
        this.text = text;
    }

    /** The word in conditions, events and metrics. */
    public String wire() {
        return wire;
    }

    public Outlook outlook() {
        return outlook;
    }

    /** One sentence for people: what is going on and, where they must act, what to do. */
    public String text() {
        return text;
    }
}
