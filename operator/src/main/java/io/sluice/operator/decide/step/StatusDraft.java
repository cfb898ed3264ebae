// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.spec.StateKind;
import io.sluice.api.status.AttemptStatus;
import io.sluice.api.status.AttemptStatus.ReplacedJob;
import io.sluice.api.status.AttemptStatus.SeenCheckpoint;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobLog;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.JobStatus;
import io.sluice.api.status.LastUpgrade;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.api.status.ReconciliationState;
import io.sluice.api.status.ReconciliationStatus;
import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.JobOverview;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.SpecView;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * The parts of a status that a decision sets; everything else follows from them and from the
 * reason.
 */
@RecordBuilder
public record StatusDraft(
        JobStatus job,
        JobManagerDeploymentState jobManager,
        ReconciliationStatus reconciliation,
        AttemptStatus attempt,
        Optional<LastUpgrade> lastUpgrade)
        implements StatusDraftBuilder.With {
    public static StatusDraft of(FlinkDeploymentStatus status) {
        return new StatusDraft(
                status.jobStatus(),
                status.jobManagerDeploymentStatus(),
                status.reconciliationStatus(),
                status.attempt(),
                status.lastUpgrade());
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
                job.with()
                        .jobId(Optional.of(jobId))
                        .state(Optional.of(JobState.RECONCILING))
                        .startTime(Optional.empty())
                        .updateTime(Optional.of(now))
                        .upgradeSavepointPath(from)
                        .log(job.log().ofNewAttempt())
                        .build(),
                JobManagerDeploymentState.DEPLOYING,
                reconciliation
                        .with()
                        .reconciliationTimestamp(Optional.of(now))
                        .lastReconciledSpec(Optional.of(spec.encode()))
                        .state(
                                rollsBack
                                        ? ReconciliationState.ROLLING_BACK
                                        : ReconciliationState.UPGRADING)
                        .build(),
                attempt.next(attemptId, lastCheckpoint, rollsBack, from.isEmpty()),
                lastUpgrade);
    }

    /** The job's end is about to be asked for; its spec stays the former one until it has ended. */
    public StatusDraft stoppingBy(StopStatus stop) {
        StatusDraft stopping = withStop(Optional.of(stop));
        return reconciliation.state() == ReconciliationState.ROLLING_BACK
                ? stopping
                : stopping.in(ReconciliationState.UPGRADING);
    }

    /** Whether what is carried out is the last stable spec, not the last reconciled one. */
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

    /** The spec was reconciled at {@code when}, however often it has been started since. */
    public StatusDraft reconciledAt(Optional<Instant> when) {
        return withReconciliation(reconciliation.withReconciliationTimestamp(when));
    }

    public StatusDraft withLog(JobLog log) {
        return withJob(job.withLog(log));
    }

    public StatusDraft withStop(Optional<StopStatus> stop) {
        return withAttempt(attempt.withStop(stop));
    }

    /** The job is not down for an upgrade, or what is down is not to come back. */
    public StatusDraft uninterrupted() {
        return withAttempt(attempt.withInterruption(Optional.empty()));
    }

    public StatusDraft withJar(Optional<String> jar) {
        return withAttempt(attempt.withJar(jar));
    }

    public StatusDraft withJobId(String jobId) {
        return withJob(job.withJobId(Optional.of(jobId)));
    }

    /**
     * What the job can be restored from once it has ended.
     *
     * @param path empty if it is known that there is nothing
     */
    public StatusDraft restorableFrom(Optional<String> path) {
        return with().job(job.withUpgradeSavepointPath(path))
                .attempt(attempt.withStartsEmpty(path.isEmpty()))
                .build();
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
        return withReconciliation(
                reconciliation.with().lastReconciledSpec(last).lastStableSpec(stable).build());
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
        return withReconciliation(reconciliation.withState(state));
    }

    /**
     * The job runs well, so the spec on record counts as stable. After a rollback nothing changes:
     * another spec runs than the one on record. The record of the job before a redeployment is
     * removed, unless the user may have gone back to that job.
     *
     * @param current the spec that the user asks for
     */
    public StatusDraft stable(SpecView current) {
        if (isRolledBack()) {
            return this;
        }
        return with().reconciliation(
                        reconciliation
                                .with()
                                .lastStableSpec(reconciliation.lastReconciledSpec())
                                .state(ReconciliationState.DEPLOYED)
                                .build())
                .attempt(
                        attempt.withReplaced(
                                attempt.replaced().filter(job -> mayBeMeant(job, current))))
                .build();
    }

    /** Whether the user asks for the job again, and the operator has not carried that out yet. */
    private boolean mayBeMeant(ReplacedJob job, SpecView current) {
        return switch (current) {
            case SpecView.Invalid _ -> true;
            case SpecView.Valid(var spec, _) ->
                    job.redeployNonce().equals(spec.savepointRedeployNonce())
                            && !LastReconciledSpec.from(reconciliation)
                                    .map(last -> last.spec().savepointRedeployNonce())
                                    .equals(Optional.of(job.redeployNonce()));
        };
    }

    /**
     * The job is at rest, as it was asked to be. That is no proof of a spec that has never run: a
     * rollback would go back to it. So it counts as stable only if it would restart nothing that
     * was.
     */
    public StatusDraft resting(SpecView current) {
        if (isRolledBack() || isProven()) {
            return stable(current);
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

    /** The job's state as last seen; the time of the update moves only when the state does. */
    public StatusDraft withJobState(JobState state, Instant now) {
        return job.state().equals(Optional.of(state)) ? this : withJob(job.withState(state, now));
    }

    /** Nobody can tell the job's state: its JobManager is not there, or does not answer. */
    public StatusDraft withUnknownJobState(Instant now) {
        return job.state().filter(JobState::isTerminal).isPresent()
                ? this
                : withJobState(JobState.RECONCILING, now);
    }

    /** The JobManager answers again since {@code now}, and does not list the job. */
    StatusDraft missedSince(Instant now) {
        return withJob(job.withState(JobState.RECONCILING, now));
    }

    /** Once a run of the job was seen, that there is no state has to be told anew. */
    public StatusDraft seen(JobOverview overview) {
        boolean isSameRun = job.startTime().equals(Optional.of(overview.startTime()));
        return with().job(
                        job.with()
                                .jobName(Optional.of(overview.name()))
                                .startTime(Optional.of(overview.startTime()))
                                .build())
                .attempt(attempt.withStartsEmpty(attempt.startsEmpty() && isSameRun))
                .build();
    }

    /** The job of this attempt has not begun to run. */
    public StatusDraft unstarted() {
        return withJob(job.withStartTime(Optional.empty()));
    }
}
