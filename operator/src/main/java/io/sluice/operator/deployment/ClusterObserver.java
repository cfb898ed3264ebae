// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.FlinkConfiguration;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Observes from caches, and asks the JobManager only where there is one that can answer. */
public final class ClusterObserver implements Observer {
    private static final Duration STEADY = Duration.ofSeconds(60);
    private static final Duration PROGRESS = Duration.ofSeconds(10);

    private final Function<FlinkDeployment, Children> cached;
    private final Function<FlinkDeployment, Children> live;
    private final JobManagerRest rest;
    private final Function<FlinkDeployment, URI> address;
    private final DefaultConfiguration defaults;
    private final Refusals refusals;
    private final InstantSource clock;

    /**
     * @param cached what the caches hold of a resource's children
     * @param live the same, asked of the API server; only where a start or an end hangs on it
     * @param address where a resource's JobManager answers; never taken from what the user wrote
     */
    public ClusterObserver(
            Function<FlinkDeployment, Children> cached,
            Function<FlinkDeployment, Children> live,
            JobManagerRest rest,
            Function<FlinkDeployment, URI> address,
            DefaultConfiguration defaults,
            Refusals refusals,
            InstantSource clock) {
        this.cached = cached;
        this.live = live;
        this.rest = rest;
        this.address = address;
        this.defaults = defaults;
        this.refusals = refusals;
        this.clock = clock;
    }

    @Override
    public Snapshot observe(FlinkDeployment resource) {
        var metadata = resource.getMetadata();
        FlinkDeploymentStatus status =
                Optional.ofNullable(resource.getStatus())
                        .map(FlinkDeploymentStatus::of)
                        .orElse(FlinkDeploymentStatus.NEW);
        Optional<TakenUp> takenUp = TakenUp.from(status.reconciliationStatus());
        Children found = cached.apply(resource);
        ClusterView cluster =
                certain(resource, ClusterReading.of(found.jobManager(), found.pods()));
        Map<String, Integer> overrides = Overrides.of(found.overrides());
        boolean deleting = metadata.getDeletionTimestamp() != null;
        Optional<String> jobId =
                status.jobStatus().jobId().filter(_ -> !deleting && isAvailable(cluster));
        URI at = address.apply(resource);
        JobView job =
                jobId.map(id -> JobReading.job(rest, at, id)).orElseGet(JobView.NotAsked::new);
        ScalingView scaling =
                jobId.map(id -> JobReading.scaling(rest, at, id, overrides, job))
                        .orElseGet(ScalingView.NotAsked::new);
        return new Snapshot(
                new Snapshot.Identity(
                        metadata.getNamespace(),
                        metadata.getName(),
                        metadata.getUid(),
                        Optional.ofNullable(metadata.getGeneration()).orElse(0L),
                        deleting),
                SpecReading.of(resource, takenUp, defaults),
                status,
                takenUp,
                defaults,
                cluster,
                job,
                overrides,
                scaling,
                refusals.of(metadata.getUid(), status.jobStatus().jobId()),
                polls(metadata.getNamespace()),
                clock.instant().truncatedTo(ChronoUnit.MILLIS));
    }

    /**
     * A cache that is late must not start a second cluster, release a resource too early, or take a
     * job for one that never ran. In steady state the cache is enough.
     */
    private ClusterView certain(FlinkDeployment resource, ClusterView seen) {
        boolean muchHangsOnIt =
                seen.isGone()
                        || (seen.jobManager()
                                        instanceof
                                        JobManagerView.Present(_, _, _, var everAvailable)
                                && !everAvailable);
        if (!muchHangsOnIt) {
            return seen;
        }
        Children now = live.apply(resource);
        return ClusterReading.of(now.jobManager(), now.pods());
    }

    private Snapshot.Polls polls(String namespace) {
        Options options =
                new Options(
                        defaults.effective(namespace, Optional.empty(), FlinkConfiguration.EMPTY));
        return new Snapshot.Polls(
                options.duration("kubernetes.operator.reconcile.interval", STEADY),
                options.duration("kubernetes.operator.observer.progress-check.interval", PROGRESS));
    }

    private static boolean isAvailable(ClusterView cluster) {
        return cluster.jobManager() instanceof JobManagerView.Present(_, _, var available, _)
                && available;
    }
}
