// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.StopStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.step.CancelBeforeRemoval;
import io.sluice.operator.decide.step.ClusterActions;
import io.sluice.operator.decide.step.ClusterOwnership;
import io.sluice.operator.decide.step.ClusterRemoval;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.JobFacts;
import io.sluice.operator.decide.step.PodTrouble;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.RestorableStateText;
import io.sluice.operator.decide.step.StatusDraft;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepResult;
import io.sluice.operator.decide.upgrade.NewAttempt;
import io.sluice.operator.decide.upgrade.SessionClusterGuard;
import io.sluice.operator.decide.upgrade.StateAfterStop;
import io.sluice.operator.decide.upgrade.StopInProgress;
import io.sluice.operator.decide.upgrade.StopRequests;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.AttemptHistory;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Refusal;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.ScalingView;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.LifecycleOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Carries out a recorded spec: brings its attempt about, keeps a rest at rest, replaces what is
 * missing, observes.
 */
public final class ClusterLifecycle {
    /** A JobManager that takes longer is told of as one that is waited for. */
    private static final Duration USUAL_START = Duration.ofMinutes(1);

    private ClusterLifecycle() {}

    public static StepResult decide(StepContext context) {
        if (context.sessionJob().isPresent()) {
            return SessionJobLifecycle.decide(context, context.sessionJob().get());
        }
        if (context.stopUnderWay().isPresent()) {
            return StopInProgress.decide(context);
        }
        if (context.isDesiredRunning()) {
            return context.isUpgrading() ? bringAbout(context) : observeDeployed(context);
        }
        return keepAtRest(context);
    }

    /** The attempt is recorded; make room for it, then make it real. */
    private static Decision bringAbout(StepContext context) {
        return switch (context.cluster().jobManager()) {
            case JobManagerView.Present(_, var attempt, var available, _)
                    when attempt.equals(context.attempt())
                            && !available
                            && startsAsRecorded(context) ->
                    withTaskManagers(
                            context, context.decide(Reason.DEPLOYMENT_STARTED, context.soon()));
            case JobManagerView.Present(_, var attempt, _, _)
                    when attempt.equals(context.attempt()) ->
                    observeDeployed(
                            context.withDraft(
                                    draft ->
                                            draft.deployed()
                                                    .withJobManager(
                                                            JobManagerDeploymentState.DEPLOYING)));
            case JobManagerView.Present(_, var attempt, _, _)
                    when attempt.isEmpty()
                            && RestorableState.ofAttempt(context) instanceof RestorableState.Lost ->
                    cancelToLearnState(context);
            case JobManagerView.Present _ when ClusterOwnership.isForeign(context) ->
                    ClusterRemoval.awaitRemoval(
                            context,
                            Reason.WAITING_FOR_REMOVAL,
                            ClusterOwnership.foreignInTheWay(context.observed()));
            case JobManagerView.Present _ ->
                    SessionClusterGuard.waitForEndingSessionJobs(context)
                            .orElseGet(
                                    () ->
                                            CancelBeforeRemoval.beforeFreshStart(
                                                    context,
                                                    context.isStateless()
                                                            ? Reason.UPGRADE_STARTED
                                                            : Reason.WAITING_FOR_REMOVAL));
            case JobManagerView.Terminating _ ->
                    ClusterRemoval.awaitRemoval(context, Reason.WAITING_FOR_REMOVAL);
            case JobManagerView.Absent _ when !context.cluster().isGone() ->
                    ClusterRemoval.awaitRemoval(context, Reason.WAITING_FOR_REMOVAL);
            case JobManagerView.Absent _ -> createCluster(context);
        };
    }

    /**
     * Whether a session cluster is started for the first time, and there is nothing to say of it
     * but what the status says already: it costs no write that its Deployment is there. Of a job
     * that would have to be known, as it may have made state since; a session cluster has none of
     * its own.
     */
    private static boolean startsAsRecorded(StepContext context) {
        ObservedState observed = context.observed();
        return context.isSessionCluster()
                && AttemptHistory.neverBegan(observed.status())
                && observed.status()
                        .condition("Ready")
                        .filter(ready -> ready.reason().equals(Reason.DEPLOYMENT_STARTED.wire()))
                        .isPresent()
                && context.draft()
                        .reconciliation()
                        .reconciliationTimestamp()
                        .filter(since -> observed.now().isBefore(since.plus(USUAL_START)))
                        .isPresent()
                && context.cluster().problem().isEmpty()
                && PodTrouble.delay(context).isEmpty()
                && observed.refusal().isEmpty()
                && context.notes().isEmpty();
    }

