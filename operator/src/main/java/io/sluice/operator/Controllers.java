// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.operator.artifact.ArtifactCache;
import io.sluice.operator.artifact.Artifacts;
import io.sluice.operator.artifact.WebArtifacts;
import io.sluice.operator.bluegreen.BlueGreenDeployments;
import io.sluice.operator.bluegreen.analysis.PrometheusQueries;
import io.sluice.operator.cache.Shared;
import io.sluice.operator.child.ChildObjects;
import io.sluice.operator.config.Settings;
import io.sluice.operator.config.Watched;
import io.sluice.operator.cron.CronEffects;
import io.sluice.operator.cron.CronJobs;
import io.sluice.operator.cron.CronObserver;
import io.sluice.operator.deployment.FlinkDeployments;
import io.sluice.operator.ingress.Ingresses;
import io.sluice.operator.leadership.LeadershipGuard;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.JobManagerAddress;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.RejectedManifests;
import io.sluice.operator.reconcile.Presence;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.report.EventRecorder;
import io.sluice.operator.report.OperatorMetrics;
import io.sluice.operator.report.ResourceFacts;
import io.sluice.operator.sessionjob.SessionJobObserver.RelatedResources;
import io.sluice.operator.sessionjob.SessionJobs;
import io.sluice.operator.statesnapshot.FlinkStateSnapshotReconciler;
import io.sluice.operator.statesnapshot.FlinkStateSnapshotReconciler.Unreconciled;
import io.sluice.operator.statesnapshot.StateSnapshots;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.process.Uptime;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Makes the reconcilers of all kinds, with everything that they need.
 *
 * @param waiting what is done around a wait for an answer
 * @param servesSnapshots whether the operator serves FlinkStateSnapshots
 * @param servesPairs whether it serves FlinkBlueGreenDeployments
 */
record Controllers(
        Settings settings,
        KubernetesClient client,
        JobManagerRest rest,
        Waiting waiting,
        Supplier<DefaultConfiguration> defaults,
        SpecValidators validators,
        EventRecorder narrator,
        OperatorMetrics metrics,
        LeadershipGuard guard,
        boolean servesSnapshots,
        boolean servesPairs,
        InstantSource clock) {
    ResourceReconciler<FlinkDeployment, ChildResources> deployments() {
        ObservationMemory memory = new ObservationMemory();
        var deployments =
                new FlinkDeployments(
                        client,
                        rest,
                        address(),
                        defaults,
                        validators,
                        narrator,
                        servesSnapshots,
                        memory,
                        new ChildObjects(
                                client, Executors::newVirtualThreadPerTaskExecutor, guard::check),
                        clock);
        return metrics.counted(
                deployments.reconciler(this::withOtherDuties),
                resource -> ResourceFacts.of(resource, defaults.get(), clock.instant()),
                memory::stateBytes,
                memory.savepoints()::acknowledgedRatio);
    }

    /** What a FlinkDeployment can ask for beside its cluster: runs by a schedule, and a route. */
    private ResourceReconciler<FlinkDeployment, ChildResources> withOtherDuties(
            ResourceReconciler<FlinkDeployment, ChildResources> clusters) {
        RejectedManifests rejectedManifests = new RejectedManifests(clock);
        return new CronJobs(
                new CronObserver(client, defaults, validators, rejectedManifests, clock),
                new CronEffects(client, rejectedManifests),
                narrator,
                new Ingresses(
                        client, defaults, Ingresses.gateway(defaults.get()), narrator, clusters));
    }

    ResourceReconciler<FlinkSessionJob, RelatedResources> sessionJobs() {
        ObservationMemory memory = new ObservationMemory();
        return metrics.counted(
                new SessionJobs(
                                client,
                                rest,
                                address(),
                                artifacts(),
                                defaults,
                                validators,
                                servesSnapshots,
                                clock)
                        .passes(narrator::tell, memory),
                resource -> ResourceFacts.of(resource, defaults.get(), clock.instant()),
                memory::stateBytes,
                memory.savepoints()::acknowledgedRatio);
    }

    /**
     * @param around what is around each reconciliation
     * @param watched where resources are looked for
     * @param deployments those that a cache has, if one has them whole
     */
    FlinkStateSnapshotReconciler stateSnapshots(
            UnaryOperator<ResourceReconciler<FlinkStateSnapshot, Presence>> around,
            Watched watched,
            Optional<Shared<FlinkDeployment>> deployments) {
        var snapshots =
                new StateSnapshots(
                        client,
                        rest,
                        address(),
                        (namespace, name) ->
                                deployments.flatMap(all -> all.cached(namespace, name)),
                        servesPairs,
                        defaults,
                        validators,
                        narrator::tell,
                        clock);
        return new FlinkStateSnapshotReconciler(
                around.apply(metrics.countedSnapshots(snapshots, snapshots::acknowledgedRatio)),
                watched,
                new Unreconciled() {
                    @Override
                    public boolean saw(FlinkStateSnapshot resource) {
                        boolean rests = snapshots.saw(resource);
                        if (rests) {
                            metrics.sawSnapshot(resource);
                        }
                        return rests;
                    }

                    @Override
                    public boolean rests(FlinkStateSnapshot resource) {
                        return snapshots.rests(resource);
                    }

                    @Override
                    public Stream<ResourceID> deciding() {
                        return snapshots.deciding();
                    }

                    @Override
                    public void gone(FlinkStateSnapshot resource) {
                        snapshots.gone(resource);
                        metrics.snapshotGone(resource);
                    }
                });
    }

    ResourceReconciler<FlinkBlueGreenDeployment, Presence> blueGreenDeployments() {
        ObservationMemory memory = new ObservationMemory();
        var pairs =
                new BlueGreenDeployments(
                        client,
                        rest,
                        new PrometheusQueries(waiting),
                        address(),
                        defaults,
                        validators,
                        servesSnapshots,
                        memory,
                        narrator::tell,
                        clock);
        return metrics.countedPairs(pairs, defaults, memory.savepoints()::acknowledgedRatio);
    }

    private JobManagerAddress address() {
        return new JobManagerAddress(settings.restAddress(), defaults);
    }

    private Artifacts artifacts() {
        return new WebArtifacts(ArtifactCache.of(new Options(defaults.get().own())), new Uptime());
    }
}
