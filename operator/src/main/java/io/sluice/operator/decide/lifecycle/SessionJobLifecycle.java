// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.status.JobState;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.api.status.ReconciliationState;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.running.StateTriggers;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.FormerSpec;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.JobFacts;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.StatusDraft;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepResult;
import io.sluice.operator.decide.upgrade.StopInProgress;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.AttemptHistory;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.SessionClusterView;
import io.sluice.operator.model.Target.SubmissionView;
import io.sluice.rules.diff.SpecDiff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Carries out the last reconciled spec of a session job.
 *
 * <pre>
 *   recorded ─▶ cluster ready? ─▶ jar uploaded ─▶ jar recorded ─▶ asked to run ─▶ listed ─▶ jar deleted
 *                                     ▲                               │  │
 *                                     └── refused, or the jar is lost ┘  └─▶ known for long, not listed: missed
 * </pre>
 *
 * From the moment the jar is on record until the job is listed or refused nobody knows whether it
 * will turn up: no other attempt begins then, so that two never run. One that is missed counts as
 * deployed with its jar on record: it is never run again by itself.
 */
public final class SessionJobLifecycle {
    /**
     * How long a job that was asked for, or that its cluster recovers, may take to turn up once its
     * JobManager answers.
     */
    static final Duration TURNING_UP = Duration.ofSeconds(30);

    private SessionJobLifecycle() {}

    static StepResult decide(StepContext context, Target.SessionJob job) {
        if (context.stopUnderWay().isPresent()) {
            boolean isOver =
                    job.cluster().state() == SessionClusterView.State.MISSING
                            && !context.isDesiredRunning();
            return job.cluster().isReady() || isOver
                    ? StopInProgress.decide(context)
                    : waitForSessionCluster(context, job.cluster());
        }
        if (!context.isDesiredRunning()) {
            return atRest(context);
        }
        return context.isUpgrading() ? bringAbout(context, job) : observe(context, job.cluster());
    }

    /**
     * Another operator left an attempt of which only its cluster knows whether it was submitted.
     * Until that answers nothing is begun, and what was left stays on record as it is.
     */
    public static Optional<Decision> withoutReadyCluster(ObservedState observed) {
        return observed.target() instanceof Target.SessionJob(var cluster, _)
                        && cluster.state() != SessionClusterView.State.MISSING
                        && AttemptHistory.isUnrecorded(observed.status())
                        && !hasEnded(observed)
                ? FormerSpec.of(observed).flatMap(context -> withoutReadyCluster(context, cluster))
                : Optional.empty();
    }

    private static Optional<Decision> withoutReadyCluster(
            StepContext context, SessionClusterView cluster) {
        return switch (context.observed().job()) {
            case JobView.NotAsked _ -> Optional.of(waitForSessionCluster(context, cluster));
            case JobView.Unreachable(var message, var noAnswer) ->
                    Optional.of(whenUnreachable(context, message, noAnswer));
            case JobView.NotListed _, JobView.Seen _ -> Optional.empty();
        };
    }

    private static boolean hasEnded(ObservedState observed) {
        return observed.status().jobStatus().state().filter(JobState::isTerminal).isPresent();
    }

    /** Whether the job has to leave a cluster that is about to be replaced. */
    public static boolean hasToLeave(ObservedState observed, LastReconciledSpec before) {
        boolean runs =
                before.spec()
                        .job()
                        .map(JobSpec::state)
                        .filter(state -> state == DesiredJobState.RUNNING)
                        .isPresent();
        StepContext context = FormerSpec.of(observed, before);
        return observed.target() instanceof Target.SessionJob(var cluster, _)
                && cluster.isReady()
                && cluster.beingReplaced()
                && !cluster.keepsJobs()
                && runs
                && !context.isStateless()
                && !context.isUpgrading()
                && JobFacts.recordedEnd(context).isEmpty();
    }

    private static Decision atRest(StepContext context) {
        return context.withDraft(
                        draft ->
                                draft.resting(context.observed().spec())
                                        .withJobState(JobState.SUSPENDED, context.observed().now()))
                .decide(
                        Reason.SUSPENDED,
                        RestorableState.describeAtRest(context),
                        Optional.empty());
    }

    public static Decision waitForSessionCluster(StepContext context, SessionClusterView cluster) {
        boolean ended = JobFacts.recordedEnd(context).isPresent() || JobFacts.neverRan(context);
        StepContext noticed =
                ended
                        ? context
                        : context.withDraft(
                                draft ->
                                        draft.withJobState(
                                                JobState.RECONCILING, context.observed().now()));
        String how =
                switch (cluster.state()) {
                    case MISSING -> "does not exist";
                    case DOWN -> "has no JobManager";
                    case NOT_READY -> "is not ready";
                    case READY -> cluster.deleting() ? "is being deleted" : "is being replaced";
                };
        return noticed.decide(
                Reason.WAITING_FOR_SESSION_CLUSTER,
                "FlinkDeployment '" + cluster.name() + "' " + how + ".",
                Optional.of(context.observed().polls().steady()));
    }