    /**
     * Another operator began to replace this cluster and its state is not on record: the job is
     * brought to an end that tells it, and leaves it. One that is not seen now is looked at before
     * it is cancelled.
     */
    private static Decision cancelToLearnState(StepContext context) {
        if (!(context.observed().job() instanceof JobView.Seen seen) || !seen.isUncancelled()) {
            return cancel(context);
        }
        return StopInProgress.cancelRetainingState(context, seen, () -> cancel(context));
    }

    private static Decision cancel(StepContext context) {
        return StopRequests.nextRequest(context, StopStatus.How.CANCEL)
                .map(stop -> StopInProgress.beginStop(context, stop))
                .orElseGet(
                        () ->
                                HeldChange.askHuman(
                                        context,
                                        Reason.RESTORE_FAILED,
                                        RestorableState.whereStateMayBe(context)));
    }

    private static Decision createCluster(StepContext context) {
        return switch (RestorableState.ofAttempt(context)) {
            case RestorableState.Found(var from) -> createCluster(context, from);
            case RestorableState.Unread(var why) ->
                    context.decide(Reason.STATE_UNREAD, why, Optional.of(context.soon()));
            case RestorableState.Lost _ ->
                    HeldChange.askHuman(
                            context,
                            Reason.RESTORE_FAILED,
                            (StateAfterStop.savepointHint(context)
                                            + " "
                                            + RestorableState.whereStateMayBe(context))
                                    .strip());
            case RestorableState.Gone(var path) ->
                    HeldChange.askHuman(context, Reason.CHECKPOINT_NOT_FOUND, path);
        };
    }

    /** A start that is on record is that of the job before: another operator keeps it there. */
    private static Decision createCluster(StepContext recorded, StartFrom from) {
        StepContext context = recorded.withDraft(StatusDraft::unstarted).withStartOptions();
        return context.observed()
                .refusal()
                .map(refusal -> createAgain(context, from, refusal))
                .orElseGet(
                        () ->
                                context.decide(
                                        Reason.DEPLOYMENT_STARTED,
                                        context.soon(),
                                        ClusterActions.create(context, from)));
    }

    private static Decision createAgain(StepContext context, StartFrom from, Refusal refusal) {
        Decision waits =
                context.withEvent(refusal(context, refusal))
                        .decide(
                                Reason.MANIFESTS_REFUSED,
                                refusal.message(),
                                Optional.of(context.observed().polls().steady()));
        return isDue(context, refusal)
                ? waits.withActions(List.of(ClusterActions.create(context, from)))
                : waits;
    }

    private static Decision keepAtRest(StepContext context) {
        return switch (context.cluster().jobManager()) {
            case JobManagerView.Present(_, var attempt, _, _)
                    when attempt.isEmpty()
                            && RestorableState.ofAttempt(context) instanceof RestorableState.Lost ->
                    cancelToLearnState(context);
            case JobManagerView.Present _ when ClusterOwnership.isForeign(context) ->
                    reportSuspended(context);
            case JobManagerView.Present _ ->
                    CancelBeforeRemoval.beforeFreshStart(context, Reason.SUSPENDING);
            case JobManagerView.Terminating _ ->
                    ClusterRemoval.awaitRemoval(context, Reason.SUSPENDING);
            case JobManagerView.Absent _ when !context.cluster().isGone() ->
                    ClusterRemoval.awaitRemoval(context, Reason.SUSPENDING);
            case JobManagerView.Absent _ -> reportSuspended(context);
        };
    }

    private static Decision reportSuspended(StepContext context) {
        return context.withDraft(
                        draft ->
                                draft.resting(context.observed().spec())
                                        .withJobManager(JobManagerDeploymentState.MISSING)
                                        .withJobState(JobState.SUSPENDED, context.observed().now()))
                .decide(
                        Reason.SUSPENDED,
                        RestorableState.describeAtRest(context),
                        Optional.empty());
    }

    private static Decision observeDeployed(StepContext context) {
        if (EndedJob.isSettled(context)) {
            return EndedJob.afterRecordedEnd(context, JobFacts.recordedEnd(context).orElseThrow());
        }
        return switch (context.cluster().jobManager()) {
            case JobManagerView.Absent _ -> recoverMissingJobManager(context);
            case JobManagerView.Terminating _ ->
                    ClusterRemoval.awaitRemoval(
                            PodTrouble.withoutAnswer(context, JobManagerDeploymentState.MISSING),
                            Reason.WAITING_FOR_REMOVAL);
            case JobManagerView.Present(_, _, var available, _) ->
                    withTaskManagers(
                            context,
                            available
                                    ? UnhealthyJobRestart.decide(context)
                                    : PodTrouble.waitForJobManager(context));
        };
    }

