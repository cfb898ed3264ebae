// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.StateKind;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.AttemptStatus.StartedWith;
import io.sluice.api.status.JobState;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.api.status.ReconciliationState;
import io.sluice.api.status.StopStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.manifest.StateOptions;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.StartOptions;
import io.sluice.operator.model.Target;
import io.sluice.rules.config.Options;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What the steps of one decision share: the observed state, the spec that is to be carried out, and
 * the draft as the steps before left it. Steps hand it on changed; nothing in it is mutable.
 *
 * @param wanted the spec to carry out: the current one, or the one reconciled last if the current
 *     can't be
 */
@RecordBuilder
public record StepContext(
        ObservedState observed,
        ReconciledSpec wanted,
        FlinkDeploymentSpec spec,
        StatusDraft draft,
        List<ResourceEvent> notes)
        implements StepContextBuilder.With {
    private static final Duration BRIEFLY = Duration.ofSeconds(1);

    public StepContext {
        notes = List.copyOf(notes);
    }

    /** The first step's: the draft is the status as it is stored, and nothing is reported yet. */
    public static StepContext of(
            ObservedState observed, ReconciledSpec wanted, FlinkDeploymentSpec spec) {
        return new StepContext(
                observed, wanted, spec, StatusDraft.of(observed.status()), List.of());
    }

    public StepContext withDraft(UnaryOperator<StatusDraft> change) {
        return withDraft(change.apply(draft));
    }

    public StepContext withEvent(ResourceEvent event) {
        List<ResourceEvent> more = new ArrayList<>(notes);
        more.add(event);
        return withNotes(more);
    }

    /** The nonce counts as answered, in the spec to carry out and in the one on record. */
    public StepContext withAnsweredNonce(StateKind kind, long nonce) {
        return with().wanted(wanted.withNonce(kind, nonce))
                .draft(draft.answering(kind, nonce))
                .build();
    }

    /** The job's state as last seen, told as an event when it is news. */
    public StepContext withJobState(JobState state) {
        Optional<JobState> before = draft.job().state();
        if (before.equals(Optional.of(state))) {
            return this;
        }
        String from = before.map(known -> known.wire() + " to ").orElse("");
        return withDraft(draft.withJobState(state, observed.now()))
                .withEvent(
                        ResourceEvent.of(
                                "Job",
                                OperatorEvent.JOB_STATUS_CHANGED,
                                jobId() + "/" + state.wire(),
                                "Job status changed from " + from + state.wire()));
    }

    /** What the wanted spec runs with. */
    public FlinkConfiguration effective() {
        return effective(spec);
    }

    private FlinkConfiguration effective(FlinkDeploymentSpec of) {
        FlinkConfiguration below =
                sessionJob()
                        .map(job -> job.cluster().configuration())
                        .orElse(FlinkConfiguration.EMPTY);
        return observed.defaults()
                .effective(
                        observed.identity().namespace(),
                        version(of),
                        below,
                        of.flinkConfiguration());
    }

    /** The Flink version the wanted spec runs on. */
    public Optional<FlinkVersion> version() {
        return version(spec);
    }

    private Optional<FlinkVersion> version(FlinkDeploymentSpec of) {
        return sessionJob().map(job -> job.cluster().version()).orElseGet(of::flinkVersion);
    }

    /** The resource as a session job, if it is one. */
    public Optional<Target.SessionJob> sessionJob() {
        return observed.target() instanceof Target.SessionJob job
                ? Optional.of(job)
                : Optional.empty();
    }

    /** What kind of thing the resource asks for. */
    public Target target() {
        return observed.target();
    }

    public boolean isSessionCluster() {
        return observed.target() instanceof Target.SessionCluster;
    }

    /**
     * Whether a JobManager that restarts after the job's end leaves it ended; a session cluster's
     * runs no job by itself.
     */
    public boolean leavesEnded() {
        return !target().hasOwnJobManager() || StateOptions.keepsResults(running());
    }

    public boolean isDesiredRunning() {
        return spec.job().map(JobSpec::state).orElse(DesiredJobState.RUNNING)
                == DesiredJobState.RUNNING;
    }

    public boolean isStateless() {
        return spec.job().map(JobSpec::upgradeMode).orElse(UpgradeMode.STATELESS)
                == UpgradeMode.STATELESS;
    }

    /** Whether neither the spec that is carried out nor the one that is asked for keeps state. */
    public boolean discardsState() {
        return isStateless() && !observed.spec().asksForState();
    }

    /** Whether an attempt is on record that has yet to be made real. */
    public boolean isUpgrading() {
        return draft.reconciliation().state() == ReconciliationState.UPGRADING
                || draft.reconciliation().state() == ReconciliationState.ROLLING_BACK;
    }

    public String jobId() {
        return draft.job().jobId().orElse("");
    }

    public ClusterView cluster() {
        return observed.cluster();
    }

    public Duration soon() {
        return observed.polls().progress();
    }

    /** While a job is being stopped, which was asked for at a time. */
    public Duration untilStopped(Instant asked) {
        return observed.polls().whileDown(Duration.between(asked, observed.now()));
    }

    /** While a step follows that was begun by this operator itself. */
    public Duration briefly() {
        return soon().compareTo(BRIEFLY) < 0 ? soon() : BRIEFLY;
    }

    /** What the Deployment of the recorded attempt is annotated with. */
    public Optional<String> attempt() {
        return draft.attempt().id().or(() -> draft.job().jobId());
    }

    /**
     * Whether the JobManager that stands has certainly run no job: it was never up, by the word of
     * its Deployment, which is wrong where one of two was, and by the record, on which no start of
     * this attempt's job is.
     */
    public boolean neverRan(JobManagerView.Present standing) {
        return !standing.everAvailable() && draft.job().startTime().isEmpty();
    }

    /** The end that was asked for and has not come about yet. */
    public Optional<StopStatus> stopUnderWay() {
        return draft.attempt().stop().filter(StopStatus::isUnderWay);
    }

    /** Whether the last reconciled spec asks for a job at rest. */
    public boolean wasSuspended() {
        return observed.lastReconciled()
                .flatMap(before -> before.spec().job())
                .filter(job -> job.state() == DesiredJobState.SUSPENDED)
                .isPresent();
    }

    /**
     * By what the attempt on record is restored; means nothing any more once the attempt has run.
     */
    UpgradeMode restoreMode() {
        return isUpgrading() || wasSuspended()
                ? observed.lastReconciled()
                        .flatMap(before -> before.spec().job())
                        .map(JobSpec::upgradeMode)
                        .orElse(UpgradeMode.STATELESS)
                : UpgradeMode.SAVEPOINT;
    }

    /** The options of this spec, with those that the cluster keeps that was started last. */
    public Options asStarted() {
        return asStarted(effective());
    }

    private Options asStarted(FlinkConfiguration today) {
        return new Options(StartOptions.running(today, observed.status().attempt().startedWith()));
    }

    /** What the job of the last reconciled spec runs with. */
    public Options running() {
        return asStarted(
                LastReconciledSpec.running(observed.status())
                        .map(before -> effective(before.spec()))
                        .orElseGet(this::effective));
    }

    /** The Flink version of the cluster that was started last; its metadata are of that version. */
    public Optional<FlinkVersion> runningVersion() {
        return observed.status()
                .attempt()
                .startedWith()
                .map(StartedWith::flinkVersion)
                .orElseGet(
                        () ->
                                LastReconciledSpec.running(observed.status())
                                        .flatMap(before -> before.spec().flinkVersion()));
    }

    /** The wanted spec's cluster is about to be started: what it is started with is recorded. */
    public StepContext withStartOptions() {
        StartedWith options = StartOptions.of(version(), effective());
        return withDraft(draft.withAttempt(draft.attempt().withStartedWith(Optional.of(options))));
    }

    /** Whether an attempt runs under the job id of the one before it. */
    public enum JobId {
        KEPT,
        NEW;

        /** Where its last state is kept, so is its id. */
        public static JobId of(StartFrom from) {
            return from instanceof StartFrom.LastState ? KEPT : NEW;
        }
    }

    /**
     * A new id keeps metadata that Flink left of the former job from being taken for newer than
     * what the job is to be resumed from.
     */
    public StepContext resumeFrom(StartFrom from, JobId which) {
        return from instanceof StartFrom.Savepoint
                        && which == JobId.NEW
                        && target().recoversFromMetadata()
                ? withDraft(draft.withJobId(nextAttempt()))
                : this;
    }

    private String nextAttempt() {
        String uid = observed.identity().uid();
        long generation = observed.identity().generation();
        return sessionJob().isPresent()
                ? AttemptIds.ofSessionJob(uid, generation, attempt())
                : AttemptIds.id(uid, generation, attempt());
    }

    /** Takes {@code wanted} up as a new attempt. */
    public StepContext startAttempt(StartFrom from) {
        return startAttempt(from, JobId.of(from));
    }

    /** As {@link #startAttempt(StartFrom)}. */
    public StepContext startAttempt(StartFrom from, JobId which) {
        String id = nextAttempt();
        String jobId = which == JobId.KEPT ? jobId() : id;
        ReconciledSpec restored = withRestoreMode(from);
        ReconciledSpec recorded = isOwnState(from) ? restored.notFirst() : restored;
        return with().wanted(recorded)
                .draft(
                        draft.beginning(
                                recorded,
                                id,
                                jobId,
                                RestorableState.recorded(from),
                                RestorableState.lastSeen(this, from),
                                observed.now()))
                .build();
    }

    /** Whether an earlier job of the resource made the state that {@code from} names. */
    private boolean isOwnState(StartFrom from) {
        return switch (from) {
            case StartFrom.Nothing _ -> false;
            case StartFrom.LastState _ -> true;
            case StartFrom.Savepoint(var path) ->
                    !spec.job().flatMap(JobSpec::initialSavepointPath).equals(Optional.of(path));
        };
    }

    /** The wanted spec with what it is restored by, as the wire format keeps it. */
    public ReconciledSpec withRestoreMode(StartFrom from) {
        if (isStateless()) {
            return wanted;
        }
        return wanted.restoredBy(
                from instanceof StartFrom.LastState
                        ? UpgradeMode.LAST_STATE
                        : UpgradeMode.SAVEPOINT);
    }

    public Decision decide(
            Reason reason, String detail, Optional<Duration> checkAgain, Action... actions) {
        return new Decision(
                reason,
                detail,
                StatusRenderer.status(this, reason, detail),
                List.of(actions),
                notes,
                checkAgain);
    }

    public Decision decide(Reason reason, Duration checkAgain, Action... actions) {
        return decide(reason, "", Optional.of(checkAgain), actions);
    }

    /**
     * The JobManager gave no answer that can be used: what was known stays known, and nothing is
     * done.
     *
     * @param usual the reason where no answer came
     */
    public Decision unanswered(NoAnswer noAnswer, Reason usual, String message) {
        return switch (noAnswer) {
            case NO_ANSWER -> decide(usual, message, Optional.of(soon()));
            case TOO_LARGE ->
                    withEvent(
                                    ResourceEvent.warning(
                                            "Job",
                                            Reason.ANSWER_TOO_LARGE,
                                            attempt().orElse(""),
                                            message))
                            .decide(
                                    Reason.ANSWER_TOO_LARGE,
                                    message,
                                    Optional.of(observed.polls().steady()));
        };
    }
}
