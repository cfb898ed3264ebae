// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.DesiredJobState;
import io.sluice.api.JobSpec;
import io.sluice.api.JobState;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.ReconciliationState;
import io.sluice.operator.deployment.Target.Host;
import io.sluice.operator.deployment.Target.SubmissionView;
import io.sluice.operator.manifest.StartFrom;
import io.sluice.rules.diff.SpecDiff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Carries out the spec of a session job that was taken up.
 *
 * <pre>
 *   taken up ─▶ cluster ready? ─▶ jar uploaded ─▶ jar recorded ─▶ asked to run ─▶ listed ─▶ jar deleted
 *                                     ▲                               │  │
 *                                     └── refused, or the jar is lost ┘  └─▶ known for long, not listed: missed
 * </pre>
 *
 * From the moment the jar is on record until the job is listed or refused nobody knows whether it
 * will turn up: no other attempt begins then, so that two never run. One that is missed counts as
 * deployed with its jar on record: it is never run again by itself.
 */
final class Hosted {
    /**
     * How long a job that was asked for, or that its cluster recovers, may take to turn up once its
     * JobManager answers.
     */
    static final Duration TURNING_UP = Duration.ofSeconds(30);

    private Hosted() {}

    static StepResult decide(Pass pass, Target.SessionJob job) {
        if (pass.stopUnderWay().isPresent()) {
            boolean isOver = job.host().state() == Host.State.MISSING && !pass.isDesiredRunning();
            return job.host().isReady() || isOver
                    ? Stopping.decide(pass)
                    : waiting(pass, job.host());
        }
        if (!pass.isDesiredRunning()) {
            return atRest(pass);
        }
        return pass.isUpgrading() ? underWay(pass, job) : deployed(pass, job.host());
    }

    /**
     * Another operator left an attempt of which only its cluster knows whether it was submitted.
     * Until that answers nothing is begun, and what was left stays on record as it is.
     */
    static Optional<Decision> untold(Snapshot snapshot) {
        return snapshot.target() instanceof Target.SessionJob(var host, _)
                        && host.state() != Host.State.MISSING
                        && AttemptHistory.isUnrecorded(snapshot.status())
                        && !hasEnded(snapshot)
                ? snapshot.takenUp()
                        .map(before -> FormerSpec.of(snapshot, before))
                        .flatMap(pass -> untold(pass, host))
                : Optional.empty();
    }

    private static Optional<Decision> untold(Pass pass, Host host) {
        return switch (pass.snapshot().job()) {
            case JobView.NotAsked _ -> Optional.of(waiting(pass, host));
            case JobView.Unreachable(var message, var silence) ->
                    Optional.of(unreachable(pass, message, silence));
            case JobView.NotListed _, JobView.Seen _ -> Optional.empty();
        };
    }

    private static boolean hasEnded(Snapshot snapshot) {
        return snapshot.status().jobStatus().state().filter(JobState::isTerminal).isPresent();
    }

    /** Whether the job has to leave a cluster that is about to be replaced. */
    static boolean hasToLeave(Snapshot snapshot, TakenUp before) {
        boolean runs =
                before.spec()
                        .job()
                        .map(JobSpec::state)
                        .filter(state -> state == DesiredJobState.RUNNING)
                        .isPresent();
        Pass pass = FormerSpec.of(snapshot, before);
        return snapshot.target() instanceof Target.SessionJob(var host, _)
                && host.isReady()
                && host.parting()
                && !host.keepsJobs()
                && runs
                && !pass.isStateless()
                && !pass.isUpgrading()
                && JobFacts.recordedEnd(pass).isEmpty();
    }

    private static Decision atRest(Pass pass) {
        Draft draft = pass.draft().resting().with(JobState.SUSPENDED, pass.snapshot().now());
        return pass.with(draft)
                .decided(Reason.SUSPENDED, KnownState.atRest(pass), Optional.empty());
    }

    static Decision waiting(Pass pass, Host host) {
        boolean ended = JobFacts.recordedEnd(pass).isPresent() || JobFacts.neverRan(pass);
        Pass noticed =
                ended
                        ? pass
                        : pass.with(pass.draft().with(JobState.RECONCILING, pass.snapshot().now()));
        String how =
                switch (host.state()) {
                    case MISSING -> "does not exist";
                    case DOWN -> "has no JobManager";
                    case NOT_READY -> "is not ready";
                    case READY -> host.deleting() ? "is being deleted" : "is being replaced";
                };
        return noticed.decided(
                Reason.WAITING_FOR_SESSION_CLUSTER,
                "FlinkDeployment '" + host.name() + "' " + how + ".",
                Optional.of(pass.snapshot().polls().steady()));
    }

