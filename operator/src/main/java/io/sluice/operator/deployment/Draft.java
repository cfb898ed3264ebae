// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.AttemptStatus;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobManagerDeploymentState;
import io.sluice.api.JobState;
import io.sluice.api.JobStatus;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.ReconciliationState;
import io.sluice.api.ReconciliationStatus;
import io.sluice.api.StopStatus;
import io.sluice.flink.rest.JobOverview;
import java.time.Instant;
import java.util.Optional;

/**
 * The parts of a status that a decision sets; everything else follows from them and from the
 * reason.
 */
record Draft(
        JobStatus job,
        JobManagerDeploymentState jobManager,
        ReconciliationStatus reconciliation,
        AttemptStatus attempt) {
    static Draft of(FlinkDeploymentStatus status) {
        return new Draft(
                status.jobStatus(),
                status.jobManagerDeploymentStatus(),
                status.reconciliationStatus(),
                status.attempt());
    }

    /**
     * A new attempt at running {@code spec} is about to begin: this is what makes a crash right
     * after it harmless.
     *
     * @param from what it starts from, as the wire format has it
     * @param lastCheckpoint see {@link AttemptStatus}
     */
    Draft beginning(
            ReconciledSpec spec,
            String attemptId,
            String jobId,
            Optional<String> from,
            Optional<String> lastCheckpoint,
            Instant now) {
        return new Draft(
                new JobStatus(
                        job.jobName(),
                        Optional.of(jobId),
                        Optional.of(JobState.RECONCILING),
                        Optional.empty(),
                        Optional.of(now),
                        from),
                JobManagerDeploymentState.DEPLOYING,
                new ReconciliationStatus(
                        Optional.of(now),
                        Optional.of(spec.encode()),
                        reconciliation.lastStableSpec(),
                        ReconciliationState.UPGRADING),
                new AttemptStatus(Optional.of(attemptId), Optional.empty(), lastCheckpoint));
    }

    /** The job's end is about to be asked for; its spec stays the former one until it has ended. */
    Draft stoppingBy(StopStatus stop) {
        return with(attempt.stoppedBy(stop)).in(ReconciliationState.UPGRADING);
    }

    Draft with(AttemptStatus next) {
        return new Draft(job, jobManager, reconciliation, next);
    }

    /** See {@link AttemptStatus#withJar}. */
    Draft withJar(Optional<String> jar) {
        return with(attempt.withJar(jar));
    }

    /** What the job can be restored from once it has ended. */
    Draft restorableFrom(Optional<String> path) {
        return new Draft(job.withUpgradeSavepointPath(path), jobManager, reconciliation, attempt);
    }

    /** The spec is remembered without an attempt; what was stable stays stable. */
    Draft remembering(ReconciledSpec spec) {
        Optional<String> encoded = Optional.of(spec.encode());
        return with(
                new ReconciliationStatus(
                        reconciliation.reconciliationTimestamp(),
                        encoded,
                        reconciliation.isStable() ? encoded : reconciliation.lastStableSpec(),
                        reconciliation.state()));
    }

    Draft in(ReconciliationState state) {
        return with(
                new ReconciliationStatus(
                        reconciliation.reconciliationTimestamp(),
                        reconciliation.lastReconciledSpec(),
                        reconciliation.lastStableSpec(),
                        state));
    }

    Draft stable() {
        return with(
                new ReconciliationStatus(
                        reconciliation.reconciliationTimestamp(),
                        reconciliation.lastReconciledSpec(),
                        reconciliation.lastReconciledSpec(),
                        ReconciliationState.DEPLOYED));
    }

    Draft with(JobManagerDeploymentState state) {
        return new Draft(job, state, reconciliation, attempt);
    }

    /** The job's state as last seen; the time of the update moves only when the state does. */
    Draft with(JobState state, Instant now) {
        return job.state().equals(Optional.of(state))
                ? this
                : new Draft(job.withState(state, now), jobManager, reconciliation, attempt);
    }

    Draft seen(JobOverview overview) {
        return new Draft(
                new JobStatus(
                        Optional.of(overview.name()),
                        job.jobId(),
                        job.state(),
                        Optional.of(overview.startTime()),
                        job.updateTime(),
                        job.upgradeSavepointPath()),
                jobManager,
                reconciliation,
                attempt);
    }

    private Draft with(ReconciliationStatus next) {
        return new Draft(job, jobManager, next, attempt);
    }
}
