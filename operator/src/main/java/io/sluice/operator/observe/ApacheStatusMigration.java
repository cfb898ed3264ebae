// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.AttemptStatus;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.JobStatus;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.api.status.ReconciliationState;
import io.sluice.api.status.StopStatus;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.manifest.StateOptions;
import io.sluice.operator.model.AttemptHistory;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A status that the Apache operator left, in Sluice's words (docs/contract/reconciler.md, sections
 * 2 to 5 and 9). It is read so until Sluice has written one of its own, which names the attempt;
 * from then on nothing is guessed any more.
 *
 * <pre>
 *   DEPLOYED      as it is; a job that ended is looked at once more while its JobManager stands
 *   UPGRADING     deployed already? ─▶ DEPLOYED    cancelling? ─▶ a stop under way
 *                 first deployment, not begun ─▶ as if never reconciled
 *   ROLLING_BACK  is finished      ROLLED_BACK  the last stable spec runs
 * </pre>
 */
public final class ApacheStatusMigration {
    /** How far a node's clock may be behind the API server's. */
    private static final Duration CLOCKS = Duration.ofMinutes(1);

    private ApacheStatusMigration() {}

    /**
     * @param jobManager the Deployment that stands, if one does and is not on its way out
     */
    public static FlinkDeploymentStatus read(
            ObjectNode stored, Optional<Deployment> jobManager, Instant now) {
        FlinkDeploymentStatus status = FlinkDeploymentStatus.of(stored);
        return left(
                        status,
                        stored,
                        jobManager
                                .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
                                .filter(it -> !JobManagerScaleDown.isMarked(it)))
                .map(Left::named)
                .map(Left::withStartOfItsOwn)
                .map(left -> dated(translated(left, now), now))
                .orElse(status);
    }

    /**
     * They do not say since when they look for a job that they have never seen. Without that no
     * wait for it would come to an end.
     */
    private static FlinkDeploymentStatus dated(FlinkDeploymentStatus status, Instant now) {
        JobStatus job = status.jobStatus();
        boolean isUndated =
                job.state().equals(Optional.of(JobState.RECONCILING))
                        && job.updateTime().isEmpty();
        return isUndated
                ? status.withJobStatus(job.withState(JobState.RECONCILING, now))
                : status;
    }

    /** Empty if the status is ours, or nothing with a job was ever reconciled. */
    private static Optional<Left> left(
            FlinkDeploymentStatus status, ObjectNode stored, Optional<Deployment> stands) {
        return LastReconciledSpec.from(status.reconciliationStatus())
                .filter(_ -> status.attempt().equals(AttemptStatus.NONE))
                .flatMap(
                        last ->
                                last.spec()
                                        .job()
                                        .map(
                                                job ->
                                                        new Left(
                                                                withSavepoint(status, stored, job),
                                                                last,
                                                                job,
                                                                stands)));
    }

    /**
     * That of a session job, in the layout the flow works on. Only an end that was begun is put
     * into other words: whether the job runs its cluster can be asked.
     */
    public static FlinkDeploymentStatus readHosted(
            FlinkDeploymentStatus status, ObjectNode stored, Instant now) {
        return left(status, stored, Optional.empty())
                .filter(_ -> status.jobStatus().jobId().isPresent())
                .map(
                        left ->
                                left.isEnding() && !left.isSuspended()
                                        ? ended(left, now)
                                        : left.status())
                .orElse(status);
    }

    /**
     * The same, once the cluster was asked for its job. One that was submitted and not recorded is
     * the attempt on record; a first one that was not submitted has never been reconciled.
     */
    public static FlinkDeploymentStatus asked(FlinkDeploymentStatus status, JobView job) {
        if (!AttemptHistory.isUnrecorded(status)) {
            return status;
        }
        if (job instanceof JobView.Seen(var state, _)
                && !state.isTerminal()
                && state != JobState.CANCELLING) {
            return submitted(status);
        }
        return job instanceof JobView.NotListed
                ? LastReconciledSpec.from(status.reconciliationStatus())
                        .filter(LastReconciledSpec::firstDeployment)
                        .map(_ -> forgotten(status))
                        .orElse(status)
                : status;
    }

    private static FlinkDeploymentStatus submitted(FlinkDeploymentStatus status) {
        return LastReconciledSpec.from(status.reconciliationStatus())
                .map(last -> resumed(status, last, status.jobManagerDeploymentStatus()))
                .orElse(status);
    }