    private static Decision underWay(Pass pass, Target.SessionJob job) {
        boolean doubt = JobFacts.isInDoubt(pass.snapshot());
        if (!job.host().isReady() || (!doubt && !job.host().takesJobs())) {
            return waiting(pass, job.host());
        }
        return switch (pass.snapshot().job()) {
            case JobView.NotAsked _ -> unreachable(pass, "", Silence.NO_ANSWER);
            case JobView.Unreachable(var message, var silence) ->
                    unreachable(pass, message, silence);
            case JobView.Seen _ -> listed(pass);
            case JobView.NotListed _ -> submitting(pass, job);
        };
    }

    private static Decision unreachable(Pass pass, String message, Silence silence) {
        return uncounted(pass).unanswered(silence, Reason.SESSION_CLUSTER_UNREACHABLE, message);
    }

    /** How long the job has not been listed counts anew, once its JobManager answers. */
    private static Pass uncounted(Pass pass) {
        return JobFacts.isInDoubt(pass.snapshot())
                ? pass.with(pass.draft().with(JobState.RECONCILING, pass.snapshot().now()))
                : pass;
    }

    /** The job is there: the attempt has come about, and its jar is not needed any more. */
    private static Decision listed(Pass pass) {
        Optional<String> jar = pass.draft().attempt().jar();
        Draft draft = pass.draft().in(ReconciliationState.DEPLOYED).withJar(Optional.empty());
        Decision decision = Observation.decide(pass.with(draft));
        List<Action> actions = new ArrayList<>(decision.actions());
        jar.map(Action.DeleteJar::new).ifPresent(actions::add);
        return new Decision(
                decision.reason(),
                decision.detail(),
                decision.status(),
                actions,
                decision.notes(),
                decision.checkAgain());
    }

    private static Decision submitting(Pass pass, Target.SessionJob job) {
        Optional<String> jar = pass.draft().attempt().jar();
        return switch (job.submission()) {
            case SubmissionView.None _ ->
                    jar.map(id -> running(pass, id)).orElseGet(() -> uploading(pass));
            case SubmissionView.UnderWay _ -> submitting(pass);
            case SubmissionView.Queued(var message) -> queued(pass, message);
            case SubmissionView.Uploaded(var id) ->
                    running(pass.with(pass.draft().withJar(Optional.of(id))), id);
            case SubmissionView.JarLost _ -> uploading(uncounted(pass));
            case SubmissionView.KnownAlready(var at) -> knownAlready(pass, at);
            case SubmissionView.NotUploaded view -> notUploaded(pass, job.host(), view);
            case SubmissionView.Refused(var message, var at) -> refused(pass, message, at);
        };
    }

    private static Decision queued(Pass pass, String message) {
        Reason reason = Reason.SUBMISSION_QUEUED;
        return pass.telling(
                        Note.normal(
                                "Job",
                                reason.wire(),
                                pass.attempt().orElse("") + "/queued",
                                reason.text() + " " + message))
                .decided(reason, message, Optional.of(pass.briefly()));
    }

    private static Decision submitting(Pass pass, Action... actions) {
        return pass.decided(Reason.JOB_SUBMITTING, pass.briefly(), actions);
    }

    private static Decision uploading(Pass pass) {
        return submitting(pass, Submitting.upload(pass));
    }

    private static Decision running(Pass pass, String jar) {
        return switch (KnownState.source(pass)) {
            case KnownState.Found(var from) -> submitting(pass, Submitting.run(pass, jar, from));
            case KnownState.Unread(var why) ->
                    pass.decided(Reason.STATE_UNREAD, why, Optional.of(pass.soon()));
            case KnownState.Lost _ ->
                    Objection.stuck(pass, Reason.RESTORE_FAILED, KnownState.hint(pass));
            case KnownState.Gone(var path) ->
                    Objection.stuck(pass, Reason.CHECKPOINT_NOT_FOUND, path);
        };
    }

    /**
     * Its JobManager has the job and does not list it. One that is about to start will be listed;
     * one whose result alone was kept never will.
     */
    private static Decision knownAlready(Pass pass, Instant at) {
        Instant now = pass.snapshot().now();
        Pass counted = pass.with(pass.draft().with(JobState.INITIALIZING, now));
        Optional<String> jar = pass.draft().attempt().jar();
        if (isOver(pass, at)) {
            return jar.map(id -> running(counted, id)).orElseGet(() -> uploading(counted));
        }
        Instant since = counted.draft().job().updateTime().orElse(now);
        return now.isAfter(since.plus(HostedDeletion.limit(pass)))
                ? missed(counted)
                : counted.decided(Reason.JOB_SUBMITTING, pass.soon());
    }