    private static Decision bringAbout(StepContext context, Target.SessionJob job) {
        boolean doubt = JobFacts.isInDoubt(context.observed());
        if (!job.cluster().isReady() || (!doubt && !job.cluster().takesJobs())) {
            return waitForSessionCluster(context, job.cluster());
        }
        return switch (context.observed().job()) {
            case JobView.NotAsked _ -> whenUnreachable(context, "", NoAnswer.NO_ANSWER);
            case JobView.Unreachable(var message, var noAnswer) ->
                    whenUnreachable(context, message, noAnswer);
            case JobView.Seen _ -> whenListed(context);
            case JobView.NotListed _ -> submit(context, job);
        };
    }

    private static Decision whenUnreachable(
            StepContext context, String message, NoAnswer noAnswer) {
        return uncounted(context).unanswered(noAnswer, Reason.SESSION_CLUSTER_UNREACHABLE, message);
    }

    /** How long the job has not been listed counts anew, once its JobManager answers. */
    private static StepContext uncounted(StepContext context) {
        return JobFacts.isInDoubt(context.observed())
                ? context.withDraft(
                        draft -> draft.withJobState(JobState.RECONCILING, context.observed().now()))
                : context;
    }

    /** The job is there: the attempt has come about, and its jar is not needed any more. */
    private static Decision whenListed(StepContext context) {
        Optional<String> jar = context.draft().attempt().jar();
        StatusDraft draft =
                context.draft().in(ReconciliationState.DEPLOYED).withJar(Optional.empty());
        Decision decision = JobObservation.decide(context.withDraft(draft));
        List<Action> actions = new ArrayList<>(decision.actions());
        jar.map(Action.DeleteJar::new).ifPresent(actions::add);
        return decision.withActions(actions);
    }

    private static Decision submit(StepContext context, Target.SessionJob job) {
        Optional<String> jar = context.draft().attempt().jar();
        return switch (job.submission()) {
            case SubmissionView.None _ ->
                    jar.map(id -> runJar(context, id)).orElseGet(() -> uploadJar(context));
            case SubmissionView.UnderWay _ -> submit(context);
            case SubmissionView.Queued(var message) -> waitForPlace(context, message);
            case SubmissionView.Uploaded(var id) ->
                    runJar(context.withDraft(draft -> draft.withJar(Optional.of(id))), id);
            case SubmissionView.JarLost _ -> uploadJar(uncounted(context));
            case SubmissionView.KnownAlready(var at) -> whenAlreadySubmitted(context, at);
            case SubmissionView.NotUploaded view -> whenNotUploaded(context, job.cluster(), view);
            case SubmissionView.Refused(var message, var at) -> reportRefusal(context, message, at);
        };
    }

    private static Decision waitForPlace(StepContext context, String message) {
        Reason reason = Reason.SUBMISSION_QUEUED;
        return context.withEvent(
                        ResourceEvent.normal(
                                "Job",
                                reason,
                                context.attempt().orElse("") + "/queued",
                                reason.text() + " " + message))
                .decide(reason, message, Optional.of(context.briefly()));
    }

    private static Decision submit(StepContext context, Action... actions) {
        return context.decide(Reason.JOB_SUBMITTING, context.briefly(), actions);
    }

    private static Decision uploadJar(StepContext context) {
        return submit(context, JarSubmission.upload(context));
    }

    private static Decision runJar(StepContext context, String jar) {
        return switch (RestorableState.ofAttempt(context)) {
            case RestorableState.Found(var from) ->
                    submit(context, JarSubmission.run(context, jar, from));
            case RestorableState.Unread(var why) ->
                    context.decide(Reason.STATE_UNREAD, why, Optional.of(context.soon()));
            case RestorableState.Lost _ ->
                    HeldChange.askHuman(
                            context,
                            Reason.RESTORE_FAILED,
                            RestorableState.whereStateMayBe(context));
            case RestorableState.Gone(var path) ->
                    HeldChange.askHuman(context, Reason.CHECKPOINT_NOT_FOUND, path);
        };
    }

    /**
     * Its JobManager has the job and does not list it. One that is about to start will be listed;
     * one whose result alone was kept never will.
     */
    private static Decision whenAlreadySubmitted(StepContext context, Instant at) {
        Instant now = context.observed().now();
        StepContext counted =
                context.withDraft(draft -> draft.withJobState(JobState.INITIALIZING, now));
        Optional<String> jar = context.draft().attempt().jar();
        if (isOver(context, at)) {
            return jar.map(id -> runJar(counted, id)).orElseGet(() -> uploadJar(counted));
        }
        Instant since = counted.draft().job().updateTime().orElse(now);
        return now.isAfter(since.plus(SessionJobDeletion.limit(context)))
                ? reportMissing(counted)
                : counted.decide(Reason.JOB_SUBMITTING, context.soon());
    }

