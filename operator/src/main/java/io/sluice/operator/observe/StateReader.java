// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobState;
import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.model.ReadinessDeadline;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.StateView.Retention;
import io.sluice.operator.model.StateView.StopView;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where a job's state is, as views: high-availability metadata, stops, checkpoints. */
public final class StateReader {
    /** One for each job that has not ended: {@code <cluster>-<job id>-config-map}. */
    private static final Pattern OF_A_JOB = Pattern.compile("-([0-9a-f]{32})-config-map");

    private static final String CHECKPOINT = "checkpointID-";

    private StateReader() {}

    /**
     * Ids of the jobs that have a checkpoint. That a ConfigMap is there proves nothing: Flink makes
     * it before the first checkpoint.
     */
    static Set<String> recoverable(String cluster, Collection<ConfigMap> maps) {
        return maps.stream()
                .filter(map -> map.getMetadata().getDeletionTimestamp() == null)
                .filter(StateReader::hasCheckpoint)
                .flatMap(map -> job(cluster, map).stream())
                .collect(Collectors.toSet());
    }

    public static boolean hasCheckpoint(ConfigMap map) {
        return map.getData() != null
                && map.getData().keySet().stream().anyMatch(key -> key.startsWith(CHECKPOINT));
    }

    /** The job that a high-availability ConfigMap of {@code cluster} belongs to, if it is one's. */
    public static Optional<String> job(String cluster, ConfigMap map) {
        String name = map.getMetadata().getName();
        if (!name.startsWith(cluster)) {
            return Optional.empty();
        }
        Matcher matcher = OF_A_JOB.matcher(name.substring(cluster.length()));
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /** What has come of {@code stop}, as far as the JobManager can tell. */
    public static StopView stop(JobManagerRest rest, URI at, String jobId, StopStatus stop) {
        return switch (stop.how()) {
            case CANCEL -> new StopView.NotAsked();
            case SAVEPOINT ->
                    switch (rest.savepoint(at, jobId, stop.triggerId())) {
                        case Reply.Ok<SavepointStatus>(var status) -> new StopView.Known(status);
                        case Reply.JobUnknown<SavepointStatus> _ ->
                                new StopView.Known(new SavepointStatus.Unknown());
                        case Reply.Refused<SavepointStatus>(var status, var message) ->
                                new StopView.Silent("HTTP " + status + ": " + message);
                        case Reply.Unreachable<SavepointStatus>(var message) ->
                                new StopView.Silent(message);
                        case Reply.TooLarge<SavepointStatus>(_, var message) ->
                                new StopView.Silent(message, NoAnswer.TOO_LARGE);
                    };
        };
    }

    /**
     * How long Flink may answer from before, by {@code rest.cache.checkpoint-statistics.timeout}.
     */
    static Duration cached(Options running) {
        return running.get(FlinkOptions.CHECKPOINT_STATISTICS_CACHE)
                .orElseGet(() -> running.get(FlinkOptions.WEB_REFRESH_INTERVAL));
    }

    /**
     * Whether Flink may still tell of a job's checkpoints before its end.
     *
     * @param sinceEnd how long ago the end was first seen, which is after it came
     */
    public static boolean mayBeStale(Duration sinceEnd, Duration cached) {
        return sinceEnd.compareTo(cached) <= 0;
    }

    /**
     * The checkpoints of {@code job}, which was seen before. It is looked at once more afterwards:
     * a JobManager that restarted in between would tell of another run of it.
     *
     * @param sinceEnd how long ago the end of {@code job} was first seen
     */
    static LastCheckpoints last(
            JobManagerRest rest,
            URI at,
            JobView.Seen job,
            Duration cached,
            Function<JobOverview, Duration> sinceEnd) {
        if (job.state().isTerminal() && mayBeStale(sinceEnd.apply(job.overview()), cached)) {
            return new LastCheckpoints.Unread(
                    "its end was first seen less than " + cached.toSeconds() + " s ago");
        }
        Reply<Checkpoints> reply = rest.checkpoints(at, job.overview().id());
        if (!(reply instanceof Reply.Ok<Checkpoints>(var checkpoints))) {
            return new LastCheckpoints.Unread(why(reply));
        }
        boolean same =
                JobReader.job(rest, at, job.overview().id())
                                instanceof JobView.Seen(var state, var overview)
                        && state == job.state()
                        && overview.startTime().equals(job.overview().startTime());
        return same
                ? new LastCheckpoints.Known(checkpoints)
                : new LastCheckpoints.Unread("the job changed while it was asked about");
    }

    /**
     * {@link #last} where a decision may hang on it.
     *
     * @param uid of the resource whose job it is
     */
    public static LastCheckpoints lastIfItMatters(
            JobManagerRest rest,
            URI at,
            JobView job,
            boolean restarting,
            Options running,
            ObservationMemory memory,
            String uid) {
        return job instanceof JobView.Seen seen
                        && (seen.state().isTerminal()
                                || (restarting && seen.state() == JobState.RUNNING))
                ? last(rest, at, seen, cached(running), ended -> memory.sinceEnd(uid, ended))
                : new LastCheckpoints.NotAsked();
    }

    /**
     * Whether the reconciliation may come to cancel a job whose state is to be taken along.
     *
     * @param restarts whether it may come to end the job at all
     */
    public static boolean mayCancel(
            FlinkDeploymentStatus status,
            SpecView spec,
            Options running,
            boolean restarts,
            Instant now) {
        boolean isCancelling =
                status.attempt()
                        .stop()
                        .filter(StopStatus::isUnderWay)
                        .filter(stop -> stop.how() == StopStatus.How.CANCEL)
                        .isPresent();
        boolean ends = restarts || ReadinessDeadline.hasPassed(status, running, now);
        return isCancelling || (ends && takesStateAlong(status, spec));
    }

    private static boolean takesStateAlong(FlinkDeploymentStatus status, SpecView spec) {
        Optional<JobSpec> wanted =
                spec instanceof SpecView.Valid(var valid, _) ? valid.job() : Optional.empty();
        Optional<JobSpec> before =
                LastReconciledSpec.from(status.reconciliationStatus())
                        .flatMap(taken -> taken.spec().job());
        return wanted.flatMap(JobSpec::initialSavepointPath).isPresent()
                || Stream.of(wanted, before)
                        .flatMap(Optional::stream)
                        .anyMatch(job -> job.upgradeMode() != UpgradeMode.STATELESS);
    }

    /** What a cancellation would leave, where the reconciliation may come to ask for one. */
    public static Retention retentionIfItMatters(
            JobManagerRest rest, URI at, JobView job, boolean mayCancel) {
        return mayCancel && job instanceof JobView.Seen seen && seen.isUncancelled()
                ? retention(rest.checkpointRetention(at, seen.overview().id()))
                : new Retention.NotAsked();
    }

    private static Retention retention(Reply<CheckpointRetention> reply) {
        return reply instanceof Reply.Ok<CheckpointRetention>(var told)
                ? new Retention.Known(told)
                : new Retention.Unread(why(reply));
    }

    private static <T> String why(Reply<T> reply) {
        return switch (reply) {
            case Reply.Ok<T> _ -> "";
            case Reply.JobUnknown<T> _ -> "the JobManager does not know the job";
            case Reply.Refused<T>(var status, var message) -> "HTTP " + status + ": " + message;
            case Reply.Unreachable<T>(var message) -> message;
            case Reply.TooLarge<T>(_, var message) -> message;
        };
    }
}
