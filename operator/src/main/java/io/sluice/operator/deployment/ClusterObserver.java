// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.sluice.api.DeploymentMode;
import io.sluice.api.FlinkConfiguration;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.StopStatus;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.operator.deployment.StateView.StopView;
import io.sluice.operator.deployment.Target.Jobs;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.diff.SpecDiff;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Observes from caches, and asks the JobManager only where there is one that can answer. */
public final class ClusterObserver implements Observer {
    private final Function<FlinkDeployment, Children> cached;
    private final Function<FlinkDeployment, Children> live;
    private final Function<FlinkDeployment, Set<String>> recoverable;
    private final JobManagerRest rest;
    private final Function<FlinkDeployment, URI> address;
    private final DefaultConfiguration defaults;
    private final Refusals refusals;
    private final HealthWatch watch;
    private final RunMemory memory;
    private final InstantSource clock;

    /**
     * @param cached what the caches hold of a resource's children
     * @param live the same, asked of the API server; only where a start or an end hangs on it
     * @param recoverable ids of the jobs whose high-availability metadata names a checkpoint, asked
     *     of the API server
     * @param address where a resource's JobManager answers; never taken from what the user wrote
     */
    public ClusterObserver(
            Function<FlinkDeployment, Children> cached,
            Function<FlinkDeployment, Children> live,
            Function<FlinkDeployment, Set<String>> recoverable,
            JobManagerRest rest,
            Function<FlinkDeployment, URI> address,
            DefaultConfiguration defaults,
            Refusals refusals,
            HealthWatch watch,
            RunMemory memory,
            InstantSource clock) {
        this.cached = cached;
        this.live = live;
        this.recoverable = recoverable;
        this.rest = rest;
        this.address = address;
        this.defaults = defaults;
        this.refusals = refusals;
        this.watch = watch;
        this.memory = memory;
        this.clock = clock;
    }

    @Override
    public Snapshot observe(FlinkDeployment resource) {
        var metadata = resource.getMetadata();
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        boolean deleting = isDeleting(resource);
        Children found = cached.apply(resource);
        Children there = certain(resource, found, now);
        ClusterView cluster = ClusterReading.of(there.jobManager(), there.pods(), now);
        FlinkDeploymentStatus status = status(resource, there, now);
        Optional<TakenUp> takenUp = TakenUp.from(status.reconciliationStatus());
        Overrides asked = Overrides.of(found.overrides());
        SpecView spec = spec(resource, takenUp, asked);
        Map<String, Integer> overrides = spec.parallelism(takenUp).byVertex();
        Optional<String> jobId = status.jobStatus().jobId().filter(_ -> isAvailable(cluster));
        URI at = address.apply(resource);
        Optional<StopStatus> stop =
                status.attempt()
                        .stop()
                        .filter(StopStatus::isUnderWay)
                        .filter(_ -> jobId.isPresent());
        StopView stopped =
                stop.map(it -> StateReading.stop(rest, at, jobId.orElseThrow(), it))
                        .orElseGet(StopView.NotAsked::new);
        JobView job =
                jobId.filter(_ -> !deleting || stop.isPresent())
                        .map(id -> JobReading.job(rest, at, id))
                        .orElseGet(JobView.NotAsked::new);
        Optional<TakenUp> runs = TakenUp.running(status);
        Options running = running(metadata.getNamespace(), runs);
        boolean inPlace = running.isScaledInPlace(runs.flatMap(it -> it.spec().flinkVersion()));
        ScalingView scaling =
                isStandalone(runs)
                        ? new ScalingView.TaskManagers(there.standingTaskManagers())
                        : jobId.filter(_ -> !deleting)
                                .map(
                                        id ->
                                                JobReading.scaling(
                                                        rest, at, id, overrides, inPlace, job))
                                .orElseGet(ScalingView.NotAsked::new);
        Optional<ClusterHealth> health =
                watch.judge(
                        new HealthWatch.Subject(
                                metadata.getUid(), status, HealthLimits.of(running), job, scaling),
                        names -> rest.metrics(at, jobId.orElse(""), names),
                        now);
        boolean restarting =
                isRestarting(status, takenUp, spec, cluster)
                        || Rollback.isOverdue(status, running, now)
                        || health.filter(it -> !it.isHealthy()).isPresent();
        Target target =
                Hosts.isSession(resource, takenUp)
                        ? new Target.SessionCluster(
                                found.sessionJobs().stream().map(Hosts::guest).toList(),
                                isAvailable(cluster)
                                        ? JobReading.jobs(rest, at)
                                        : new Jobs.NotAsked())
                        : new Target.Application();
        StateView state =
                new StateView(
                        restarting && !deleting ? recoverable.apply(resource) : Set.of(),
                        stopped,
                        StateReading.lastIfItMatters(
                                rest, at, job, restarting, running, clock.instant()));
        return new Snapshot(
                new Snapshot.Identity(
                        metadata.getNamespace(),
                        metadata.getName(),
                        metadata.getUid(),
                        Optional.ofNullable(metadata.getGeneration()).orElse(0L),
                        deleting),
                target,
                spec,
                status,
                takenUp,
                defaults,
                cluster,
                job,
                overrides,
                scaling,
                state,
                refusals.of(
                        metadata.getUid(),
                        status.attempt().id().or(() -> status.jobStatus().jobId())),
                health,
                Snapshot.Polls.of(defaults, metadata.getNamespace()),
                now,
                run(resource, status, target, job, at, now));
    }

