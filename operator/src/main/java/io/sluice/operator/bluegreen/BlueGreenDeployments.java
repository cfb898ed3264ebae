// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.act.JobManagerEffects;
import io.sluice.operator.act.SnapshotCreation;
import io.sluice.operator.bluegreen.analysis.PrometheusQueries;
import io.sluice.operator.bluegreen.decide.PairDecider;
import io.sluice.operator.bluegreen.decide.PairDecision;
import io.sluice.operator.bluegreen.decide.PairObservedState;
import io.sluice.operator.child.ChildObjects;
import io.sluice.operator.ingress.Ingresses;
import io.sluice.operator.ingress.PairIngress;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.RejectedManifests;
import io.sluice.operator.observe.snapshot.RefusedSnapshots;
import io.sluice.operator.observe.snapshot.SnapshotReader;
import io.sluice.operator.reconcile.IntentFirst;
import io.sluice.operator.reconcile.Presence;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reconciles FlinkBlueGreenDeployments: observes, decides, and hands the decision on. */
public final class BlueGreenDeployments
        implements ResourceReconciler<FlinkBlueGreenDeployment, Presence> {
    private static final String CRD = "flinkbluegreendeployments.flink.apache.org";

    private final PairObserver observer;
    private final PairEffects effects;
    private final ObservationMemory memory;
    private final RejectedManifests rejected;
    private final RefusedSnapshots refused = new RefusedSnapshots();
    private final IntentFirst<FlinkBlueGreenDeployment> intentFirst;

    /**
     * @param prometheus asks the queries of analyses
     * @param address where the JobManager of a cluster answers
     * @param validators are asked beside the built-in rules
     * @param servesSnapshots whether the operator serves FlinkStateSnapshots
     * @param memory of what was asked of JobManagers
     * @param eventSink records events; never fails a reconciliation
     */
    public BlueGreenDeployments(
            KubernetesClient client,
            JobManagerRest rest,
            PrometheusQueries prometheus,
            Function<FlinkDeployment, URI> address,
            Supplier<DefaultConfiguration> defaults,
            SpecValidators validators,
            boolean servesSnapshots,
            ObservationMemory memory,
            BiConsumer<FlinkBlueGreenDeployment, List<ResourceEvent>> eventSink,
            InstantSource clock) {
        this.memory = memory;
        rejected = new RejectedManifests(clock);
        var sizes = new HalfSize(client);
        var ingress =
                new PairIngress(
                        client,
                        new ChildObjects(client),
                        defaults,
                        Ingresses.gateway(defaults.get()));
        observer =
                new PairObserver(
                        client,
                        rest,
                        new HalfReader(address),
                        sizes,
                        new RoomReader(client, defaults),
                        new FigureReader(rest, prometheus, defaults, clock),
                        new SnapshotReader(
                                Optional.of(client).filter(_ -> servesSnapshots), refused),
                        ingress,
                        defaults,
                        validators,
                        rejected,
                        memory.savepoints(),
                        clock);
        effects =
                new PairEffects(
                        client,
                        new JobManagerEffects(rest, memory),
                        new SnapshotCreation(client, refused),
                        ingress,
                        sizes,
                        rejected,
                        eventSink);
        intentFirst = new IntentFirst<>(CRD, eventSink);
    }

    @Override
    public Outcome reconcile(
            FlinkBlueGreenDeployment resource,
            Presence presence,
            StatusStore<FlinkBlueGreenDeployment> store) {
        if (presence == Presence.GONE) {
            String uid = resource.getMetadata().getUid();
            rejected.forget(uid);
            memory.forget(uid);
            refused.forget(uid);
            intentFirst.forget(uid);
            return new Outcome(Reason.DELETED, false, true, Optional.empty());
        }
        PairObservedState observed = observer.observe(resource);
        PairDecision decision = PairDecider.decide(observed);
        return intentFirst.run(
                resource,
                new IntentFirst.Intent<>(
                        decision.reason(),
                        PairStatusRenderer.status(
                                observed, decision, IntentFirst.statusOf(resource)),
                        decision.actions(),
                        decision.events(),
                        false,
                        decision.checkAgain()),
                store,
                action -> {
                    effects.perform(resource, observed, action);
                    return true;
                });
    }
}
