// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.act.KubernetesEffects;
import io.sluice.operator.child.ChildObjects;
import io.sluice.operator.observe.ChildReader;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.ClusterObserver;
import io.sluice.operator.observe.HealthMonitor;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.RejectedManifests;
import io.sluice.operator.observe.pod.VolumeMountFailures;
import io.sluice.operator.observe.snapshot.SnapshotReader;
import io.sluice.operator.reconcile.EventSink;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Makes the reconciler of FlinkDeployments.
 *
 * @param address where a resource's JobManager answers
 * @param validators are asked beside the built-in rules
 * @param servesSnapshots whether the operator serves FlinkStateSnapshots
 * @param memory of what need not be read again; one for each process
 * @param children writes what belongs to a FlinkDeployment
 */
public record FlinkDeployments(
        KubernetesClient client,
        JobManagerRest rest,
        Function<FlinkDeployment, URI> address,
        Supplier<DefaultConfiguration> defaults,
        SpecValidators validators,
        EventSink eventSink,
        boolean servesSnapshots,
        ObservationMemory memory,
        ChildObjects children,
        InstantSource clock) {
    /**
     * A reconciler with a memory of its own.
     *
     * @param around what else is done for a FlinkDeployment that needs a look
     */
    public ResourceReconciler<FlinkDeployment, ChildResources> reconciler(
            UnaryOperator<ResourceReconciler<FlinkDeployment, ChildResources>> around) {
        var rejectedManifests = new RejectedManifests(clock);
        var health = new HealthMonitor();
        var volumeMountFailures =
                new VolumeMountFailures(pod -> ChildResources.events(client, pod), clock);
        var effects =
                new KubernetesEffects(client, rest, address, rejectedManifests, memory, children);
        var unchangedSkip = new UnchangedSkip(rest, address, defaults, memory, clock);
        return unchangedSkip.around(
                around.apply(
                        (resource, childResources, store) -> {
                            var observer =
                                    new ClusterObserver(
                                            ChildReader.of(
                                                    client, childResources, volumeMountFailures),
                                            rest,
                                            address,
                                            defaults.get(),
                                            validators,
                                            rejectedManifests,
                                            health,
                                            memory,
                                            new SnapshotReader(
                                                    Optional.of(client)
                                                            .filter(_ -> servesSnapshots),
                                                    memory.refusedSnapshots()),
                                            clock);
                            return unchangedSkip.noting(
                                    resource,
                                    childResources,
                                    observer,
                                    noting ->
                                            new FlinkDeploymentReconciliation(
                                                            noting, store, effects, eventSink,
                                                            memory)
                                                    .run(resource));
                        }));
    }
}