    /**
     * It has come about, and nobody has seen what became of it. From here on it is looked for as
     * any job that was there, and the next spec waits until it has been missing for long again.
     */
    private static Decision missed(Pass pass) {
        Action[] actions =
                pass.draft().attempt().jar().map(Action.DeleteJar::new).stream()
                        .toArray(Action[]::new);
        return pass.with(pass.draft().in(ReconciliationState.DEPLOYED))
                .decided(Reason.WAITING_FOR_SUBMISSION, pass.soon(), actions);
    }

    /**
     * If the JobManager was asked before, and restarted since then, it may be recovering the job:
     * the attempt is in doubt until it would have turned up. Where results are kept the job may
     * even have ended, which only another request could tell: there the doubt stays.
     */
    private static Decision notUploaded(Pass pass, Host host, SubmissionView.NotUploaded view) {
        if (pass.draft().attempt().jar().isEmpty()) {
            return refused(pass, view);
        }
        Instant now = pass.snapshot().now();
        Pass counted = pass.with(pass.draft().with(JobState.INITIALIZING, now));
        Instant since = counted.draft().job().updateTime().orElse(now);
        if (now.isBefore(since.plus(TURNING_UP))) {
            return inDoubt(counted, view);
        }
        if (!host.highlyAvailable()) {
            return refused(counted, view);
        }
        return isSuperseded(pass) ? missed(counted) : inDoubt(counted, view);
    }

    private static Decision inDoubt(Pass counted, SubmissionView.NotUploaded view) {
        return mayBeTriedAgain(counted, view)
                ? uploading(counted)
                : told(counted, view.reason(), view.message())
                        .decided(view.reason(), view.message(), Optional.of(counted.soon()));
    }

    /** Whether the user has asked for another job since. */
    private static boolean isSuperseded(Pass pass) {
        return pass.snapshot().spec().changes(pass.spec(), SpecDiff.Effect.UPGRADE);
    }

    /** Whether what was refused at {@code at} may be tried again. */
    private static boolean isOver(Pass pass, Instant at) {
        return !pass.snapshot().now().isBefore(at.plus(pass.snapshot().polls().steady()));
    }

    /** Nothing came of it, for certain: the spec may change now, and it is tried again. */
    private static Decision refused(Pass pass, String message, Instant at) {
        return refused(pass, new SubmissionView.NotUploaded(message, at));
    }

    /** What can't be had is tried again, less and less often, and holds up nothing else. */
    private static Decision refused(Pass pass, SubmissionView.NotUploaded view) {
        Optional<String> jar = pass.draft().attempt().jar();
        Pass settled = pass.with(pass.draft().withJar(Optional.empty()));
        if (mayBeTriedAgain(pass, view) && jar.isEmpty()) {
            return uploading(settled);
        }
        Action[] actions = jar.map(Action.DeleteJar::new).stream().toArray(Action[]::new);
        return told(settled, view.reason(), view.message())
                .decided(
                        view.reason(),
                        view.message(),
                        Optional.of(pass.snapshot().polls().steady()),
                        actions);
    }

    private static boolean mayBeTriedAgain(Pass pass, SubmissionView.NotUploaded view) {
        Instant again = view.again(pass.snapshot().polls().steady());
        return !pass.snapshot().now().isBefore(again);
    }

    private static Pass told(Pass pass, Reason reason, String message) {
        return pass.telling(
                Note.warning(
                        "Job",
                        reason == Reason.SUBMISSION_REFUSED ? "Error" : reason.wire(),
                        pass.attempt().orElse("") + "/refused",
                        reason.text() + " " + message));
    }

    private static Decision deployed(Pass pass, Host host) {
        if (Ended.isSettled(pass) || (JobFacts.recordedEnd(pass).isPresent() && !host.isReady())) {
            return Ended.recorded(pass, JobFacts.recordedEnd(pass).orElseThrow());
        }
        if (!host.isReady()) {
            return waiting(pass, host);
        }
        boolean turnsUp = JobFacts.isMissed(pass) && pass.snapshot().job() instanceof JobView.Seen;
        return turnsUp ? listed(pass) : Observation.decide(pass);
    }

    /** A job without state that its cluster has lost. */
    static Decision again(Pass pass) {
        Pass begun =
                Saving.abandoned(
                                new Pass(
                                        pass.snapshot(),
                                        new ReconciledSpec(pass.wanted().spec(), false),
                                        pass.spec(),
                                        pass.draft(),
                                        pass.notes()))
                        .beginning(new StartFrom.Nothing());
        return begun.telling(
                        Note.warning(
                                "Job",
                                "Missing",
                                pass.attempt().orElse(""),
                                "The session cluster runs without the job; it is submitted again,"
                                        + " without state, as spec.job.upgradeMode is stateless"))
                .decided(Reason.JOB_SUBMITTING, begun.briefly());
    }
}