    /** A crash, or somebody, may have left a standalone JobManager alone. */
    private static Decision withTaskManagers(StepContext context, Decision decision) {
        boolean alone =
                context.observed().scaling() instanceof ScalingView.TaskManagers(var standing)
                        && standing.isEmpty()
                        && decision.actions().isEmpty()
                        && !decision.status()
                                .jobStatus()
                                .state()
                                .map(JobState::isTerminal)
                                .orElse(false);
        return reportRefusedTaskManagers(
                context,
                alone
                        ? decision.with()
                                .actions(List.of(ClusterActions.taskManagers(context)))
                                .checkAgain(Optional.of(context.soon()))
                                .build()
                        : decision);
    }

    /** TaskManagers that were refused are told of, and tried again. */
    private static Decision reportRefusedTaskManagers(StepContext context, Decision decision) {
        boolean provides =
                decision.actions().stream().anyMatch(Action.ProvideTaskManagers.class::isInstance);
        return context.observed()
                .refusal()
                .filter(_ -> provides)
                .map(refusal -> withRefusal(context, decision, refusal))
                .orElse(decision);
    }

    private static boolean isDue(StepContext context, Refusal refusal) {
        ObservedState observed = context.observed();
        return refusal.isDue(observed.now(), observed.polls().steady());
    }

    private static Decision withRefusal(StepContext context, Decision decision, Refusal refusal) {
        Decision told =
                HeldChange.withReason(
                        decision, Reason.MANIFESTS_REFUSED, refusal.message(), context.observed());
        return told.with()
                .notes(
                        Stream.concat(told.notes().stream(), Stream.of(refusal(context, refusal)))
                                .toList())
                .actions(
                        told.actions().stream()
                                .filter(
                                        action ->
                                                !(action instanceof Action.ProvideTaskManagers)
                                                        || isDue(context, refusal))
                                .toList())
                .checkAgain(Optional.of(context.observed().polls().steady()))
                .build();
    }

    private static ResourceEvent refusal(StepContext context, Refusal refusal) {
        return ResourceEvent.of(
                "JobManagerDeployment",
                OperatorEvent.ERROR,
                context.attempt().orElse("") + "/refused",
                Reason.MANIFESTS_REFUSED.text() + " " + refusal.message());
    }

    /** The JobManager's Deployment is not there although nobody asked for that. */
    private static Decision recoverMissingJobManager(StepContext context) {
        Optional<JobState> last = JobFacts.recordedEnd(context);
        if (last.isPresent()) {
            return EndedJob.afterRecordedEnd(context, last.get());
        }
        StepContext noticed =
                context.withEvent(
                        ResourceEvent.of(
                                "JobManagerDeployment",
                                OperatorEvent.MISSING,
                                context.attempt().orElse(""),
                                "The JobManager Deployment is missing"));
        return recovery(noticed)
                .map(from -> restartLostJob(noticed, from))
                .orElseGet(
                        () ->
                                PodTrouble.withoutAnswer(noticed, JobManagerDeploymentState.MISSING)
                                        .decide(
                                                Reason.JOB_MANAGER_MISSING,
                                                RestorableState.whereStateMayBe(context),
                                                Optional.of(context.observed().polls().steady())));
    }

    /** The state from which a lost job can be started again without losing what it is to keep. */
    private static Optional<StartFrom> recovery(StepContext context) {
        Options options = new Options(context.effective());
        boolean mayBringBackAnother = options.unknownHighAvailability().isPresent();
        if (mayBringBackAnother || !options.get(LifecycleOptions.JOB_MANAGER_RECOVERY)) {
            return Optional.empty();
        }
        if (context.discardsState()) {
            return Optional.of(new StartFrom.Nothing());
        }
        return context.observed().state().recoverable().contains(context.jobId())
                        && options.keepsMetadataInKubernetes()
                ? Optional.of(new StartFrom.LastState())
                : Optional.empty();
    }

    private static Decision restartLostJob(StepContext context, StartFrom from) {
        if (!context.cluster().isGone()) {
            return ClusterRemoval.awaitRemoval(
                    PodTrouble.withoutAnswer(context, JobManagerDeploymentState.MISSING),
                    Reason.WAITING_FOR_REMOVAL);
        }
        return NewAttempt.record(
                context,
                from,
                Reason.JOB_MANAGER_RECOVERED,
                attempt ->
                        ResourceEvent.of(
                                "Job",
                                OperatorEvent.RECOVER_DEPLOYMENT,
                                attempt,
                                "Recovering the lost deployment "
                                        + RestorableStateText.describe(context, from)));
    }
}
