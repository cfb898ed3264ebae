// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.JobManagerDeploymentState;
import io.sluice.api.JobState;
import io.sluice.api.StopStatus;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.operator.manifest.StartFrom;
import io.sluice.rules.config.Options;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Carries out a spec that was taken up: brings its attempt about, keeps a rest at rest, replaces
 * what is missing, observes.
 */
final class Pipeline {
    private Pipeline() {}

    static StepResult decide(Pass pass) {
        if (pass.sessionJob().isPresent()) {
            return Hosted.decide(pass, pass.sessionJob().get());
        }
        if (pass.stopUnderWay().isPresent()) {
            return Stopping.decide(pass);
        }
        if (pass.isDesiredRunning()) {
            return pass.isUpgrading() ? underWay(pass) : deployed(pass);
        }
        return atRest(pass);
    }

    /** The attempt is recorded; make room for it, then make it real. */
    private static Decision underWay(Pass pass) {
        return switch (pass.cluster().jobManager()) {
            case JobManagerView.Present(_, var attempt, _, _) when attempt.equals(pass.attempt()) ->
                    deployed(
                            pass.with(
                                    pass.draft()
                                            .deployed()
                                            .with(JobManagerDeploymentState.DEPLOYING)));
            case JobManagerView.Present(_, var attempt, _, _)
                    when attempt.isEmpty() && KnownState.source(pass) instanceof KnownState.Lost ->
                    asked(pass);
            case JobManagerView.Present _ when Ownership.isForeign(pass) ->
                    Removal.awaited(
                            pass, Reason.WAITING_FOR_REMOVAL, Ownership.foreign(pass.snapshot()));
            case JobManagerView.Present _ ->
                    SessionCluster.heldStill(pass)
                            .orElseGet(
                                    () ->
                                            Dismissal.forFreshStart(
                                                    pass,
                                                    pass.isStateless()
                                                            ? Reason.UPGRADE_STARTED
                                                            : Reason.WAITING_FOR_REMOVAL));
            case JobManagerView.Terminating _ -> Removal.awaited(pass, Reason.WAITING_FOR_REMOVAL);
            case JobManagerView.Absent _ when !pass.cluster().isGone() ->
                    Removal.awaited(pass, Reason.WAITING_FOR_REMOVAL);
            case JobManagerView.Absent _ -> creating(pass);
        };
    }

    /**
     * Another operator began to replace this cluster and its state is not on record: the job is
     * brought to an end that tells it, and leaves it. One that is not seen now is looked at before
     * it is cancelled.
     */
    private static Decision asked(Pass pass) {
        if (!(pass.snapshot().job() instanceof JobView.Seen seen) || !seen.isUncancelled()) {
            return cancelling(pass);
        }
        return Stopping.cancelling(pass, seen, () -> cancelling(pass));
    }

    private static Decision cancelling(Pass pass) {
        return Stops.next(pass, StopStatus.How.CANCEL)
                .map(stop -> Stopping.begin(pass, stop))
                .orElseGet(
                        () -> Objection.stuck(pass, Reason.RESTORE_FAILED, KnownState.hint(pass)));
    }

    private static Decision creating(Pass pass) {
        return switch (KnownState.source(pass)) {
            case KnownState.Found(var from) -> creating(pass, from);
            case KnownState.Unread(var why) ->
                    pass.decided(Reason.STATE_UNREAD, why, Optional.of(pass.soon()));
            case KnownState.Lost _ ->
                    Objection.stuck(
                            pass,
                            Reason.RESTORE_FAILED,
                            (Stopping.savepointHint(pass) + " " + KnownState.hint(pass)).strip());
            case KnownState.Gone(var path) ->
                    Objection.stuck(pass, Reason.CHECKPOINT_NOT_FOUND, path);
        };
    }

    /** A start that is on record is that of the job before: another operator keeps it there. */
    private static Decision creating(Pass recorded, StartFrom from) {
        Pass pass = recorded.with(recorded.draft().unstarted()).starting();
        return pass.snapshot()
                .refusal()
                .map(
                        refusal ->
                                pass.telling(refusal(pass, refusal))
                                        .decided(
                                                Reason.MANIFESTS_REFUSED,
                                                refusal,
                                                Optional.of(pass.snapshot().polls().steady()),
                                                pass.creation(from)))
                .orElseGet(
                        () ->
                                pass.decided(
                                        Reason.DEPLOYMENT_STARTED,
                                        pass.soon(),
                                        pass.creation(from)));
    }

    private static Decision atRest(Pass pass) {
        return switch (pass.cluster().jobManager()) {
            case JobManagerView.Present(_, var attempt, _, _)
                    when attempt.isEmpty() && KnownState.source(pass) instanceof KnownState.Lost ->
                    asked(pass);
            case JobManagerView.Present _ when Ownership.isForeign(pass) -> suspended(pass);
            case JobManagerView.Present _ -> Dismissal.forFreshStart(pass, Reason.SUSPENDING);
            case JobManagerView.Terminating _ -> Removal.awaited(pass, Reason.SUSPENDING);
            case JobManagerView.Absent _ when !pass.cluster().isGone() ->
                    Removal.awaited(pass, Reason.SUSPENDING);
            case JobManagerView.Absent _ -> suspended(pass);
        };
    }

