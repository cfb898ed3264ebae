// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

/**
 * Why a resource is in the state it is in. Each reason is a condition's reason, and its outlook
 * says what the conditions Ready, Reconciling and Stalled are.
 */
public enum Reason {
    SPEC_INVALID(
            "SpecInvalid",
            Outlook.STALLED,
            "The spec can't be used; correct it and apply it again."),
    SPEC_REFUSED(
            "SpecRefused",
            Outlook.STALLED,
            "The platform refuses the spec: it is not carried out, and what runs goes on with the"
                    + " former one. Correct it and apply it again. It is also checked again by"
                    + " itself, after a pause that grows to ten minutes."),
    VALIDATION_FAILED(
            "ValidationFailed",
            Outlook.STALLED,
            "The platform's validators can't tell whether the spec is allowed: it is not carried"
                    + " out, and what runs goes on with the former one. It is checked again by"
                    + " itself, after a pause that grows to ten minutes."),
    VALIDATING(
            "Validating",
            Outlook.PROGRESSING,
            "The platform's validators check the spec; it is carried out once they accept it."),
    SAVEPOINT_IN_PROGRESS(
            "SavepointInProgress",
            Outlook.PROGRESSING,
            "The job is being stopped with a savepoint, from which it will go on."),
    UPGRADE_SAVEPOINT_FAILED(
            "UpgradeSavepointFailed",
            Outlook.STALLED,
            "The job could not be stopped with a savepoint and runs on with its former spec. It is"
                    + " tried again after a growing pause, five times for a spec; see to what the"
                    + " message names, or change the spec."),
    WAITING_FOR_RUNNING_JOB(
            "WaitingForRunningJob",
            Outlook.PROGRESSING,
            "The change waits until the job runs: its state can't be taken along before."),
    CHECKPOINT_PENDING(
            "CheckpointPending",
            Outlook.PROGRESSING,
            "The last checkpoint is older than allowed; the change waits for the one under way."),
    STATE_UNREAD(
            "StateUnread",
            Outlook.PROGRESSING,
            "Waits until the JobManager tells of the job's checkpoints: where the last one is of a"
                    + " job that has ended, or whether a cancellation leaves those of one that"
                    + " runs."),
    CHECKPOINTS_NOT_RETAINED(
            "CheckpointsNotRetained",
            Outlook.STALLED,
            "The job would have to be cancelled, and Flink would delete its checkpoints with that:"
                    + " it is left as it is. Name execution.checkpointing.savepoint-dir in"
                    + " spec.flinkConfiguration, and the job is stopped with a savepoint once all"
                    + " its tasks run. For later changes set"
                    + " execution.checkpointing.externalized-checkpoint-retention to"
                    + " RETAIN_ON_CANCELLATION, and see that the job's own code says nothing else. "
                    + Remedy.TEXT),
    NO_CHECKPOINT(
            "NoCheckpoint",
            Outlook.STALLED,
            "The job runs and has made no checkpoint: cancelled, it would begin from nothing, so it"
                    + " is left as it is until its first one is complete. Name"
                    + " execution.checkpointing.savepoint-dir in spec.flinkConfiguration, and the"
                    + " job is stopped with a savepoint. "
                    + Remedy.TEXT),
    NO_SAVEPOINT_FOLDER(
            "NoSavepointFolder",
            Outlook.STALLED,
            "The job runs, and another Flink version can take its state along from a savepoint"
                    + " only, for which there is no folder. It is left as it is: name"
                    + " execution.checkpointing.savepoint-dir in spec.flinkConfiguration."),
    STATE_LOST(
            "StateLost",
            Outlook.STALLED,
            "The JobManager restarted and, without high availability, began the job anew: what runs"
                    + " has lost the state of the job before. It is left as it is, and nothing that"
                    + " it makes is taken for the job's state. "
                    + Remedy.TEXT
                    + " To keep what runs, set spec.job.upgradeMode to stateless once."),
    STATUS_LOST(
            "StatusLost",
            Outlook.STALLED,
            "The status does not say any more what runs of this resource, so that nothing is done"
                    + " to it. Restore status.reconciliationStatus from a backup. Or begin as a new"
                    + " resource: take a savepoint, delete the Deployment of the cluster, name the"
                    + " savepoint in spec.job.initialSavepointPath, or set spec.job.upgradeMode to"
                    + " stateless to start empty, and remove status.reconciliationStatus."),
    REDEPLOYMENT_REVERTED(
            "RedeploymentReverted",
            Outlook.STALLED,
            "The spec is again the one from before a redeployment that has not run. The job went on"
                    + " from its spec.job.initialSavepointPath long since, so that it is not started"
                    + " from there again. "
                    + Remedy.TEXT),
    JOB_NOT_FOUND(
            "JobNotFound",
            Outlook.STALLED,
            "The JobManager runs and has listed no job for five minutes: main() submits none, or the"
                    + " job ended, or went with a process of the JobManager, while nobody watched. "
                    + Remedy.TEXT),
    UPGRADE_FAILED(
            "UpgradeFailed",
            Outlook.STALLED,
            "Where the job's last state is, is not known. " + Remedy.TEXT),
    STATE_IN_DOUBT(
            "StateInDoubt",
            Outlook.STALLED,
            "Which savepoint or checkpoint is the job's last is not known: while it was being"
                    + " stopped, its JobManager restarted and, without high availability, began the"
                    + " job anew, or it lost track of the savepoint. "
                    + Remedy.TEXT),
    RESTORE_FAILED(
            "RestoreFailed",
            Outlook.STALLED,
            "The high-availability metadata that the job was to be restored from is gone. "
                    + Remedy.TEXT),
    CHECKPOINT_NOT_FOUND(
            "CheckpointNotFound",
            Outlook.STALLED,
            "The job's last checkpoint was discarded, or has no address to start from. "
                    + Remedy.TEXT),
    LAST_STATE_UNUSABLE(
            "LastStateUnusable",
            Outlook.STALLED,
            "The job's last state is in its high-availability metadata, which the changed spec"
                    + " can't use: leave spec.flinkVersion and high-availability.type as they were"
                    + " until the job runs again."),
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
    WAITING_FOR_LOST_POD(
            "WaitingForLostPod",
            Outlook.PROGRESSING,
            "The change would remove the cluster, and nobody could confirm that all of it is gone,"
                    + " so that nothing could be started in its place: what runs is left running"
                    + " until the pod is gone. To stop it all the same, suspend it."),
    REMOVAL_OVERDUE(
            "RemovalOverdue",
            Outlook.STALLED,
            "The cluster was to be gone by now and something of it still stands; nothing else is"
                    + " done until it is."),
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
    ANSWER_TOO_LARGE(
            "JobManagerAnswerTooLarge",
            Outlook.STALLED,
            "The JobManager answers with more than is read, and the resource is left as it is. It is"
                    + " asked again, after a pause of at most half a minute. Remove what makes the"
                    + " answer so large, or have the bound raised that the message names."),
    JOB_MANAGER_SILENT(
            "JobManagerSilent",
            Outlook.STALLED,
            "The JobManager has not answered for long while the job was being stopped. Whether the"
                    + " job has ended, and its savepoint is complete, only it can tell: nothing is"
                    + " removed, and the change goes on by itself once it answers. See its pod's"
                    + " log and node, and NetworkPolicies. Should it never answer again: "
                    + Remedy.TEXT),
    JOB_RUNNING("JobRunning", Outlook.READY, "The job runs with the current spec."),
    SAVING_STATE(
            "SavingState",
            Outlook.READY,
            "The job runs; a savepoint or checkpoint that was asked for is being made."),
    SAVING_FAILED(
            "SavingFailed",
            Outlook.READY,
            "The job runs, but a savepoint or checkpoint that was asked for could not be made."),
    WAITING_FOR_SAVEPOINT(
            "WaitingForSavepoint",
            Outlook.PROGRESSING,
            "The change waits until the savepoint that is being made is complete; to not wait set"
                    + " kubernetes.operator.job.upgrade.ignore-pending-savepoint."),
    SCALING_IN_PLACE("ScalingInPlace", Outlook.READY, "It is being scaled while it runs."),
    SCALING_UNAVAILABLE(
            "ScalingUnavailable",
            Outlook.READY,
            "The job runs, but Flink does not let it be scaled in place, although the adaptive"
                    + " scheduler is set: a batch job uses another one."),
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
            "The JobManager's Deployment is gone and starting again would lose the job's state. "
                    + Remedy.TEXT),
    ROLLING_BACK(
            "RollingBack",
            Outlook.PROGRESSING,
            "The spec did not become stable within"
                    + " kubernetes.operator.deployment.readiness.timeout; the last stable one is"
                    + " deployed in its place."),
    ROLLED_BACK(
            "RolledBack",
            Outlook.STALLED,
            "The last stable spec runs in place of the current one, which did not become stable in"
                    + " time. Correct the spec and apply it again; any change of it is tried."),
    ROLLBACK_UNAVAILABLE(
            "RollbackUnavailable",
            Outlook.STALLED,
            "The spec did not become stable within"
                    + " kubernetes.operator.deployment.readiness.timeout, and the last stable one can't"
                    + " take its place: where the job's last state is, is not known. "
                    + Remedy.TEXT),
    RESTARTING_FAILED_JOB(
            "RestartingFailedJob",
            Outlook.PROGRESSING,
            "The job failed for good and is started again, as"
                    + " kubernetes.operator.job.restart.failed asks."),
    RESTARTING_LOST_RUN(
            "RestartingLostRun",
            Outlook.PROGRESSING,
            "The JobManager restarted without the job's state; the job is started again from the"
                    + " last one that is known, as kubernetes.operator.job.restart.lost-state"
                    + " asks."),
    RESTARTING_UNHEALTHY_JOB(
            "RestartingUnhealthyJob",
            Outlook.PROGRESSING,
            "The job was found unhealthy and is started again from its last checkpoint."),
    JOB_UNHEALTHY(
            "JobUnhealthy",
            Outlook.STALLED,
            "The job is unhealthy and is not started again: without high-availability metadata its"
                    + " last checkpoint would not be known. Set high-availability.type, or change"
                    + " spec.restartNonce to upgrade the job."),
    SESSION_CLUSTER_READY(
            "SessionClusterReady", Outlook.READY, "The session cluster runs and takes jobs."),
    SESSION_CLUSTER_UNREACHABLE(
            "SessionClusterUnreachable",
            Outlook.PROGRESSING,
            "The session cluster's JobManager does not answer; the cluster and its jobs are left as"
                    + " they are."),
    WAITING_FOR_SESSION_JOBS(
            "WaitingForSessionJobs",
            Outlook.PROGRESSING,
            "The change replaces the cluster, and waits until its session jobs have taken their"
                    + " state along, and it is on record what became of those that end. Should one"
                    + " not get there, suspend or delete it."),
    SESSION_CLUSTER_SILENT(
            "SessionClusterSilent",
            Outlook.STALLED,
            "The change replaces the cluster, whose JobManager has not answered for five minutes;"
                    + " what becomes of jobs that it may run only it can say. The change is carried"
                    + " out once it answers."),
    SESSION_JOBS_LEFT(
            "SessionJobsLeft",
            Outlook.STALLED,
            "The cluster is to be deleted and still has jobs. Delete the session jobs and cancel"
                    + " the others, or set kubernetes.operator.session.deletion.block-on-session-jobs"
                    + " or kubernetes.operator.session.deletion.block-on-unmanaged-jobs to false in"
                    + " spec.flinkConfiguration."),
    WAITING_FOR_SESSION_CLUSTER(
            "WaitingForSessionCluster",
            Outlook.PROGRESSING,
            "Waits for the session cluster that spec.deploymentName names."),
    JOB_SUBMITTING(
            "JobSubmitting",
            Outlook.PROGRESSING,
            "The jar is being fetched and handed to the session cluster, which then starts the"
                    + " job."),
    SUBMISSION_REFUSED(
            "SubmissionRefused",
            Outlook.STALLED,
            "The job could not be submitted; it is tried again. See to what the message names, or"
                    + " change the spec."),
    SUBMISSION_QUEUED(
            "SubmissionQueued",
            Outlook.PROGRESSING,
            "The job is submitted once one of the places that submissions share is free."),
    JAR_TOO_LARGE(
            "JarTooLarge",
            Outlook.STALLED,
            "The jar is larger than a jar may be, and was not fetched." + Remedy.OF_JAR),
    JAR_TOO_SLOW(
            "JarTooSlow",
            Outlook.STALLED,
            "The jar did not come within the time of a download." + Remedy.OF_JAR),
    JAR_REDIRECTS(
            "JarRedirects",
            Outlook.STALLED,
            "The jar's host redirects more often than is followed." + Remedy.OF_JAR),
    JAR_HEADER_TOO_LARGE(
            "JarHeaderTooLarge",
            Outlook.STALLED,
            "The jar's host sends a longer head than is read." + Remedy.OF_JAR),
    JAR_CACHE_FULL(
            "JarCacheFull",
            Outlook.STALLED,
            "Other jars that are being fetched leave no room for the jar." + Remedy.OF_JAR),
    WAITING_FOR_FORMER_JOB(
            "WaitingForFormerJob",
            Outlook.PROGRESSING,
            "The next job starts once it is certain that the former one has ended."),
    CRON_SCHEDULED("CronScheduled", Outlook.READY, "The next run begins when its time has come."),
    CRON_STARTING("CronStarting", Outlook.PROGRESSING, "A run is due and is being started."),
    CRON_RUNNING("CronRunning", Outlook.READY, "A run is under way."),
    CRON_OVER(
            "CronOver",
            Outlook.AT_REST,
            "No further run is due; change the annotation job.execute.cron, or delete the"
                    + " resource."),
    CRON_REFUSED(
            "CronRefused",
            Outlook.STALLED,
            "A run is due and can't be created; it is tried again. See to what the message"
                    + " names."),
    CANARY("Canary", Outlook.READY, "The operator changes it now and then to see that it sees it."),
    MANIFESTS_REFUSED(
            "ManifestsRefused", Outlook.STALLED, "The cluster can't be created from this spec."),
    DELETING("Deleting", Outlook.PROGRESSING, "What runs of it is being removed."),
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

    /** Whether the resource has failed: nothing runs any more, and nothing will by itself. */
    public boolean failsTheResource() {
        return this == JOB_MANAGER_MISSING
                || this == JOB_NOT_FOUND
                || this == UPGRADE_FAILED
                || this == RESTORE_FAILED
                || this == CHECKPOINT_NOT_FOUND
                || this == ROLLBACK_UNAVAILABLE;
    }

    /** One sentence for people: what is going on and, where they must act, what to do. */
    public String text() {
        return text;
    }

    /** What a human can do where the operator must not guess. */
    private static final class Remedy {
        static final String OF_JAR =
                " It is tried again after a pause that grows to ten minutes, and holds up no other"
                        + " resource. See to what the message names, change the spec, or have the"
                        + " option raised that the message names.";

        static final String TEXT =
                "To start from a savepoint or checkpoint, name it in spec.job.initialSavepointPath"
                        + " and change spec.job.savepointRedeployNonce; to start empty, set"
                        + " spec.job.upgradeMode to stateless and change spec.restartNonce.";
    }
}