    private static FlinkDeploymentStatus status(
            FlinkDeployment resource, Children children, Instant now) {
        return Optional.ofNullable(resource.getStatus())
                .map(
                        stored ->
                                isDeleting(resource)
                                        ? FlinkDeploymentStatus.of(stored)
                                        : TakeOver.read(stored, children.jobManager(), now))
                .orElse(FlinkDeploymentStatus.NEW);
    }

    private static boolean isDeleting(FlinkDeployment resource) {
        return resource.getMetadata().getDeletionTimestamp() != null;
    }

    /** What the caches hold, unless much hangs on it. */
    private Children certain(FlinkDeployment resource, Children found, Instant now) {
        boolean enough =
                isCacheEnough(
                        ClusterReading.of(found.jobManager(), found.pods(), now),
                        recordedAttempt(resource),
                        () -> status(resource, found, now),
                        isDeleting(resource),
                        taken -> spec(resource, taken, Overrides.of(found.overrides())),
                        runs -> running(resource.getMetadata().getNamespace(), runs),
                        now);
        if (enough) {
            return found;
        }
        Children there = live.apply(resource);
        return new Children(
                there.jobManager(),
                there.taskManagers(),
                Children.isNew(resource) ? found.pods() : there.pods(),
                there.overrides(),
                there.sessionJobs());
    }

    private SpecView spec(FlinkDeployment resource, Optional<TakenUp> takenUp, Overrides asked) {
        return asked.in(
                SpecReading.of(resource, takenUp, defaults),
                spec ->
                        defaults.effective(
                                resource.getMetadata().getNamespace(),
                                spec.flinkVersion(),
                                spec.flinkConfiguration()));
    }

