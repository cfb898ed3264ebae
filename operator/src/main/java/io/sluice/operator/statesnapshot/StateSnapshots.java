// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.act.JobManagerEffects;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.snapshot.SavepointProgress;
import io.sluice.operator.reconcile.IntentFirst;
import io.sluice.operator.reconcile.Presence;
import io.sluice.operator.reconcile.Reconciliation;
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
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Reconciles FlinkStateSnapshots: observes, decides, and hands the decision on. */
public final class StateSnapshots
        implements ResourceReconciler<FlinkStateSnapshot, Presence>,
                FlinkStateSnapshotReconciler.Unreconciled {
    private static final String CRD = "flinkstatesnapshots.flink.apache.org";

    private final SnapshotObserver observer;
    private final SnapshotEffects effects;
    private final ObservationMemory memory = new ObservationMemory();
    private final SnapshotHistory history = new SnapshotHistory();
    private final IntentFirst<FlinkStateSnapshot> intentFirst;

    /**
     * @param address where the JobManager of a cluster answers
     * @param deployments finds a FlinkDeployment in a cache, by namespace and name; one that is not
     *     found there is read
     * @param servesPairs whether the operator serves FlinkBlueGreenDeployments
     * @param validators are asked beside the built-in rules
     * @param eventSink records events; never fails a reconciliation
     */
    public StateSnapshots(
            KubernetesClient client,
            JobManagerRest rest,
            Function<FlinkDeployment, URI> address,
            BiFunction<String, String, Optional<FlinkDeployment>> deployments,
            boolean servesPairs,
            Supplier<DefaultConfiguration> defaults,
            SpecValidators validators,
            BiConsumer<FlinkStateSnapshot, List<ResourceEvent>> eventSink,
            InstantSource clock) {
        observer =
                new SnapshotObserver(
                        client,
                        rest,
                        address,
                        deployments,
                        servesPairs,
                        defaults,
                        validators,
                        memory,
                        history,
                        clock);
        effects = new SnapshotEffects(client, new JobManagerEffects(rest, memory), memory);
        intentFirst = new IntentFirst<>(CRD, eventSink);
    }

    /** See {@link SavepointProgress#acknowledgedRatio}. */
    public Optional<Double> acknowledgedRatio(String uid) {
        return memory.savepoints().acknowledgedRatio(uid);
    }

    @Override
    public Outcome reconcile(
            FlinkStateSnapshot resource, Presence presence, StatusStore<FlinkStateSnapshot> store) {
        String uid = resource.getMetadata().getUid();
        boolean isDeleting = resource.getMetadata().getDeletionTimestamp() != null;
        if (presence == Presence.GONE || isDeleting) {
            // Retention does not count it any more, even if what is read next can't be read.
            history.gone(uid);
        }
        if (presence == Presence.GONE) {
            memory.forget(uid);
            intentFirst.forget(uid);
            return new Outcome(Reason.DELETED, false, true, Optional.empty());
        }
        SnapshotObservedState observed = observer.observe(resource);
        SnapshotDecision decision = SnapshotDecider.decide(observed);
        ObjectNode before = IntentFirst.statusOf(resource);
        return intentFirst.run(
                resource,
                new IntentFirst.Intent<>(
                        decision.reason(),
                        decision.releases()
                                ? before
                                : SnapshotStatusRenderer.status(observed, decision, before),
                        decision.actions(),
                        decision.events(),
                        decision.releases(),
                        decision.checkAgain()),
                remembering(store, observed, decision.status().state()),
                action -> effects.perform(resource, observed.jobManager(), action));
    }

    @Override
    public boolean saw(FlinkStateSnapshot resource) {
        Optional<SnapshotObservedState> unchanged = unchanged(resource);
        unchanged.ifPresent(it -> history.saw(resource, it, it.status().state()));
        return unchanged.isPresent();
    }

    @Override
    public boolean rests(FlinkStateSnapshot resource) {
        return unchanged(resource).isPresent();
    }

    @Override
    public Stream<ResourceID> deciding() {
        return history.deciding();
    }

    /** It, if its own state is final, and nothing is left to do for it. */
    private Optional<SnapshotObservedState> unchanged(FlinkStateSnapshot resource) {
        ObjectNode stored = IntentFirst.statusOf(resource);
        boolean isOver =
                resource.getMetadata().getDeletionTimestamp() == null
                        && FlinkStateSnapshotStatus.of(stored).state().isAtRest();
        if (!isOver) {
            return Optional.empty();
        }
        SnapshotObservedState observed = observer.observeAlone(resource);
        SnapshotDecision decision = SnapshotDecider.decide(observed);
        return Optional.of(observed)
                .filter(_ -> decision.actions().isEmpty() && decision.checkAgain().isEmpty())
                .filter(
                        _ ->
                                Reconciliation.isSame(
                                        SnapshotStatusRenderer.status(observed, decision, stored),
                                        stored));
    }

    @Override
    public void gone(FlinkStateSnapshot resource) {
        history.gone(resource.getMetadata().getUid());
    }

    /** What is not stored has not happened, and no other snapshot is deleted because of it. */
    private StatusStore<FlinkStateSnapshot> remembering(
            StatusStore<FlinkStateSnapshot> store,
            SnapshotObservedState observed,
            SnapshotState next) {
        return (resource, status) -> {
            StatusStore.Saved saved = store.save(resource, status);
            if (saved == StatusStore.Saved.KEPT && !observed.identity().deleting()) {
                history.saw(resource, observed, next);
            }
            return saved;
        };
    }
}
