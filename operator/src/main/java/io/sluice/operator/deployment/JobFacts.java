// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.Condition;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobManagerDeploymentState;
import io.sluice.api.JobState;
import io.sluice.api.ReconciliationState;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What is certain of a resource's job, by the record and by what was observed together. */
final class JobFacts {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration SHORT_PATIENCE = Duration.ofMinutes(1);

    private JobFacts() {}

    /**
     * The end on record. Highly available Flink keeps no result of a job whose {@code main()} threw
     * and runs it once more when its JobManager restarts, with its state: such a job is back.
     */
    static Optional<JobState> recordedEnd(Pass pass) {
        boolean goesOn = isBack(pass) && pass.leavesEnded() && !pass.isSessionJob();
        return pass.draft().job().state().filter(JobState::isTerminal).filter(_ -> !goesOn);
    }

    static boolean isBack(Pass pass) {
        return pass.snapshot().job() instanceof JobView.Seen seen && !seen.state().isTerminal();
    }

    /** Whether the recorded attempt was asked for, and what came of it is not known. */
    static boolean isInDoubt(Snapshot snapshot) {
        return snapshot.status().attempt().jar().isPresent()
                && snapshot.status().reconciliationStatus().state()
                        == ReconciliationState.UPGRADING;
    }

    /** Whether no job of the recorded attempt can exist: its state is what it was to start from. */
    static boolean neverRan(Pass pass) {
        if (pass.snapshot().takenUp().isEmpty()) {
            return true;
        }
        boolean settled = pass.isUpgrading() || pass.wasSuspended();
        boolean lives =
                pass.snapshot().job() instanceof JobView.Seen(var state, _) && !state.isTerminal();
        return settled && !lives && pass.stopUnderWay().isEmpty() && !isInDoubt(pass.snapshot());
    }

    /** Whether the attempt has come about by what its JobManager says, and was never listed. */
    static boolean isMissed(Pass pass) {
        return pass.isSessionJob()
                && !pass.isUpgrading()
                && pass.draft().attempt().jar().isPresent();
    }

    static Pass ready(Pass pass) {
        return pass.with(pass.draft().with(JobManagerDeploymentState.READY));
    }

    /** The JobManager answers and does not list the job: since when is on record. */
    static Pass missed(Pass pass) {
        Instant now = pass.snapshot().now();
        return answersAgain(pass)
                ? ready(pass.with(pass.draft().missedSince(now)))
                : pass.with(pass.draft().with(JobState.RECONCILING, now));
    }

    /**
     * Whether the job has been missing from its JobManager's list for longer than a start takes,
     * counted from when the JobManager came up or answered again.
     */
    static boolean isGone(Pass pass) {
        return pass.snapshot().job() instanceof JobView.NotListed
                && !answersAgain(pass)
                && pass.draft().job().state().equals(Optional.of(JobState.RECONCILING))
                && pass.draft()
                        .job()
                        .updateTime()
                        .filter(since -> since.plus(patience(pass)).isBefore(pass.snapshot().now()))
                        .isPresent();
    }

    /**
     * Whether the job is missing because main() has yet to submit it: it has never been seen, and
     * what runs is the first process that the attempt's Deployment has had. A process after that
     * one may also list nothing because the job has ended in the one before.
     */
    static boolean isUnsubmitted(Pass pass) {
        boolean isOwn =
                pass.cluster().jobManager() instanceof JobManagerView.Present(_, var attempt, _, _)
                        && attempt.isPresent()
                        && attempt.equals(pass.attempt());
        return isOwn
                && !pass.isSessionJob()
                && pass.cluster().podFacts().isFirstProcess()
                && pass.draft().job().startTime().isEmpty()
                && isGone(pass);
    }

    /** Whether it is news that the JobManager answers. */
    private static boolean answersAgain(Pass pass) {
        FlinkDeploymentStatus status = pass.snapshot().status();
        boolean wasSilent =
                status.condition("Ready")
                        .map(Condition::reason)
                        .filter(
                                reason ->
                                        reason.equals(Reason.JOB_UNREACHABLE.wire())
                                                || reason.equals(Reason.ANSWER_TOO_LARGE.wire())
                                                || reason.equals(Reason.JOB_MANAGER_SILENT.wire()))
                        .isPresent();
        return !pass.isSessionJob()
                && (wasSilent
                        || status.jobManagerDeploymentStatus() != JobManagerDeploymentState.READY);
    }

    /**
     * A session cluster that keeps no metadata brings no job back; its former process may linger.
     */
    private static Duration patience(Pass pass) {
        boolean comesBack = pass.sessionJob().map(job -> job.host().highlyAvailable()).orElse(true);
        return comesBack || isMissed(pass) ? PATIENCE : SHORT_PATIENCE;
    }

    /** Whether the job that is listed is not the run of it that is on record. */
    static boolean isSucceededBy(Pass pass, JobView.Seen seen) {
        boolean isAnother =
                pass.draft()
                        .job()
                        .startTime()
                        .filter(start -> !start.equals(seen.overview().startTime()))
                        .isPresent();
        return isAnother
                && pass.snapshot().target() instanceof Target.Application
                && !pass.discardsState()
                && !pass.running().isHighlyAvailable();
    }
}