    /**
     * It has come about, and nobody has seen what became of it. From here on it is looked for as
     * any job that was there, and the next spec waits until it has been missing for long again.
     */
    private static Decision reportMissing(StepContext context) {
        Action[] actions =
                context.draft().attempt().jar().map(Action.DeleteJar::new).stream()
                        .toArray(Action[]::new);
        return context.withDraft(draft -> draft.in(ReconciliationState.DEPLOYED))
                .decide(Reason.WAITING_FOR_SUBMISSION, context.soon(), actions);
    }

    /**
     * If the JobManager was asked before, and restarted since then, it may be recovering the job:
     * the attempt is in doubt until it would have turned up. Where results are kept the job may
     * even have ended, which only another request could tell: there the doubt stays.
     */
    private static Decision whenNotUploaded(
            StepContext context, SessionClusterView cluster, SubmissionView.NotUploaded view) {
        if (context.draft().attempt().jar().isEmpty()) {
            return reportRefusal(context, view);
        }
        Instant now = context.observed().now();
        StepContext counted =
                context.withDraft(draft -> draft.withJobState(JobState.INITIALIZING, now));
        Instant since = counted.draft().job().updateTime().orElse(now);
        if (now.isBefore(since.plus(TURNING_UP))) {
            return whenInDoubt(counted, view);
        }
        if (!cluster.highlyAvailable()) {
            return reportRefusal(counted, view);
        }
        return isSuperseded(context) ? reportMissing(counted) : whenInDoubt(counted, view);
    }

    private static Decision whenInDoubt(StepContext counted, SubmissionView.NotUploaded view) {
        return mayBeTriedAgain(counted, view)
                ? uploadJar(counted)
                : withRefusalEvent(counted, view.reason(), view.message())
                        .decide(view.reason(), view.message(), Optional.of(counted.soon()));
    }

    /** Whether the user has asked for another job since. */
    private static boolean isSuperseded(StepContext context) {
        return context.observed().spec().changes(context.spec(), SpecDiff.Effect.UPGRADE);
    }

    /** Whether what was refused at {@code at} may be tried again. */
    private static boolean isOver(StepContext context, Instant at) {
        return !context.observed().now().isBefore(at.plus(context.observed().polls().steady()));
    }

    /** Nothing came of it, for certain: the spec may change now, and it is tried again. */
    private static Decision reportRefusal(StepContext context, String message, Instant at) {
        return reportRefusal(context, new SubmissionView.NotUploaded(message, at));
    }

    /** What can't be had is tried again, less and less often, and holds up nothing else. */
    private static Decision reportRefusal(StepContext context, SubmissionView.NotUploaded view) {
        Optional<String> jar = context.draft().attempt().jar();
        StepContext settled = context.withDraft(draft -> draft.withJar(Optional.empty()));
        if (mayBeTriedAgain(context, view) && jar.isEmpty()) {
            return uploadJar(settled);
        }
        Action[] actions = jar.map(Action.DeleteJar::new).stream().toArray(Action[]::new);
        return withRefusalEvent(settled, view.reason(), view.message())
                .decide(
                        view.reason(),
                        view.message(),
                        Optional.of(context.observed().polls().steady()),
                        actions);
    }

    private static boolean mayBeTriedAgain(StepContext context, SubmissionView.NotUploaded view) {
        Instant again = view.again(context.observed().polls().steady());
        return !context.observed().now().isBefore(again);
    }

    private static StepContext withRefusalEvent(
            StepContext context, Reason reason, String message) {
        String key = context.attempt().orElse("") + "/refused";
        String text = reason.text() + " " + message;
        return context.withEvent(
                reason == Reason.SUBMISSION_REFUSED
                        ? ResourceEvent.of("Job", OperatorEvent.ERROR, key, text)
                        : ResourceEvent.warning("Job", reason, key, text));
    }

    private static Decision observe(StepContext context, SessionClusterView cluster) {
        if (EndedJob.isSettled(context)
                || (JobFacts.recordedEnd(context).isPresent() && !cluster.isReady())) {
            return EndedJob.afterRecordedEnd(context, JobFacts.recordedEnd(context).orElseThrow());
        }
        if (!cluster.isReady()) {
            return waitForSessionCluster(context, cluster);
        }
        boolean turnsUp =
                JobFacts.isMissed(context) && context.observed().job() instanceof JobView.Seen;
        return turnsUp ? whenListed(context) : JobObservation.decide(context);
    }

    /** A job without state that its cluster has lost. */
    static Decision runAgain(StepContext context) {
        StepContext begun =
                StateTriggers.withoutTriggers(
                                context.withWanted(
                                        new ReconciledSpec(context.wanted().spec(), false)))
                        .startAttempt(new StartFrom.Nothing());
        return begun.withEvent(
                        ResourceEvent.of(
                                "Job",
                                OperatorEvent.MISSING,
                                context.attempt().orElse(""),
                                "The session cluster runs without the job; it is submitted again,"
                                        + " without state, as spec.job.upgradeMode is stateless"))
                .decide(Reason.JOB_SUBMITTING, begun.briefly());
    }
}
