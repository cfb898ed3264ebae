// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobManagerDeploymentState;
import io.sluice.api.JobState;
import io.sluice.api.JobStatus;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.ReconciliationState;
import io.sluice.api.ReconciliationStatus;
import io.sluice.flink.rest.JobOverview;
import java.time.Instant;
import java.util.Optional;

/**
 * The parts of a status that a decision sets; everything else follows from them and from the
 * reason.
 */
record Draft(
        JobStatus job, JobManagerDeploymentState jobManager, ReconciliationStatus reconciliation) {
    static Draft of(FlinkDeploymentStatus status) {
        return new Draft(
                status.jobStatus(),
                status.jobManagerDeploymentStatus(),
                status.reconciliationStatus());
    }

    /**
     * A new attempt at running {@code spec} is about to begin: this is what makes a crash right
     * after it harmless.
     */
    Draft beginning(ReconciledSpec spec, String jobId, Instant now) {
        return new Draft(
                new JobStatus(
                        job.jobName(),
                        Optional.of(jobId),
                        Optional.of(JobState.RECONCILING),
                        Optional.empty(),
                        Optional.of(now),
                        job.upgradeSavepointPath()),
                JobManagerDeploymentState.DEPLOYING,
                new ReconciliationStatus(
                        Optional.of(now),
                        Optional.of(spec.encode()),
                        reconciliation.lastStableSpec(),
                        ReconciliationState.UPGRADING));
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
        return new Draft(job, state, reconciliation);
    }

    /** The job's state as last seen; the time of the update moves only when the state does. */
    Draft with(JobState state, Instant now) {
        return job.state().equals(Optional.of(state))
                ? this
                : new Draft(job.withState(state, now), jobManager, reconciliation);
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
                reconciliation);
    }

    private Draft with(ReconciliationStatus next) {
        return new Draft(job, jobManager, next);
    }
}
