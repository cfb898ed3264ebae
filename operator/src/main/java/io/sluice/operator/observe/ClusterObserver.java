// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.model.ClusterHealth;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.ScalingView;
import io.sluice.operator.model.StateView;
import io.sluice.operator.model.StateView.StopView;
import io.sluice.operator.model.Target;
import io.sluice.operator.observe.snapshot.SnapshotReader;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import java.net.URI;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;

/** Observes from caches, and asks the JobManager only where there is one that can answer. */
public final class ClusterObserver implements Observer {
    private final ChildReader children;
    private final JobManagerRest rest;
    private final ResourceReader resources;
    private final DefaultConfiguration defaults;
    private final RejectedManifests rejectedManifests;
    private final HealthMonitor health;
    private final ObservationMemory memory;
    private final SnapshotReader snapshots;
    private final InstantSource clock;

    /**
     * @param address where a resource's JobManager answers; never taken from what the user wrote
     * @param validators are asked beside the built-in rules
     */
    public ClusterObserver(
            ChildReader children,
            JobManagerRest rest,
            Function<FlinkDeployment, URI> address,
            DefaultConfiguration defaults,
            SpecValidators validators,
            RejectedManifests rejectedManifests,
            HealthMonitor health,
            ObservationMemory memory,
            SnapshotReader snapshots,
            InstantSource clock) {
        this.children = children;
        this.rest = rest;
        this.resources = new ResourceReader(children, defaults, validators, address);
        this.defaults = defaults;
        this.rejectedManifests = rejectedManifests;
        this.health = health;
        this.memory = memory;
        this.snapshots = snapshots;
        this.clock = clock;
    }

    @Override
    public ObservedState observe(FlinkDeployment resource) {
        var metadata = resource.getMetadata();
        KnownResource known =
                resources.known(resource, clock.instant().truncatedTo(ChronoUnit.MILLIS));
        var jobManager = new JobManagerReader(known, children, rest, health, memory);
        StopView stopped = jobManager.stopped();
        JobView job = jobManager.job();
        JobView kept = known.deleting() ? new JobView.NotAsked() : job;
        ScalingView scaling = jobManager.scaling(kept);
        Optional<ClusterHealth> judged = jobManager.health(kept, scaling);
        boolean unwell = judged.filter(it -> !it.isHealthy()).isPresent();
        Target target = jobManager.target();
        StateView state = jobManager.state(stopped, kept, unwell || known.mayRestart());
        FlinkDeploymentStatus status = known.status();
        return new ObservedState(
                new ObservedState.Identity(
                        metadata.getNamespace(),
                        metadata.getName(),
                        metadata.getUid(),
                        Optional.ofNullable(metadata.getGeneration()).orElse(0L),
                        known.deleting()),
                target,
                known.spec(),
                status,
                known.lastReconciled(),
                defaults,
                known.cluster()
                        .withImagePulls(
                                memory.imagePulls()
                                        .of(metadata.getUid(), known.found().pullPods())),
                job,
                known.overrides(),
                scaling,
                state,
                rejectedManifests.of(
                        metadata.getUid(),
                        status.attempt().id().or(() -> status.jobStatus().jobId())),
                judged,
                ObservedState.Polls.of(defaults, metadata.getNamespace()),
                known.now(),
                jobManager
                        .run(target, kept, state)
                        .with()
                        .former(jobManager.former())
                        .snapshots(
                                snapshots.of(
                                        resource,
                                        status.jobStatus().log(),
                                        kept,
                                        known.mayRestart(),
                                        known.running(),
                                        known.now()))
                        .build(),
                known.hold());
    }
}
