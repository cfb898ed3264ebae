// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.act.JobManagerEffects;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.Reconciliation;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles FlinkStateSnapshots. The decision's status is stored before its actions, so that a
 * crash between any two lines leaves a status from which the next reconciliation goes on.
 */
public final class StateSnapshots
        implements ResourceReconciler<FlinkStateSnapshot, StateSnapshots.Presence> {
    /** Whether a resource is there; of one that is gone, only its last state is known. */
    public enum Presence {
        PRESENT,
        GONE
    }

    private static final Logger LOG = LoggerFactory.getLogger(StateSnapshots.class);
    private static final Duration AFTER_CUT = Duration.ofSeconds(30);
    private static final String CRD = "flinkstatesnapshots.flink.apache.org";

    private final SnapshotObserver observer;
    private final SnapshotEffects effects;
    private final ObservationMemory memory = new ObservationMemory();
    private final BiConsumer<FlinkStateSnapshot, List<ResourceEvent>> eventSink;

    /**
     * @param address where the JobManager of a cluster answers
     * @param validators are asked beside the built-in rules
     * @param eventSink records events; never fails a reconciliation
     */
    public StateSnapshots(
            KubernetesClient client,
            JobManagerRest rest,
            Function<FlinkDeployment, URI> address,
            Supplier<DefaultConfiguration> defaults,
            SpecValidators validators,
            BiConsumer<FlinkStateSnapshot, List<ResourceEvent>> eventSink,
            InstantSource clock) {
        observer = new SnapshotObserver(client, rest, address, defaults, validators, memory, clock);
        effects = new SnapshotEffects(client, new JobManagerEffects(rest, memory), memory);
        this.eventSink = eventSink;
    }

    @Override
    public Outcome reconcile(
            FlinkStateSnapshot resource, Presence presence, StatusStore<FlinkStateSnapshot> store) {
        if (presence == Presence.GONE) {
            memory.forget(resource.getMetadata().getUid());
            return new Outcome(Reason.DELETED, false, true, Optional.empty());
        }
        SnapshotObservedState observed = observer.observe(resource);
        SnapshotDecision decision = SnapshotDecider.decide(observed);
        ObjectNode before = stored(resource);
        ObjectNode next =
                decision.releases()
                        ? before
                        : SnapshotStatusRenderer.status(observed, decision, before);
        boolean isTransition = !Reconciliation.isSame(next, before);
        boolean acts = !decision.actions().isEmpty();
        return switch (isTransition || acts ? store.save(resource, next) : StatusStore.Saved.KEPT) {
            case KEPT -> act(resource, observed, decision, isTransition);
            case CONFLICT -> soon(decision, false);
            case CUT -> {
                eventSink.accept(resource, List.of(Reconciliation.statusCut(CRD)));
                yield new Outcome(decision.reason(), true, false, Optional.of(AFTER_CUT));
            }
        };
    }

    private Outcome act(
            FlinkStateSnapshot resource,
            SnapshotObservedState observed,
            SnapshotDecision decision,
            boolean isTransition) {
        for (SnapshotAction action : decision.actions()) {
            if (!effects.perform(resource, observed.jobManager(), action)) {
                return soon(decision, isTransition);
            }
        }
        if (isTransition || decision.releases()) {
            eventSink.accept(resource, decision.events());
            log(resource, decision);
        }
        return new Outcome(
                decision.reason(), isTransition, decision.releases(), decision.checkAgain());
    }

    private static Outcome soon(SnapshotDecision decision, boolean wroteStatus) {
        return new Outcome(decision.reason(), wroteStatus, false, Optional.of(SnapshotDraft.SOON));
    }

    private static ObjectNode stored(FlinkStateSnapshot resource) {
        return Optional.ofNullable(resource.getStatus())
                .orElseGet(JsonNodeFactory.instance::objectNode);
    }

    private static void log(FlinkStateSnapshot resource, SnapshotDecision decision) {
        LOG.atInfo()
                .addKeyValue("resource.kind", resource.getKind())
                .addKeyValue("resource.namespace", resource.getMetadata().getNamespace())
                .addKeyValue("resource.name", resource.getMetadata().getName())
                .addKeyValue("generation", resource.getMetadata().getGeneration())
                .addKeyValue("reason", decision.reason().wire())
                .addKeyValue(
                        "actions",
                        decision.actions().stream()
                                .map(action -> action.getClass().getSimpleName())
                                .toList())
                .log(decision.reason().text());
    }
}