    /**
     * A cache that is late must not start a second cluster, release a resource too early, or take a
     * job for one that never ran. While a JobManager starts and nobody wants anything else, nothing
     * of that can come of a pass, and there are many: each pod that changes makes one.
     *
     * @param seen by the caches
     * @param recorded the attempt that the status names
     * @param read reads the status; like all that is read, only of what starts
     * @param spec what is wanted, of a resource that has been taken up
     * @param running the effective configuration of what runs
     */
    static boolean isCacheEnough(
            ClusterView seen,
            Optional<String> recorded,
            Supplier<FlinkDeploymentStatus> read,
            boolean deleting,
            Function<Optional<TakenUp>, SpecView> spec,
            Function<Optional<TakenUp>, Options> running,
            Instant now) {
        if (seen.isGone()) {
            return false;
        }
        if (seen.jobManager() instanceof JobManagerView.Present(_, var attempt, _, var everUp)
                && everUp
                && (attempt.isEmpty() || attempt.equals(recorded))) {
            return true;
        }
        FlinkDeploymentStatus status = read.get();
        Optional<TakenUp> takenUp = TakenUp.from(status.reconciliationStatus());
        boolean changes =
                isChanged(takenUp, spec.apply(takenUp))
                        || Rollback.isOverdue(status, running.apply(TakenUp.running(status)), now);
        return switch (seen.jobManager()) {
            case JobManagerView.Present(_, var attempt, _, var everUp) when !everUp ->
                    !deleting
                            && takenUp.isPresent()
                            && attempt.isPresent()
                            && attempt.equals(recorded)
                            && !changes
                            && !isUnderWay(status, seen);
            case JobManagerView.Present _, JobManagerView.Terminating _, JobManagerView.Absent _ ->
                    deleting || !changes;
        };
    }

    /** Without reading all of the status, which most passes have no need of here. */
    private static Optional<String> recordedAttempt(FlinkDeployment resource) {
        return Optional.ofNullable(resource.getStatus())
                .map(stored -> stored.path("attempt").path("id"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText);
    }

    private static boolean isStandalone(Optional<TakenUp> runs) {
        return runs.filter(it -> it.spec().mode() == DeploymentMode.STANDALONE).isPresent();
    }

    /** Whether the pass may come to start a job: then its state has to be known. */
    private static boolean isRestarting(
            FlinkDeploymentStatus status,
            Optional<TakenUp> takenUp,
            SpecView spec,
            ClusterView cluster) {
        boolean stands = cluster.jobManager() instanceof JobManagerView.Present;
        return takenUp.isPresent()
                && (isChanged(takenUp, spec) || !stands || isUnderWay(status, cluster));
    }

    private static boolean isChanged(Optional<TakenUp> takenUp, SpecView spec) {
        return takenUp.isPresent() && spec.changes(takenUp.get().spec(), SpecDiff.Effect.SCALE);
    }

    /** Of an upgrade all is said and done once the Deployment of its attempt stands. */
    private static boolean isUnderWay(FlinkDeploymentStatus status, ClusterView cluster) {
        boolean stands =
                cluster.jobManager() instanceof JobManagerView.Present(_, var attempt, _, _)
                        && attempt.isPresent()
                        && attempt.equals(status.attempt().id())
                        && status.attempt().stop().isEmpty();
        return switch (status.reconciliationStatus().state()) {
            case UPGRADING -> !stands;
            case ROLLING_BACK -> true;
            case DEPLOYED, ROLLED_BACK -> false;
        };
    }

    private RunView run(
            FlinkDeployment resource,
            FlinkDeploymentStatus status,
            Target target,
            JobView job,
            URI at,
            Instant now) {
        Instant created = created(resource.getMetadata()).orElse(now);
        var reading = new RunReading(rest, at, resource.getMetadata().getUid(), memory, now);
        if (target instanceof Target.SessionCluster(_, Jobs.Listed jobs)) {
            return isDeleting(resource) ? RunView.none(created) : reading.of(created, status, jobs);
        }
        return job instanceof JobView.NotAsked
                ? RunView.none(created)
                : reading.of(created, status.jobStatus(), job, ClusterReport.isIn(status));
    }

    private static Optional<Instant> created(ObjectMeta metadata) {
        return Optional.ofNullable(metadata.getCreationTimestamp()).map(Instant::parse);
    }

    private Options running(String namespace, Optional<TakenUp> runs) {
        return new Options(
                runs.map(
                                before ->
                                        defaults.effective(
                                                namespace,
                                                before.spec().flinkVersion(),
                                                before.spec().flinkConfiguration()))
                        .orElse(FlinkConfiguration.EMPTY));
    }

    private static boolean isAvailable(ClusterView cluster) {
        return cluster.jobManager() instanceof JobManagerView.Present(_, _, var available, _)
                && available;
    }
}