    /** What was left, and what of it stands. */
    private record Left(
            FlinkDeploymentStatus status,
            LastReconciledSpec last,
            JobSpec job,
            Optional<Deployment> jobManager) {
        /**
         * Taken over: from now on it has a name. Where Sluice made what stands, and its record of
         * that was removed, it is the name that it was made under.
         */
        Left named() {
            return jobManager
                    .flatMap(it -> annotation(it, ManifestRenderer.ATTEMPT_ANNOTATION))
                    .or(() -> status.jobStatus().jobId())
                    .map(id -> status.attempt().withId(Optional.of(id)))
                    .map(named -> of(status.withAttempt(named)))
                    .orElse(this);
        }

        /**
         * They keep the start of the former job on record until the next one runs; it is not to be
         * taken for one of a cluster that was made after it.
         */
        Left withStartOfItsOwn() {
            boolean isFormer =
                    status.jobStatus()
                            .startTime()
                            .flatMap(start -> created().map(start.plus(CLOCKS)::isBefore))
                            .orElse(false);
            return isFormer
                    ? of(status.withJobStatus(status.jobStatus().withStartTime(Optional.empty())))
                    : this;
        }

        private Left of(FlinkDeploymentStatus next) {
            return new Left(next, last, job, jobManager);
        }

        private Optional<Instant> created() {
            return jobManager
                    .flatMap(it -> Optional.ofNullable(it.getMetadata().getCreationTimestamp()))
                    .map(Instant::parse);
        }

        boolean isSuspended() {
            return job.state() == DesiredJobState.SUSPENDED;
        }

        boolean isStateless() {
            return job.upgradeMode() == UpgradeMode.STATELESS;
        }

        /** Whether the job was being cancelled to be started anew. */
        boolean isEnding() {
            return status.reconciliationStatus().state() == ReconciliationState.UPGRADING
                    && (hasEnded()
                            || status.jobStatus().state().equals(Optional.of(JobState.CANCELLING)));
        }

        /**
         * Whether Sluice was stopping the job when its record of that was removed. The path on
         * record is still what the job was started from: an attempt that is about to be made has no
         * start on record.
         */
        boolean wasBeingStopped() {
            return status.condition("Stalled").isPresent()
                    && status.reconciliationStatus().state() != ReconciliationState.DEPLOYED
                    && status.reconciliationStatus().state() != ReconciliationState.ROLLED_BACK
                    && status.jobStatus().startTime().isPresent();
        }

        boolean hasEnded() {
            return status.jobStatus().state().filter(JobState::isTerminal).isPresent();
        }

        /** The Apache operator's own test of a deployment that it did not live to record. */
        boolean isDeployedAlready() {
            return status.jobManagerDeploymentStatus() == JobManagerDeploymentState.MISSING
                    && jobManager
                            .flatMap(ApacheStatusMigration::generation)
                            .filter(
                                    generation ->
                                            status.observedGeneration()
                                                    .map(Object::toString)
                                                    .equals(Optional.of(generation)))
                            .isPresent();
        }

        /** The job ended with a savepoint whose path only its JobManager knows. */
        boolean hasUntoldState() {
            return jobManager.isPresent()
                    && job.upgradeMode() == UpgradeMode.SAVEPOINT
                    && status.jobStatus().upgradeSavepointPath().isEmpty();
        }
    }

    private static Optional<String> generation(Deployment deployment) {
        return annotation(deployment, ManifestRenderer.GENERATION_ANNOTATION);
    }

    private static Optional<String> annotation(Deployment deployment, String key) {
        return Optional.ofNullable(deployment.getMetadata().getAnnotations())
                .flatMap(annotations -> Optional.ofNullable(annotations.get(key)));
    }

    private static FlinkDeploymentStatus translated(Left left, Instant now) {
        return switch (left.status().reconciliationStatus().state()) {
            case DEPLOYED -> left.isSuspended() ? atRest(left) : deployed(left);
            case UPGRADING -> upgrading(left, now);
            case ROLLING_BACK -> orStopped(left);
            case ROLLED_BACK ->
                    left.status().withAttempt(left.status().attempt().withRolledBack(true));
        };
    }

    /** Their end on record does not mean that the state of it is. */
    private static FlinkDeploymentStatus deployed(Left left) {
        return left.hasEnded() && !left.isStateless() && left.jobManager().isPresent()
                ? left.status().withJobStatus(looking(left.status()))
                : left.status();
    }

