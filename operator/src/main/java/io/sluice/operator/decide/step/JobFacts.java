// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.status.Condition;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.ReconciliationState;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What is certain of a resource's job, by the record and by what was observed together. */
public final class JobFacts {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration SHORT_PATIENCE = Duration.ofMinutes(1);

    private JobFacts() {}

    /**
     * The end on record. Highly available Flink keeps no result of a job whose {@code main()} threw
     * and runs it once more when its JobManager restarts, with its state: such a job is back.
     */
    public static Optional<JobState> recordedEnd(StepContext context) {
        boolean goesOn =
                isBack(context) && context.leavesEnded() && context.target().recoversFromMetadata();
        return context.draft().job().state().filter(JobState::isTerminal).filter(_ -> !goesOn);
    }

    /** Tells whether the job has ended, by its record or by its JobManager. */
    public static boolean hasEnded(StepContext context) {
        return recordedEnd(context).isPresent()
                || (context.observed().job() instanceof JobView.Seen seen
                        && seen.state().isTerminal());
    }

    public static boolean isBack(StepContext context) {
        return context.observed().job() instanceof JobView.Seen seen && !seen.state().isTerminal();
    }

    /** Whether the recorded attempt was asked for, and what came of it is not known. */
    public static boolean isInDoubt(ObservedState observed) {
        return observed.status().attempt().jar().isPresent()
                && observed.status().reconciliationStatus().state()
                        == ReconciliationState.UPGRADING;
    }

    /** Whether no job of the recorded attempt can exist: its state is what it was to start from. */
    public static boolean neverRan(StepContext context) {
        if (context.observed().lastReconciled().isEmpty()) {
            return true;
        }
        boolean settled = context.isUpgrading() || context.wasSuspended();
        boolean lives =
                context.observed().job() instanceof JobView.Seen(var state, _)
                        && !state.isTerminal();
        return settled
                && !lives
                && context.stopUnderWay().isEmpty()
                && !isInDoubt(context.observed());
    }

    /** Whether the attempt has come about by what its JobManager says, and was never listed. */
    public static boolean isMissed(StepContext context) {
        return !context.isUpgrading() && context.draft().attempt().jar().isPresent();
    }

    public static StepContext withReadyJobManager(StepContext context) {
        return context.withDraft(draft -> draft.withJobManager(JobManagerDeploymentState.READY));
    }

    /** The JobManager answers and does not list the job: since when is on record. */
    public static StepContext withJobMissing(StepContext context) {
        Instant now = context.observed().now();
        return answersAgain(context)
                ? withReadyJobManager(context.withDraft(draft -> draft.missedSince(now)))
                : context.withDraft(draft -> draft.withJobState(JobState.RECONCILING, now));
    }

    /**
     * Whether the job has been missing from its JobManager's list for longer than a start takes,
     * counted from when the JobManager came up or answered again.
     */
    public static boolean isGone(StepContext context) {
        return context.observed().job() instanceof JobView.NotListed
                && !answersAgain(context)
                && isUnseenFor(context, patience(context));
    }

    /**
     * Whether the JobManager fails to answer, and has for no longer than it is waited for, while
     * nobody has seen a checkpoint that the job has made. Such a job may run on and make none: its
     * high-availability metadata then name what it was restored from.
     */
    public static boolean isJustSilent(StepContext context) {
        return context.observed().job() instanceof JobView.Unreachable
                && !isUnseenFor(context, PATIENCE)
                && !LatestCheckpoint.isOwn(context);
    }

    /** Whether nobody could tell the job's state for so long, by the record. */
    private static boolean isUnseenFor(StepContext context, Duration patience) {
        return context.draft().job().state().equals(Optional.of(JobState.RECONCILING))
                && context.draft()
                        .job()
                        .updateTime()
                        .filter(since -> since.plus(patience).isBefore(context.observed().now()))
                        .isPresent();
    }

    /**
     * Whether the job is missing because main() has yet to submit it: it has never been seen, and
     * what runs is the first process that the attempt's Deployment has had. A process after that
     * one may also list nothing because the job has ended in the one before.
     */
    public static boolean isUnsubmitted(StepContext context) {
        boolean isOwn =
                context.cluster().jobManager() instanceof JobManagerView.Present standing
                        && standing.isOf(context.attempt());
        return isOwn
                && context.target().hasOwnJobManager()
                && context.cluster().podFacts().isFirstProcess()
                && context.draft().job().startTime().isEmpty()
                && isGone(context);
    }

    /** Whether it is news that the JobManager answers. */
    private static boolean answersAgain(StepContext context) {
        FlinkDeploymentStatus status = context.observed().status();
        boolean wasSilent =
                status.condition("Ready")
                        .map(Condition::reason)
                        .filter(
                                reason ->
                                        reason.equals(Reason.JOB_UNREACHABLE.wire())
                                                || reason.equals(Reason.ANSWER_TOO_LARGE.wire())
                                                || reason.equals(Reason.JOB_MANAGER_SILENT.wire()))
                        .isPresent();
        return context.target().hasOwnJobManager()
                && (wasSilent
                        || status.jobManagerDeploymentStatus() != JobManagerDeploymentState.READY);
    }

    /**
     * A session cluster that keeps no metadata brings no job back; its former process may linger.
     */
    private static Duration patience(StepContext context) {
        boolean comesBack =
                context.sessionJob().map(job -> job.cluster().highlyAvailable()).orElse(true);
        return comesBack || isMissed(context) ? PATIENCE : SHORT_PATIENCE;
    }

    /** Whether the job that is listed is not the run of it that is on record. */
    public static boolean isSucceededBy(StepContext context, JobView.Seen seen) {
        boolean isAnother =
                context.draft()
                        .job()
                        .startTime()
                        .filter(start -> !start.equals(seen.overview().startTime()))
                        .isPresent();
        return isAnother
                && context.target() instanceof Target.Application
                && !context.discardsState()
                && !context.running().isHighlyAvailable();
    }
}
