// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.operator.act.KubernetesEffects;
import io.sluice.operator.artifact.ArtifactCache;
import io.sluice.operator.artifact.Artifacts;
import io.sluice.operator.artifact.WebArtifacts;
import io.sluice.operator.bluegreen.BlueGreenDeployments;
import io.sluice.operator.bluegreen.analysis.PrometheusQueries;
import io.sluice.operator.config.Settings;
import io.sluice.operator.cron.CronEffects;
import io.sluice.operator.cron.CronJobs;
import io.sluice.operator.cron.CronObserver;
import io.sluice.operator.deployment.FlinkDeploymentReconciliation;
import io.sluice.operator.deployment.UnchangedSkip;
import io.sluice.operator.ingress.Ingresses;
import io.sluice.operator.observe.ChildReader;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.ClusterObserver;
import io.sluice.operator.observe.HealthMonitor;
import io.sluice.operator.observe.JobManagerAddress;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.RejectedManifests;
import io.sluice.operator.observe.pod.VolumeMountFailures;
import io.sluice.operator.observe.snapshot.SnapshotReader;
import io.sluice.operator.reconcile.Presence;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.report.EventRecorder;
import io.sluice.operator.report.OperatorMetrics;
import io.sluice.operator.report.ResourceFacts;
import io.sluice.operator.sessionjob.SessionJobObserver.RelatedResources;
import io.sluice.operator.sessionjob.SessionJobs;
import io.sluice.operator.statesnapshot.StateSnapshots;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.process.Uptime;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes the reconcilers of all kinds, with everything that they need.
 *
 * @param waiting what is done around a wait for an answer
 * @param servesSnapshots whether the operator serves FlinkStateSnapshots
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
        boolean servesSnapshots,
        InstantSource clock) {
    ResourceReconciler<FlinkDeployment, ChildResources> deployments() {
        JobManagerAddress address = address();
        RejectedManifests rejectedManifests = new RejectedManifests(clock);
        var watch = new HealthMonitor();
        ObservationMemory memory = new ObservationMemory();
        var volumeMountFailures =
                new VolumeMountFailures(pod -> ChildResources.events(client, pod), clock);
        var effects = new KubernetesEffects(client, rest, address, rejectedManifests, memory);
        var unchangedSkip = new UnchangedSkip(rest, address, defaults, memory, clock);
        ResourceReconciler<FlinkDeployment, ChildResources> applications =
                (resource, childResources, store) -> {
                    var observer =
                            new ClusterObserver(
                                    ChildReader.of(client, childResources, volumeMountFailures),
                                    rest,
                                    address,
                                    defaults.get(),
                                    validators,
                                    rejectedManifests,
                                    watch,
                                    memory,
                                    new SnapshotReader(
                                            Optional.of(client).filter(_ -> servesSnapshots),
                                            memory.refusedSnapshots()),
                                    clock);
                    return unchangedSkip.noting(
                            resource,
                            childResources,
                            observer,
                            noting ->
                                    new FlinkDeploymentReconciliation(
                                                    noting, store, effects, narrator, memory)
                                            .run(resource));
                };
        return metrics.counted(
                unchangedSkip.around(
                        new CronJobs(
                                new CronObserver(
                                        client, defaults, validators, rejectedManifests, clock),
                                new CronEffects(client, rejectedManifests),
                                narrator,
                                new Ingresses(
                                        client,
                                        defaults,
                                        Ingresses.gateway(defaults.get()),
                                        narrator,
                                        applications))),
                ResourceFacts::of,
                memory::stateBytes);
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
                ResourceFacts::of,
                memory::stateBytes);
    }

    ResourceReconciler<FlinkStateSnapshot, Presence> stateSnapshots() {
        return metrics.countedSnapshots(
                new StateSnapshots(
                        client, rest, address(), defaults, validators, narrator::tell, clock));
    }

    ResourceReconciler<FlinkBlueGreenDeployment, Presence> blueGreenDeployments() {
        return metrics.countedPairs(
                new BlueGreenDeployments(
                        client,
                        rest,
                        new PrometheusQueries(waiting),
                        address(),
                        defaults,
                        validators,
                        narrator::tell,
                        clock),
                defaults);
    }

    private JobManagerAddress address() {
        return new JobManagerAddress(settings.restAddress(), defaults);
    }

    private Artifacts artifacts() {
        return new WebArtifacts(ArtifactCache.of(new Options(defaults.get().own())), new Uptime());
    }
}
