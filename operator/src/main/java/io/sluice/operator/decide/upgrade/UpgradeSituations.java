// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.JobState;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.operator.decide.step.JobFacts;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.SavepointOptions;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.upgrade.UpgradePlan.Age;
import io.sluice.operator.decide.upgrade.UpgradePlan.Job;
import io.sluice.operator.decide.upgrade.UpgradePlan.JobManager;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.StateView.Retention;
import io.sluice.operator.model.Target;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.LifecycleOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How things stand for an upgrade: a reconciliation, reduced to what the plan hangs on. */
public final class UpgradeSituations {
    private UpgradeSituations() {}

    public static UpgradePlan.Situation of(StepContext context) {
        Options before = context.running();
        Options after = new Options(context.effective());
        JobManager jobManager = jobManager(context);
        Job job = job(context);
        boolean recoverable =
                context.observed().state().recoverable().contains(context.jobId())
                        && before.keepsMetadataInKubernetes()
                        && after.keepsMetadataInKubernetes();
        return new UpgradePlan.Situation(
                context.spec().job().map(JobSpec::upgradeMode).orElse(UpgradeMode.STATELESS),
                job,
                jobManager,
                recoverable,
                known(context, job, jobManager),
                isNewVersion(context),
                after.get(LifecycleOptions.LAST_STATE_FALLBACK),
                after.get(LifecycleOptions.LAST_STATE_BY_CANCEL),
                SavepointOptions.of(context).folder().isPresent(),
                age(context, after),
                context.observed().state().retention(),
                checkpoint(context));
    }

    /** What the job was started from counts, as long as it makes checkpoints of its own. */
    static UpgradePlan.Checkpoint checkpoint(StepContext context) {
        boolean makesNone =
                context.observed().state().retention()
                                instanceof Retention.Known(CheckpointRetention told)
                        && told == CheckpointRetention.NO_CHECKPOINTS;
        if (makesNone) {
            return UpgradePlan.Checkpoint.NONE;
        }
        return switch (context.observed().state().last()) {
            case LastCheckpoints.NotAsked _, LastCheckpoints.Unread _ ->
                    UpgradePlan.Checkpoint.UNREAD;
            case LastCheckpoints.Known(var told) ->
                    told.latest().isPresent() || RestorableState.startedFrom(context).isPresent()
                            ? UpgradePlan.Checkpoint.MADE
                            : UpgradePlan.Checkpoint.NONE;
        };
    }

    /** A session job's is its cluster's, and changes with that alone. */
    private static boolean isNewVersion(StepContext context) {
        return !context.runningVersion().equals(context.spec().flinkVersion());
    }

    /**
     * While an upgrade is under way, or the job at rest, the state of the job is on record: what
     * still stands of a former cluster has no say any more.
     */
    private static JobManager jobManager(StepContext context) {
        if (context.sessionJob().isPresent()) {
            return ofSessionCluster(context, context.sessionJob().get().cluster());
        }
        boolean settled = context.wasSuspended() || context.isUpgrading();
        return switch (context.cluster().jobManager()) {
            case JobManagerView.Present standing -> {
                boolean isOwn =
                        standing.attempt().isEmpty()
                                || standing.attempt().equals(context.attempt());
                if (context.wasSuspended()
                        || (context.isUpgrading() && !isOwn)
                        || context.neverRan(standing)
                        || JobFacts.isUnsubmitted(context)) {
                    yield JobManager.NEVER_UP;
                }
                yield standing.available() ? JobManager.READY : ailing(context);
            }
            case JobManagerView.Terminating _ ->
                    settled ? JobManager.NEVER_UP : JobManager.STARTING;
            case JobManagerView.Absent _ -> settled ? JobManager.NEVER_UP : JobManager.MISSING;
        };
    }

    private static JobManager ofSessionCluster(
            StepContext context, Target.SessionClusterView cluster) {
        if (JobFacts.neverRan(context)) {
            return JobManager.NEVER_UP;
        }
        return switch (cluster.state()) {
            case READY -> JobManager.READY;
            case NOT_READY, DOWN -> JobManager.STARTING;
            case MISSING -> JobManager.MISSING;
        };
    }

    private static JobManager ailing(StepContext context) {
        return context.cluster().problem().isPresent() ? JobManager.BROKEN : JobManager.STARTING;
    }

    private static Job job(StepContext context) {
        return JobFacts.recordedEnd(context)
                .map(UpgradeSituations::job)
                .orElseGet(
                        () ->
                                switch (context.observed().job()) {
                                    case JobView.Seen seen
                                            when JobFacts.isSucceededBy(context, seen) ->
                                            Job.BEGUN_ANEW;
                                    case JobView.Seen seen ->
                                            seen.isUp() ? Job.RUNNING : job(seen.state());
                                    case JobView.NotAsked _ -> Job.UNKNOWN;
                                    case JobView.Unreachable _ ->
                                            JobFacts.isJustSilent(context)
                                                    ? Job.JUST_SILENT
                                                    : Job.UNKNOWN;
                                    case JobView.NotListed _ ->
                                            JobFacts.isGone(context) ? Job.GONE : Job.UNKNOWN;
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

    private static RestorableState known(StepContext context, Job job, JobManager jobManager) {
        if (jobManager == JobManager.NEVER_UP) {
            return RestorableState.ofAttempt(context);
        }
        return switch (job) {
            case CANCELED, ENDED ->
                    JobFacts.recordedEnd(context).isPresent()
                            ? RestorableState.ofRecordedEnd(context)
                            : RestorableState.ofEndedJob(context);
            case RUNNING, UNSETTLED, CANCELLING, UNKNOWN, JUST_SILENT, GONE, BEGUN_ANEW ->
                    new RestorableState.Unread("");
        };
    }

    /** Checkpoints that could not be read count as too old: a savepoint is always young. */
    private static Age age(StepContext context, Options after) {
        Optional<Duration> limit = after.get(LifecycleOptions.MAX_CHECKPOINT_AGE);
        if (limit.isEmpty()
                || !(context.observed().state().last()
                        instanceof LastCheckpoints.Known(var told))) {
            return limit.isEmpty() ? Age.FINE : Age.TOO_OLD;
        }
        Instant oldest = context.observed().now().minus(limit.get());
        boolean justStarted =
                context.observed().job() instanceof JobView.Seen(_, var overview)
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
