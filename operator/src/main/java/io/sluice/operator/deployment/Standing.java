// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.JobSpec;
import io.sluice.api.JobState;
import io.sluice.api.UpgradeMode;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.operator.deployment.StateView.LastCheckpoints;
import io.sluice.operator.deployment.StateView.Retention;
import io.sluice.operator.deployment.UpgradePlan.Age;
import io.sluice.operator.deployment.UpgradePlan.Job;
import io.sluice.operator.deployment.UpgradePlan.JobManager;
import io.sluice.rules.config.Options;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How things stand for an upgrade: a pass, reduced to what the plan hangs on. */
final class Standing {
    private Standing() {}

    static UpgradePlan.Situation of(Pass pass) {
        Options before = pass.running();
        Options after = new Options(pass.effective());
        JobManager jobManager = jobManager(pass);
        Job job = job(pass);
        boolean recoverable =
                pass.snapshot().state().recoverable().contains(pass.jobId())
                        && before.isHighlyAvailable()
                        && after.isHighlyAvailable();
        return new UpgradePlan.Situation(
                pass.spec().job().map(JobSpec::upgradeMode).orElse(UpgradeMode.STATELESS),
                job,
                jobManager,
                recoverable,
                known(pass, job, jobManager),
                isNewVersion(pass),
                after.flag("kubernetes.operator.job.upgrade.last-state-fallback.enabled", true),
                after.flag("kubernetes.operator.job.upgrade.last-state.job-cancel.enabled", false),
                StopOptions.of(pass).folder().isPresent(),
                age(pass, after),
                pass.snapshot().state().retention(),
                checkpoint(pass));
    }

    /** What the job was started from counts, as long as it makes checkpoints of its own. */
    static UpgradePlan.Checkpoint checkpoint(Pass pass) {
        boolean makesNone =
                pass.snapshot().state().retention()
                                instanceof Retention.Told(CheckpointRetention told)
                        && told == CheckpointRetention.NO_CHECKPOINTS;
        if (makesNone) {
            return UpgradePlan.Checkpoint.NONE;
        }
        return switch (pass.snapshot().state().last()) {
            case LastCheckpoints.NotAsked _, LastCheckpoints.Unread _ ->
                    UpgradePlan.Checkpoint.UNREAD;
            case LastCheckpoints.Told(var told) ->
                    told.latest().isPresent() || KnownState.startedFrom(pass).isPresent()
                            ? UpgradePlan.Checkpoint.MADE
                            : UpgradePlan.Checkpoint.NONE;
        };
    }

    /** A session job's is its cluster's, and changes with that alone. */
    private static boolean isNewVersion(Pass pass) {
        return !pass.runningVersion().equals(pass.spec().flinkVersion());
    }

    /**
     * While an upgrade is under way, or the job at rest, the state of the job is on record: what
     * still stands of a former cluster has no say any more.
     */
    private static JobManager jobManager(Pass pass) {
        if (pass.sessionJob().isPresent()) {
            return hosted(pass, pass.sessionJob().get().host());
        }
        boolean settled = pass.wasSuspended() || pass.isUpgrading();
        return switch (pass.cluster().jobManager()) {
            case JobManagerView.Present standing -> {
                boolean isOwn =
                        standing.attempt().isEmpty() || standing.attempt().equals(pass.attempt());
                if (pass.wasSuspended()
                        || (pass.isUpgrading() && !isOwn)
                        || pass.neverRan(standing)
                        || JobFacts.isUnsubmitted(pass)) {
                    yield JobManager.NEVER_UP;
                }
                yield standing.available() ? JobManager.READY : ailing(pass);
            }
            case JobManagerView.Terminating _ ->
                    settled ? JobManager.NEVER_UP : JobManager.STARTING;
            case JobManagerView.Absent _ -> settled ? JobManager.NEVER_UP : JobManager.MISSING;
        };
    }

    private static JobManager hosted(Pass pass, Target.Host host) {
        if (JobFacts.neverRan(pass)) {
            return JobManager.NEVER_UP;
        }
        return switch (host.state()) {
            case READY -> JobManager.READY;
            case NOT_READY, DOWN -> JobManager.STARTING;
            case MISSING -> JobManager.MISSING;
        };
    }

    private static JobManager ailing(Pass pass) {
        return pass.cluster().problem().isPresent() ? JobManager.BROKEN : JobManager.STARTING;
    }

    private static Job job(Pass pass) {
        return JobFacts.recordedEnd(pass)
                .map(Standing::job)
                .orElseGet(
                        () ->
                                switch (pass.snapshot().job()) {
                                    case JobView.Seen seen when JobFacts.isSucceededBy(pass, seen) ->
                                            Job.BEGUN_ANEW;
                                    case JobView.Seen seen ->
                                            seen.isUp() ? Job.RUNNING : job(seen.state());
                                    case JobView.NotAsked _ -> Job.UNKNOWN;
                                    case JobView.Unreachable _ -> Job.UNKNOWN;
                                    case JobView.NotListed _ ->
                                            JobFacts.isGone(pass) ? Job.GONE : Job.UNKNOWN;
                                });
    }

    private static Job job(JobState state) {
        return switch (state) {
            case CANCELED -> Job.CANCELED;
            case FAILED, FINISHED -> Job.ENDED;
            case CANCELLING -> Job.CANCELLING;
            case INITIALIZING, CREATED, RUNNING, FAILING, RESTARTING, SUSPENDED, RECONCILING ->
                    Job.UNSETTLED;
        };
    }

    private static KnownState known(Pass pass, Job job, JobManager jobManager) {
        if (jobManager == JobManager.NEVER_UP) {
            return KnownState.source(pass);
        }
        return switch (job) {
            case CANCELED, ENDED ->
                    JobFacts.recordedEnd(pass).isPresent()
                            ? KnownState.ofRecordedEnd(pass)
                            : KnownState.ofEnded(pass);
            case RUNNING, UNSETTLED, CANCELLING, UNKNOWN, GONE, BEGUN_ANEW ->
                    new KnownState.Unread("");
        };
    }

    /** Checkpoints that could not be read count as too old: a savepoint is always young. */
    private static Age age(Pass pass, Options after) {
        Optional<Duration> limit =
                after.duration(
                        "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age");
        if (limit.isEmpty()
                || !(pass.snapshot().state().last() instanceof LastCheckpoints.Told(var told))) {
            return limit.isEmpty() ? Age.FINE : Age.TOO_OLD;
        }
        Instant oldest = pass.snapshot().now().minus(limit.get());
        boolean justStarted =
                pass.snapshot().job() instanceof JobView.Seen(_, var overview)
                        && overview.startTime().isAfter(oldest);
        boolean young = justStarted || isYoung(told, oldest);
        if (young) {
            return Age.FINE;
        }
        return told.pendingSince().filter(oldest::isBefore).isPresent() ? Age.PENDING : Age.TOO_OLD;
    }

    private static boolean isYoung(Checkpoints told, Instant oldest) {
        return told.completed().map(CheckpointRef::at).filter(oldest::isBefore).isPresent();
    }
}
