// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

/**
 * Why a resource is in the state it is in. Each reason is a condition's reason, and its outlook
 * says what the conditions Ready, Reconciling and Stalled are.
 */
public enum Reason implements ResourceEvent.Word {
    SPEC_INVALID(
            "SpecInvalid",
            Outlook.STALLED,
            "The spec can't be used; correct it and apply it again."),
    SPEC_REFUSED(
            "SpecRefused",
            Outlook.STALLED,
            "A validator of the platform refuses the spec, so it is not carried out, and the former"
                    + " spec stays in force. Correct the spec and apply it again. The operator"
                    + " also checks it again, after a pause that grows to ten minutes."),
    VALIDATION_FAILED(
            "ValidationFailed",
            Outlook.STALLED,
            "The platform's validators can't tell whether the spec is allowed, so it is not carried"
                    + " out, and the former spec stays in force. The operator checks it again,"
                    + " after a pause that grows to ten minutes."),
    VALIDATING(
            "Validating",
            Outlook.PROGRESSING,
            "The platform's validators check the spec. It is carried out once they accept it."),
    SAVEPOINT_IN_PROGRESS(
            "SavepointInProgress",
            Outlook.PROGRESSING,
            "The job is being stopped with a savepoint, from which it will be restored."),
    UPGRADE_SAVEPOINT_FAILED(
            "UpgradeSavepointFailed",
            Outlook.STALLED,
            "The job could not be stopped with a savepoint and continues to run with its former"
                    + " spec. The operator tries again after a growing pause, five times for a"
                    + " spec. Fix the problem that the message names, or change the spec."),
    WAITING_FOR_RUNNING_JOB(
            "WaitingForRunningJob",
            Outlook.PROGRESSING,
            "The change waits until the job runs, because the job's state can't be kept before."),
    CHECKPOINT_PENDING(
            "CheckpointPending",
            Outlook.PROGRESSING,
            "The last checkpoint is older than allowed. The change waits for the checkpoint in"
                    + " progress."),
    STATE_UNREAD(
            "StateUnread",
            Outlook.PROGRESSING,
            "The operator waits until the JobManager reports the job's checkpoints: where the last"
                    + " one is if the job has ended, or whether a cancellation keeps them if it"
                    + " runs."),
    CHECKPOINTS_NOT_RETAINED(
            "CheckpointsNotRetained",
            Outlook.STALLED,
            "The job would have to be cancelled, and Flink would then delete its checkpoints, so"
                    + " the job is left as it is. Set execution.checkpointing.savepoint-dir in"
                    + " spec.flinkConfiguration, and the job is stopped with a savepoint once all"
                    + " its tasks run. For later changes set"
                    + " execution.checkpointing.externalized-checkpoint-retention to"
                    + " RETAIN_ON_CANCELLATION, and make sure that the job's own code does not set"
                    + " another value. "
                    + Remedy.TEXT),
    NO_CHECKPOINT(
            "NoCheckpoint",
            Outlook.STALLED,
            "The job runs and has completed no checkpoint. If it were cancelled, it would start"
                    + " without state, so it is left as it is until its first checkpoint is"
                    + " complete. Set execution.checkpointing.savepoint-dir in"
                    + " spec.flinkConfiguration, and the job is stopped with a savepoint. "
                    + Remedy.TEXT),
    NO_SAVEPOINT_FOLDER(
            "NoSavepointFolder",
            Outlook.STALLED,
            "The job runs, and another version of Flink can restore its state only from a"
                    + " savepoint, for which there is no folder. The job is left as it is. Set"
                    + " execution.checkpointing.savepoint-dir in spec.flinkConfiguration."),
    STATE_LOST(
            "StateLost",
            Outlook.STALLED,
            "The JobManager restarted and, without high availability, started the job again without"
                    + " its state. The new run is left as it is, and no savepoint or checkpoint of"
                    + " it counts as the job's state. "
                    + Remedy.TEXT
                    + " To keep the new run, set spec.job.upgradeMode to stateless once."),
    STATUS_LOST(
            "StatusLost",
            Outlook.STALLED,
            "The status no longer says what runs for this resource, so the operator changes"
                    + " nothing. Restore status.reconciliationStatus from a backup. Or start as a"
                    + " new resource: take a savepoint, delete the Deployment of the cluster,"
                    + " name the savepoint in spec.job.initialSavepointPath, or set"
                    + " spec.job.upgradeMode to stateless to start empty, and remove the whole"
                    + " status."),
    REDEPLOYMENT_REVERTED(
            "RedeploymentReverted",
            Outlook.STALLED,
            "spec.job.savepointRedeployNonce is again the one from before a redeployment that has"
                    + " not run. The job has progressed since it was started from its"
                    + " spec.job.initialSavepointPath, so it is not started from there again. "
                    + Remedy.TEXT),
    JOB_NOT_FOUND(
            "JobNotFound",
            Outlook.STALLED,
            "The JobManager runs and has listed no job for five minutes. Either main() submits"
                    + " none, or the job ended, or was lost with a process of the JobManager, while"
                    + " the operator did not observe it. "
                    + Remedy.TEXT),
    UPGRADE_FAILED(
            "UpgradeFailed",
            Outlook.STALLED,
            "It is not known where the job's last state is. " + Remedy.TEXT),
    STATE_IN_DOUBT(
            "StateInDoubt",
            Outlook.STALLED,
            "It is not known which savepoint or checkpoint is the job's last one. While the job was"
                    + " being stopped, its JobManager restarted and, without high availability,"
                    + " started the job again, or it lost track of the savepoint. "
                    + Remedy.TEXT),
    RESTORE_FAILED(
            "RestoreFailed",
            Outlook.STALLED,
            "The high-availability metadata from which the job was to be restored is gone. "
                    + Remedy.TEXT),
    CHECKPOINT_NOT_FOUND(
            "CheckpointNotFound",
            Outlook.STALLED,
            "The job's last checkpoint was discarded, or has no path from which it can be restored."
                    + " "
                    + Remedy.TEXT),
    LAST_STATE_UNUSABLE(
            "LastStateUnusable",
            Outlook.STALLED,
            "The job's last state is in its high-availability metadata, which the changed spec"
                    + " can't use. Leave spec.flinkVersion and high-availability.type as they"
                    + " were until the job runs again."),
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
            "WaitingForRemoval",
            Outlook.PROGRESSING,
            "The operator waits until the former cluster" + " is gone."),
    WAITING_FOR_LOST_POD(
            "WaitingForLostPod",
            Outlook.PROGRESSING,
            "The change would remove the cluster, but Kubernetes could not confirm that all of it"
                    + " is gone, so nothing could be started in its place. What runs is left"
                    + " running until the pod is gone. To stop it anyway, suspend it."),
    REMOVAL_OVERDUE(
            "RemovalOverdue",
            Outlook.STALLED,
            "The cluster should be gone by now, but a part of it still exists. Nothing else is done"
                    + " until it is gone."),
    WAITING_FOR_JOB_MANAGER(
            "JobManagerIsDeploying",
            Outlook.PROGRESSING,
            "The operator waits for the JobManager's" + " pod."),
    WAITING_FOR_REST(
            "DeployedNotReady",
            Outlook.PROGRESSING,
            "The JobManager's pod runs, and the operator waits for its REST API."),
    WAITING_FOR_SUBMISSION(
            "WaitingForSubmission",
            Outlook.PROGRESSING,
            "The JobManager answers, and the operator waits for main() to submit the job."),
    WAITING_FOR_TASKS(
            "WaitingForTasks",
            Outlook.PROGRESSING,
            "The job is accepted, and the operator waits until all its tasks run."),
    NO_TASK_MANAGERS(
            "NoTaskManagers",
            Outlook.STALLED,
            "The job has waited for two minutes, and there is no pod of a TaskManager. The"
                    + " JobManager creates these pods, and its log says what refuses them, such as"
                    + " a ResourceQuota or missing rights of its service account. If the log names"
                    + " nothing, restart the cluster: set spec.job.upgradeMode to last-state, and"
                    + " change spec.restartNonce."),
    JOB_RESTARTING("JobRestarting", Outlook.PROGRESSING, "Flink restarts the job after a failure."),
    JOB_CANCELLING("JobCancelling", Outlook.PROGRESSING, "The job is being cancelled."),
    POD_PROBLEM("PodProblem", Outlook.STALLED, "A pod can't run."),
    JOB_UNREACHABLE(
            "JobUnreachable",
            Outlook.PROGRESSING,
            "The JobManager does not answer, and the job is left as it is."),
    ANSWER_TOO_LARGE(
            "JobManagerAnswerTooLarge",
            Outlook.STALLED,
            "The JobManager's answer is larger than the operator reads, and the resource is left as"
                    + " it is. The operator asks again, after a pause of at most half a minute."
                    + " Remove what makes the answer so large, or have the limit raised that the"
                    + " message names."),
    JOB_MANAGER_SILENT(
            "JobManagerSilent",
            Outlook.STALLED,
            "The JobManager has not answered for a long time while the job was being stopped. Only"
                    + " the JobManager can tell whether the job has ended and its savepoint is"
                    + " complete, so nothing is removed. The change continues once the JobManager"
                    + " answers. Check the log and the node of its pod, and NetworkPolicies. If it"
                    + " never answers again: "
                    + Remedy.TEXT),
    JOB_RUNNING("JobRunning", Outlook.READY, "The job runs with the current spec."),
    SAVING_STATE(
            "SavingState",
            Outlook.READY,
            "The job runs, and a savepoint or checkpoint that was requested is in progress."),
    SAVING_FAILED(
            "SavingFailed",
            Outlook.READY,
            "The job runs, but a savepoint or checkpoint that was requested has failed."),
    WAITING_FOR_SAVEPOINT(
            "WaitingForSavepoint",
            Outlook.PROGRESSING,
            "The change waits until the savepoint in progress is complete. To not wait, set"
                    + " kubernetes.operator.job.upgrade.ignore-pending-savepoint."),
    PULLING_IMAGE(
            "PullingImage",
            Outlook.PROGRESSING,
            "The change waits until a kubelet has pulled the new image, so that the job is not"
                    + " stopped for an image that can't be pulled. To not wait, set"
                    + " kubernetes.operator.deployment.pull-image-first to false in"
                    + " spec.flinkConfiguration."),
    IMAGE_NOT_PULLED(
            "ImageNotPulled",
            Outlook.STALLED,
            "The new image can't be pulled, so the change is not carried out, and what runs goes on"
                    + " with the former spec. Correct spec.image, or the Secret in"
                    + " imagePullSecrets of the podTemplate or the service account. The kubelet"
                    + " tries again after a pause that grows to five minutes, and the change goes"
                    + " on once it has the image."),
    SCALING_IN_PLACE("ScalingInPlace", Outlook.READY, "The job is being scaled while it runs."),
    SCALING_UNAVAILABLE(
            "ScalingUnavailable",
            Outlook.READY,
            "The job runs, but Flink can't scale it in place, although the adaptive scheduler is"
                    + " set. A batch job uses another scheduler."),
    JOB_FINISHED(
            "JobFinished",
            Outlook.AT_REST,
            "The job is finished. Change the spec (for example restartNonce) to run it again."),
    JOB_FAILED(
            "JobFailed",
            Outlook.STALLED,
            "The job has failed and does not restart. See the events, and change the spec to start"
                    + " it again."),
    JOB_CANCELED(
            "JobCanceled",
            Outlook.STALLED,
            "The job was cancelled in Flink. Change the spec to start it again."),
    JOB_MANAGER_RECOVERED(
            "JobManagerRecovered",
            Outlook.PROGRESSING,
            "The JobManager was missing, and the cluster is created again."),
    JOB_MANAGER_MISSING(
            "JobManagerMissing",
            Outlook.STALLED,
            "The JobManager's Deployment is gone, and a new start would lose the job's state. "
                    + Remedy.TEXT),
    ROLLING_BACK(
            "RollingBack",
            Outlook.PROGRESSING,
            "The spec did not become stable within"
                    + " kubernetes.operator.deployment.readiness.timeout, so the last stable spec"
                    + " is deployed in its place."),
    ROLLED_BACK(
            "RolledBack",
            Outlook.STALLED,
            "The last stable spec runs in place of the current one, which did not become stable in"
                    + " time. Correct the spec and apply it again. To try it again as it is, change"
                    + " spec.restartNonce."),
    ROLLBACK_UNAVAILABLE(
            "RollbackUnavailable",
            Outlook.STALLED,
            "The spec did not become stable within"
                    + " kubernetes.operator.deployment.readiness.timeout, and the last stable spec"
                    + " can't take its place, because it is not known where the job's last state"
                    + " is. "
                    + Remedy.TEXT),
    RESTARTING_FAILED_JOB(
            "RestartingFailedJob",
            Outlook.PROGRESSING,
            "The job has failed and is started again, because"
                    + " kubernetes.operator.job.restart.failed is set."),
    RESTARTING_LOST_RUN(
            "RestartingLostRun",
            Outlook.PROGRESSING,
            "The JobManager restarted without the job's state. The job is started again from its"
                    + " last known state, because kubernetes.operator.job.restart.lost-state is"
                    + " set."),
    RESTARTING_UNHEALTHY_JOB(
            "RestartingUnhealthyJob",
            Outlook.PROGRESSING,
            "The job is unhealthy and is started again from its last checkpoint."),
    JOB_UNHEALTHY(
            "JobUnhealthy",
            Outlook.STALLED,
            "The job is unhealthy and is not started again, because without high-availability"
                    + " metadata its last checkpoint would not be known. Set"
                    + " high-availability.type, or change spec.restartNonce to upgrade the job."),
    SESSION_CLUSTER_READY(
            "SessionClusterReady", Outlook.READY, "The session cluster runs and accepts jobs."),
    SESSION_CLUSTER_UNREACHABLE(
            "SessionClusterUnreachable",
            Outlook.PROGRESSING,
            "The session cluster's JobManager does not answer. The cluster and its jobs are left as"
                    + " they are."),
    WAITING_FOR_SESSION_JOBS(
            "WaitingForSessionJobs",
            Outlook.PROGRESSING,
            "The change replaces the cluster. It waits until its session jobs are stopped with"
                    + " their state, and until the end of those that end is recorded. If a job"
                    + " does not get there, suspend or delete it."),
    SESSION_CLUSTER_SILENT(
            "SessionClusterSilent",
            Outlook.STALLED,
            "The change replaces the cluster, but its JobManager has not answered for five minutes,"
                    + " and only the JobManager can tell what happens to the jobs that it may"
                    + " run. The change is carried out once it answers."),
    SESSION_JOBS_LEFT(
            "SessionJobsLeft",
            Outlook.STALLED,
            "The cluster is to be deleted, but still has jobs. Delete the session jobs and cancel"
                    + " the others, or set"
                    + " kubernetes.operator.session.deletion.block-on-session-jobs or"
                    + " kubernetes.operator.session.deletion.block-on-unmanaged-jobs to false in"
                    + " spec.flinkConfiguration."),
    WAITING_FOR_SESSION_CLUSTER(
            "WaitingForSessionCluster",
            Outlook.PROGRESSING,
            "The operator waits for the session cluster that spec.deploymentName names."),
    JOB_SUBMITTING(
            "JobSubmitting",
            Outlook.PROGRESSING,
            "The operator downloads the jar and submits it to the session cluster, which then"
                    + " starts the job."),
    SUBMISSION_REFUSED(
            "SubmissionRefused",
            Outlook.STALLED,
            "The job could not be submitted, and the operator tries again. Fix the problem that the"
                    + " message names, or change the spec."),
    SUBMISSION_QUEUED(
            "SubmissionQueued",
            Outlook.PROGRESSING,
            "The job is submitted once fewer submissions are in progress."),
    JAR_TOO_LARGE(
            "JarTooLarge",
            Outlook.STALLED,
            "The jar is larger than allowed, and was not downloaded." + Remedy.OF_JAR),
    JAR_TOO_SLOW(
            "JarTooSlow",
            Outlook.STALLED,
            "The download of the jar took longer than allowed." + Remedy.OF_JAR),
    JAR_REDIRECTS(
            "JarRedirects",
            Outlook.STALLED,
            "The jar's host redirects more often than allowed." + Remedy.OF_JAR),
    JAR_HEADER_TOO_LARGE(
            "JarHeaderTooLarge",
            Outlook.STALLED,
            "The jar's host sends larger headers than allowed." + Remedy.OF_JAR),
    JAR_CACHE_FULL(
            "JarCacheFull",
            Outlook.STALLED,
            "Other jars that are being downloaded leave no room for the jar." + Remedy.OF_JAR),
    WAITING_FOR_FORMER_JOB(
            "WaitingForFormerJob",
            Outlook.PROGRESSING,
            "The next job starts once it is certain that the former one has ended."),
    CRON_SCHEDULED("CronScheduled", Outlook.READY, "The next run starts at its scheduled time."),
    CRON_STARTING("CronStarting", Outlook.PROGRESSING, "A run is due and is being started."),
    CRON_RUNNING("CronRunning", Outlook.READY, "A run is in progress."),
    CRON_OVER(
            "CronOver",
            Outlook.AT_REST,
            "No further run is due. Change the annotation job.execute.cron, or delete the"
                    + " resource."),
    CRON_REFUSED(
            "CronRefused",
            Outlook.STALLED,
            "A run is due, but can't be created. The operator tries again. Fix the problem that the"
                    + " message names."),
    PAIR_FIRST(
            "StartingFirstHalf",
            Outlook.PROGRESSING,
            "The first FlinkDeployment of the pair is being started."),
    PAIR_FIRST_FAILED(
            "FirstHalfFailed",
            Outlook.STALLED,
            "The first FlinkDeployment of the pair does not run in time. Its own conditions say"
                    + " why. It is left to come up; correct spec.template if it can't."),
    PAIR_WAITING(
            "WaitingForActiveHalf",
            Outlook.PROGRESSING,
            "The operator waits until the active half runs. Its own conditions say what it does."),
    PAIR_ACTIVE_FAILED(
            "ActiveHalfFailed",
            Outlook.STALLED,
            "The active half does not run as spec.template asks. Its own conditions say why. Change"
                    + " spec.template: what can't be saved gets the new spec in place."),
    PAIR_ACTIVE_MISSING(
            "ActiveHalfMissing",
            Outlook.STALLED,
            "The active half was deleted, and the operator does not start it without its state. To"
                    + " start from a savepoint, name it in"
                    + " spec.template.spec.job.initialSavepointPath and change"
                    + " spec.template.spec.job.savepointRedeployNonce. To start empty, set"
                    + " spec.template.spec.job.upgradeMode to stateless."),
    PAIR_ACTIVE_UNKNOWN(
            "ActiveHalfUnknown",
            Outlook.STALLED,
            "Both halves have run, and the status does not say which one is active. Delete the"
                    + " FlinkDeployment that is not to go on."),
    PAIR_NAME_OCCUPIED(
            "NameOccupied",
            Outlook.STALLED,
            "A FlinkDeployment of the name that a half needs does not belong to this resource, and"
                    + " is left as it is. Delete or rename it."),
    PAIR_NO_ROOM(
            "NoRoomForBoth",
            Outlook.STALLED,
            "The ResourceQuotas of the namespace leave too little for a second half, so that the"
                    + " transition does not begin, and the active half goes on. Raise the hard"
                    + " limits that are too low, or set kubernetes.operator.bluegreen.handover in"
                    + " spec.configuration to stop-first, which takes one half at a time."),
    PAIR_SAVING(
            "SavingActiveHalf",
            Outlook.PROGRESSING,
            "The active half makes the savepoint that the other half starts from."),
    PAIR_STARTING(
            "StartingOtherHalf",
            Outlook.PROGRESSING,
            "The other half is being started with the new spec."),
    PAIR_PROVING(
            "ProvingOtherHalf",
            Outlook.PROGRESSING,
            "The other half runs, and is promoted once its analysis is over."),
    PAIR_APPROVAL(
            "WaitingForApproval",
            Outlook.PROGRESSING,
            "The other half runs, and waits for the annotation sluice.io/promote with the"
                    + " generation of the transition."),
    PAIR_PROMOTING(
            "Promoting", Outlook.PROGRESSING, "The Ingress is being led to the promoted half."),
    PAIR_RETIRING(
            "RetiringFormerHalf",
            Outlook.PROGRESSING,
            "The other half is promoted, and the former one is removed after its delay."),
    PAIR_ABORTING(
            "AbortingTransition",
            Outlook.PROGRESSING,
            "The other half is being stopped, and the active one goes on."),
    PAIR_FAILED(
            "TransitionFailed",
            Outlook.STALLED,
            "The new spec is not in force, and the active half goes on with the former one. Change"
                    + " the spec to try again."),
    PAIR_NEITHER(
            "NeitherHalfRuns",
            Outlook.STALLED,
            "The other half does not run, and there is no active half to go back to. The other half"
                    + " is left to come up. Change spec.template to begin again."),
    SNAPSHOT_WAITING(
            "WaitingForJob",
            Outlook.PROGRESSING,
            "The snapshot waits until its job runs. It is abandoned after"
                    + " kubernetes.operator.snapshot.job-wait."),
    SNAPSHOT_RETRYING(
            "Retrying",
            Outlook.PROGRESSING,
            "The last try has failed, and the next one comes after a growing pause."),
    SNAPSHOT_IN_PROGRESS(
            "SnapshotInProgress", Outlook.PROGRESSING, "Flink was asked for the snapshot."),
    SNAPSHOT_COMPLETED("SnapshotCompleted", Outlook.READY, "The snapshot is complete."),
    SNAPSHOT_UNSUPPORTED(
            "SnapshotUnsupported",
            Outlook.STALLED,
            "The job can't be asked for the snapshot as it is configured."),
    SNAPSHOT_FAILED(
            "SnapshotFailed",
            Outlook.STALLED,
            "The snapshot has failed as often as spec.backoffLimit allows. Raise it, or create"
                    + " another FlinkStateSnapshot."),
    SNAPSHOT_RESTARTS_JOB(
            "SnapshotRestartsJob",
            Outlook.STALLED,
            "Each of the last tries made the job restart, so no more are made. Find out why in the"
                    + " job's exceptions, and create another FlinkStateSnapshot."),
    SNAPSHOT_ABANDONED(
            "SnapshotAbandoned",
            Outlook.STALLED,
            "The job did not run, so the snapshot was abandoned. Create another FlinkStateSnapshot"
                    + " once it runs."),
    SNAPSHOT_DISPOSING(
            "Disposing",
            Outlook.PROGRESSING,
            "The resource is gone once its savepoint is deleted, and at the latest after"
                    + " kubernetes.operator.resource.cleanup.timeout."),
    SNAPSHOT_DISPOSAL_GIVEN_UP(
            "DisposalGivenUp",
            Outlook.AT_REST,
            "The savepoint could not be deleted in time, and its files are left behind."),
    CANARY(
            "Canary",
            Outlook.READY,
            "The operator changes this resource from time to time, and"
                    + " checks that it sees the change."),
    MANIFESTS_REFUSED(
            "ManifestsRefused", Outlook.STALLED, "The cluster can't be created from this spec."),
    DELETING("Deleting", Outlook.PROGRESSING, "What runs for the resource is being removed."),
    DELETED("Deleted", Outlook.GONE, "Nothing is left of the resource.");

    /** What a reason means for somebody who waits. */
    public enum Outlook {
        /** What the spec asks for runs, or waits for its scheduled time. */
        READY,
        /** The operator, Flink or Kubernetes is at work. */
        PROGRESSING,
        /** Somebody has to act. */
        STALLED,
        /** Nothing runs, and nothing has to: that is what the spec asks for. */
        AT_REST,
        /** The resource is deleted. */
        GONE
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
    @Override
    public String wire() {
        return wire;
    }

    public Outlook outlook() {
        return outlook;
    }

    /**
     * Whether the condition Ready is true: the resource is as its spec asks, be it that something
     * runs or that nothing has to.
     */
    public boolean isAsAsked() {
        return switch (outlook) {
            case READY, AT_REST -> true;
            case PROGRESSING, STALLED, GONE -> false;
        };
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
                " The operator tries again after a pause that grows to ten minutes, and other"
                        + " resources do not wait for it. Fix the problem that the message names,"
                        + " change the spec, or have the option raised that the message names.";

        static final String TEXT =
                "To start from a savepoint or checkpoint, name it in spec.job.initialSavepointPath"
                        + " and change spec.job.savepointRedeployNonce. To start empty, set"
                        + " spec.job.upgradeMode to stateless and change spec.restartNonce.";
    }
}