    private static FlinkDeploymentStatus atRest(Left left) {
        return left.hasUntoldState()
                ? resumed(left, left.status().jobManagerDeploymentStatus())
                : left.status();
    }

    private static FlinkDeploymentStatus upgrading(Left left, Instant now) {
        if (left.isSuspended()) {
            if (left.isDeployedAlready()) {
                return resumed(left, JobManagerDeploymentState.DEPLOYING);
            }
            if (left.last().firstDeployment()) {
                return forgotten(left.status());
            }
            return atRest(left);
        }
        if (left.isEnding()) {
            return ended(left, now);
        }
        return left.jobManager().isPresent()
                ? resumed(left, left.status().jobManagerDeploymentStatus())
                : orStopped(left);
    }

    /** If nobody can tell the outcome of a stop any more, only the metadata may have the state. */
    private static FlinkDeploymentStatus orStopped(Left left) {
        return left.jobManager().isEmpty() && left.wasBeingStopped()
                ? left.status()
                        .withJobStatus(
                                left.status()
                                        .jobStatus()
                                        .withUpgradeSavepointPath(
                                                Optional.of(StateOptions.LAST_STATE)))
                : left.status();
    }

    /** The state is where the job's end tells it. */
    private static FlinkDeploymentStatus ended(Left left, Instant now) {
        return left.status()
                .with()
                .attempt(left.status().attempt().withStop(Optional.of(cancel(left, now))))
                .jobStatus(looking(left.status()))
                .build();
    }

    /** The cancellation they asked for; asking again changes nothing. */
    private static StopStatus cancel(Left left, Instant now) {
        return new StopStatus(
                StopStatus.How.CANCEL,
                left.status().jobStatus().jobId().orElse(""),
                left.status().observedGeneration().orElse(0L),
                1,
                now,
                Optional.empty());
    }

    private static FlinkDeploymentStatus resumed(Left left, JobManagerDeploymentState state) {
        return resumed(left.status(), left.last(), state);
    }

    /** The last spec is what runs. */
    private static FlinkDeploymentStatus resumed(
            FlinkDeploymentStatus status,
            LastReconciledSpec last,
            JobManagerDeploymentState state) {
        String encoded =
                new ReconciledSpec(last.raw(), last.firstDeployment())
                        .wishing(DesiredJobState.RUNNING)
                        .encode();
        return status.with()
                .reconciliationStatus(
                        status.reconciliationStatus()
                                .with()
                                .lastReconciledSpec(Optional.of(encoded))
                                .state(ReconciliationState.DEPLOYED)
                                .build())
                .jobManagerDeploymentStatus(state)
                .jobStatus(looking(status))
                .build();
    }

    /** A first deployment that never came about is tried as if it had never been reconciled. */
    private static FlinkDeploymentStatus forgotten(FlinkDeploymentStatus status) {
        return status.with()
                .reconciliationStatus(
                        status.reconciliationStatus()
                                .with()
                                .lastReconciledSpec(Optional.empty())
                                .state(ReconciliationState.UPGRADING)
                                .build())
                .attempt(AttemptStatus.NONE)
                .jobStatus(JobStatus.EMPTY)
                .build();
    }

    /** The job as if it had not been seen: its JobManager is asked. */
    private static JobStatus looking(FlinkDeploymentStatus status) {
        return status.jobStatus().withState(Optional.of(JobState.RECONCILING));
    }

    /** Older versions kept the path of a job that does not run in {@code savepointInfo} only. */
    private static FlinkDeploymentStatus withSavepoint(
            FlinkDeploymentStatus status, ObjectNode stored, JobSpec job) {
        boolean rests =
                job.state() == DesiredJobState.SUSPENDED
                        || status.jobStatus().state().filter(JobState::isTerminal).isPresent();
        Optional<String> older =
                Optional.of(stored.at("/jobStatus/savepointInfo/lastSavepoint/location").asText(""))
                        .filter(location -> !location.isEmpty());
        Optional<String> path = status.jobStatus().upgradeSavepointPath();
        return rests && path.isEmpty() && job.upgradeMode() == UpgradeMode.SAVEPOINT
                ? status.withJobStatus(status.jobStatus().withUpgradeSavepointPath(older))
                : status;
    }
}
