// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.AttemptStatus;
import io.sluice.api.AttemptStatus.SeenCheckpoint;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobLog;
import io.sluice.api.JobManagerDeploymentState;
import io.sluice.api.JobState;
import io.sluice.api.JobStatus;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.ReconciliationState;
import io.sluice.api.ReconciliationStatus;
import io.sluice.api.StateKind;
import io.sluice.api.StopStatus;
import io.sluice.flink.rest.JobOverview;
import io.sluice.operator.model.LastReconciledSpec;
import java.time.Instant;
import java.util.Optional;

/**
 * The parts of a status that a decision sets; everything else follows from them and from the
 * reason.
 */
public record StatusDraft(
        JobStatus job,
        JobManagerDeploymentState jobManager,
        ReconciliationStatus reconciliation,
        AttemptStatus attempt) {
    public static StatusDraft of(FlinkDeploymentStatus status) {
        return new StatusDraft(
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
    StatusDraft beginning(
            ReconciledSpec spec,
            String attemptId,
            String jobId,
            Optional<String> from,
            Optional<SeenCheckpoint> lastCheckpoint,
            Instant now) {
        boolean rollsBack = isRolledBack();
        return new StatusDraft(
                new JobStatus(
                        job.jobName(),
                        Optional.of(jobId),
                        Optional.of(JobState.RECONCILING),
                        Optional.empty(),
                        Optional.of(now),
                        from,
                        job.log().beginning()),
                JobManagerDeploymentState.DEPLOYING,
                new ReconciliationStatus(
                        Optional.of(now),
                        Optional.of(spec.encode()),
                        reconciliation.lastStableSpec(),
                        rollsBack
                                ? ReconciliationState.ROLLING_BACK
                                : ReconciliationState.UPGRADING),
                attempt.next(attemptId, lastCheckpoint, rollsBack, from.isEmpty()));
    }

    /** The job's end is about to be asked for; its spec stays the former one until it has ended. */
    public StatusDraft stoppingBy(StopStatus stop) {
        StatusDraft stopping = with(attempt.stoppedBy(stop));
        return reconciliation.state() == ReconciliationState.ROLLING_BACK
                ? stopping
                : stopping.in(ReconciliationState.UPGRADING);
    }

    /** Whether what is carried out is the last stable spec, in place of the one taken up last. */
    public boolean isRolledBack() {
        return reconciliation.state() == ReconciliationState.ROLLING_BACK
                || reconciliation.state() == ReconciliationState.ROLLED_BACK;
    }

    /** The attempt on record is what stands. */
    public StatusDraft deployed() {
        return in(
                attempt.rolledBack()
                        ? ReconciliationState.ROLLED_BACK
                        : ReconciliationState.DEPLOYED);
    }

    /** The spec was taken up at {@code when}, however often it has been started since. */
    public StatusDraft takenUpAt(Optional<Instant> when) {
        return with(
                new ReconciliationStatus(
                        when,
                        reconciliation.lastReconciledSpec(),
                        reconciliation.lastStableSpec(),
                        reconciliation.state()));
    }

    public StatusDraft with(AttemptStatus next) {
        return new StatusDraft(job, jobManager, reconciliation, next);
    }

    public StatusDraft with(JobLog log) {
        return new StatusDraft(job.withLog(log), jobManager, reconciliation, attempt);
    }

    /** See {@link AttemptStatus#withJar}. */
    public StatusDraft withJar(Optional<String> jar) {
        return with(attempt.withJar(jar));
    }

    public StatusDraft withJobId(String jobId) {
        return new StatusDraft(job.withJobId(jobId), jobManager, reconciliation, attempt);
    }

    /**
     * What the job can be restored from once it has ended.
     *
     * @param path empty if it is known that there is nothing
     */
    public StatusDraft restorableFrom(Optional<String> path) {
        return new StatusDraft(
                job.withUpgradeSavepointPath(path),
                jobManager,
                reconciliation,
                attempt.startingEmpty(path.isEmpty()));
    }

    /** The spec is remembered without an attempt; what was stable stays stable. */
    public StatusDraft remembering(ReconciledSpec spec) {
        Optional<String> encoded = Optional.of(spec.encode());
        return remembering(
                encoded, reconciliation.isStable() ? encoded : reconciliation.lastStableSpec());
    }

    /** The spec is remembered without an attempt; whether it is stable has to be seen. */
    public StatusDraft rememberingUnproven(ReconciledSpec spec) {
        return remembering(Optional.of(spec.encode()), reconciliation.lastStableSpec());
    }

    private StatusDraft remembering(Optional<String> last, Optional<String> stable) {
        return with(
                new ReconciliationStatus(
                        reconciliation.reconciliationTimestamp(),
                        last,
                        stable,
                        reconciliation.state()));
    }

    /**
     * The nonce counts as answered, in the spec on record: an upgrade that is about to record
     * another one does not make that stable.
     */
    StatusDraft answering(StateKind kind, long nonce) {
        return reconciliation
                .lastReconciledSpec()
                .flatMap(ReconciledSpec::decode)
                .map(recorded -> remembering(recorded.withNonce(kind, nonce)))
                .orElse(this);
    }

    public StatusDraft in(ReconciliationState state) {
        return with(
                new ReconciliationStatus(
                        reconciliation.reconciliationTimestamp(),
                        reconciliation.lastReconciledSpec(),
                        reconciliation.lastStableSpec(),
                        state));
    }

    /** What runs, runs well; after a rollback that says nothing of the spec that failed. */
    public StatusDraft stable() {
        if (isRolledBack()) {
            return this;
        }
        return with(new ReconciliationStatus(
                        reconciliation.reconciliationTimestamp(),
                        reconciliation.lastReconciledSpec(),
                        reconciliation.lastReconciledSpec(),
                        ReconciliationState.DEPLOYED))
                .with(attempt.replacing(Optional.empty()));
    }

    /**
     * The job is at rest, as it was asked to be. That is no proof of a spec that has never run: a
     * rollback would go back to it. So it counts as stable only if it would restart nothing that
     * was.
     */
    public StatusDraft resting() {
        if (isRolledBack() || isProven()) {
            return stable();
        }
        return in(ReconciliationState.DEPLOYED);
    }

    private boolean isProven() {
        return reconciliation.isStable()
                || LastReconciledSpec.from(reconciliation).stream()
                        .anyMatch(
                                last ->
                                        LastReconciledSpec.stable(reconciliation)
                                                .filter(ran -> last.restartsNothingOf(ran))
                                                .isPresent());
    }

    public StatusDraft with(JobManagerDeploymentState state) {
        return new StatusDraft(job, state, reconciliation, attempt);
    }

    /** The job's state as last seen; the time of the update moves only when the state does. */
    public StatusDraft with(JobState state, Instant now) {
        return job.state().equals(Optional.of(state))
                ? this
                : new StatusDraft(job.withState(state, now), jobManager, reconciliation, attempt);
    }

    /** Nobody can tell the job's state: its JobManager is not there, or does not answer. */
    public StatusDraft unheard(Instant now) {
        return job.state().filter(JobState::isTerminal).isPresent()
                ? this
                : with(JobState.RECONCILING, now);
    }

    /** The JobManager answers again since {@code now}, and does not list the job. */
    StatusDraft missedSince(Instant now) {
        return new StatusDraft(
                job.withState(JobState.RECONCILING, now), jobManager, reconciliation, attempt);
    }

    /** Once a run of the job was seen, that there is no state has to be told anew. */
    public StatusDraft seen(JobOverview overview) {
        boolean isSameRun = job.startTime().equals(Optional.of(overview.startTime()));
        return new StatusDraft(
                new JobStatus(
                        Optional.of(overview.name()),
                        job.jobId(),
                        job.state(),
                        Optional.of(overview.startTime()),
                        job.updateTime(),
                        job.upgradeSavepointPath(),
                        job.log()),
                jobManager,
                reconciliation,
                attempt.startingEmpty(attempt.startsEmpty() && isSameRun));
    }

    /** The job of this attempt has not begun to run. */
    public StatusDraft unstarted() {
        return new StatusDraft(job.withoutStart(), jobManager, reconciliation, attempt);
    }

    private StatusDraft with(ReconciliationStatus next) {
        return new StatusDraft(job, jobManager, next, attempt);
    }
}