    private static Decision suspended(Pass pass) {
        return pass.with(
                        pass.draft()
                                .resting()
                                .with(JobManagerDeploymentState.MISSING)
                                .with(JobState.SUSPENDED, pass.snapshot().now()))
                .decided(Reason.SUSPENDED, KnownState.atRest(pass), Optional.empty());
    }

    private static Decision deployed(Pass pass) {
        if (Ended.isSettled(pass)) {
            return Ended.recorded(pass, JobFacts.recordedEnd(pass).orElseThrow());
        }
        return switch (pass.cluster().jobManager()) {
            case JobManagerView.Absent _ -> missing(pass);
            case JobManagerView.Terminating _ ->
                    Removal.awaited(
                            PodTrouble.unheard(pass, JobManagerDeploymentState.MISSING),
                            Reason.WAITING_FOR_REMOVAL);
            case JobManagerView.Present(_, _, var available, _) ->
                    withTaskManagers(pass, available ? Unhealthy.decide(pass) : PodTrouble.starting(pass));
        };
    }

    /** A crash, or somebody, may have left a standalone JobManager alone. */
    private static Decision withTaskManagers(Pass pass, Decision decision) {
        boolean alone =
                pass.snapshot().scaling() instanceof ScalingView.TaskManagers(var standing)
                        && standing.isEmpty()
                        && decision.actions().isEmpty()
                        && !decision.status()
                                .jobStatus()
                                .state()
                                .map(JobState::isTerminal)
                                .orElse(false);
        return providing(
                pass,
                alone
                        ? new Decision(
                                decision.reason(),
                                decision.detail(),
                                decision.status(),
                                List.of(pass.taskManagers()),
                                decision.notes(),
                                Optional.of(pass.soon()))
                        : decision);
    }

    /** TaskManagers that were refused are told of, and tried again. */
    private static Decision providing(Pass pass, Decision decision) {
        boolean provides =
                decision.actions().stream().anyMatch(Action.ProvideTaskManagers.class::isInstance);
        return pass.snapshot()
                .refusal()
                .filter(_ -> provides)
                .map(refusal -> refused(pass, decision, refusal))
                .orElse(decision);
    }

    private static Decision refused(Pass pass, Decision decision, String refusal) {
        Decision told =
                Objection.saying(decision, Reason.MANIFESTS_REFUSED, refusal, pass.snapshot());
        return new Decision(
                told.reason(),
                told.detail(),
                told.status(),
                told.actions(),
                Stream.concat(told.notes().stream(), Stream.of(refusal(pass, refusal))).toList(),
                Optional.of(pass.snapshot().polls().steady()));
    }

    private static Note refusal(Pass pass, String refusal) {
        return Note.warning(
                "JobManagerDeployment",
                "Error",
                pass.attempt().orElse("") + "/refused",
                Reason.MANIFESTS_REFUSED.text() + " " + refusal);
    }

    /** The JobManager's Deployment is not there although nobody asked for that. */
    private static Decision missing(Pass pass) {
        Optional<JobState> last = JobFacts.recordedEnd(pass);
        if (last.isPresent()) {
            return Ended.recorded(pass, last.get());
        }
        Pass noticed =
                pass.telling(
                        Note.warning(
                                "JobManagerDeployment",
                                "Missing",
                                pass.attempt().orElse(""),
                                "The JobManager Deployment is missing"));
        return recovery(noticed)
                .map(from -> recovered(noticed, from))
                .orElseGet(
                        () ->
                                PodTrouble.unheard(noticed, JobManagerDeploymentState.MISSING)
                                        .decided(
                                                Reason.JOB_MANAGER_MISSING,
                                                KnownState.hint(pass),
                                                Optional.of(pass.snapshot().polls().steady())));
    }

    /** From what a lost job can be started again without losing what it is to keep. */
    private static Optional<StartFrom> recovery(Pass pass) {
        Options options = new Options(pass.effective());
        boolean mayBringBackAnother = options.foreignHighAvailability().isPresent();
        if (mayBringBackAnother
                || !options.flag("kubernetes.operator.jm-deployment-recovery.enabled", true)) {
            return Optional.empty();
        }
        if (pass.discardsState()) {
            return Optional.of(new StartFrom.Nothing());
        }
        return pass.snapshot().state().recoverable().contains(pass.jobId())
                        && options.isHighlyAvailable()
                ? Optional.of(new StartFrom.LastState())
                : Optional.empty();
    }

    private static Decision recovered(Pass pass, StartFrom from) {
        if (!pass.cluster().isGone()) {
            return Removal.awaited(
                    PodTrouble.unheard(pass, JobManagerDeploymentState.MISSING), Reason.WAITING_FOR_REMOVAL);
        }
        return Restart.of(
                pass,
                from,
                Reason.JOB_MANAGER_RECOVERED,
                attempt ->
                        Note.warning(
                                "Job",
                                "RecoverDeployment",
                                attempt,
                                "Recovering the lost deployment " + StateText.of(pass, from)));
    }
}
