// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.bluegreen.decide.PairDecider;
import io.sluice.operator.bluegreen.decide.PairObservedState;
import io.sluice.operator.bluegreen.decide.PairDecision;
import io.sluice.operator.act.JobManagerEffects;
import io.sluice.operator.child.ChildObjects;
import io.sluice.operator.ingress.Ingresses;
import io.sluice.operator.ingress.PairIngress;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.RejectedManifests;
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
 * Reconciles FlinkBlueGreenDeployments. The decision's status is stored before its actions, so that
 * a crash between any two lines leaves a status from which the next reconciliation goes on.
 */
public final class BlueGreenDeployments
        implements ResourceReconciler<FlinkBlueGreenDeployment, BlueGreenDeployments.Presence> {
    /** Whether a resource is there; of one that is gone, only its last state is known. */
    public enum Presence {
        PRESENT,
        GONE
    }

    private static final Logger LOG = LoggerFactory.getLogger(BlueGreenDeployments.class);
    private static final Duration SOON = Duration.ofMillis(200);
    private static final Duration AFTER_CUT = Duration.ofSeconds(30);
    private static final String CRD = "flinkbluegreendeployments.flink.apache.org";

    private final PairObserver observer;
    private final PairEffects effects;
    private final RejectedManifests rejected;
    private final BiConsumer<FlinkBlueGreenDeployment, List<ResourceEvent>> eventSink;

    /**
     * @param address where the JobManager of a cluster answers
     * @param validators are asked beside the built-in rules
     * @param eventSink records events; never fails a reconciliation
     */
    public BlueGreenDeployments(
            KubernetesClient client,
            JobManagerRest rest,
            Function<FlinkDeployment, URI> address,
            Supplier<DefaultConfiguration> defaults,
            SpecValidators validators,
            BiConsumer<FlinkBlueGreenDeployment, List<ResourceEvent>> eventSink,
            InstantSource clock) {
        rejected = new RejectedManifests(clock);
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
                        ingress,
                        defaults,
                        validators,
                        rejected,
                        clock);
        effects =
                new PairEffects(
                        client,
                        new JobManagerEffects(rest, new ObservationMemory()),
                        ingress,
                        rejected,
                        eventSink);
        this.eventSink = eventSink;
    }

    @Override
    public Outcome reconcile(
            FlinkBlueGreenDeployment resource,
            Presence presence,
            StatusStore<FlinkBlueGreenDeployment> store) {
        if (presence == Presence.GONE) {
            rejected.forget(resource.getMetadata().getUid());
            return new Outcome(Reason.DELETED, false, true, Optional.empty());
        }
        PairObservedState observed = observer.observe(resource);
        PairDecision decision = PairDecider.decide(observed);
        ObjectNode before =
                Optional.ofNullable(resource.getStatus())
                        .orElseGet(JsonNodeFactory.instance::objectNode);
        ObjectNode next = PairStatusRenderer.status(observed, decision, before);
        boolean isTransition = !Reconciliation.isSame(next, before);
        boolean acts = !decision.actions().isEmpty();
        return switch (isTransition || acts ? store.save(resource, next) : StatusStore.Saved.KEPT) {
            case KEPT -> act(resource, observed, decision, isTransition);
            case CONFLICT ->
                    new Outcome(decision.reason(), false, false, Optional.of(SOON));
            case CUT -> {
                eventSink.accept(resource, List.of(Reconciliation.statusCut(CRD)));
                yield new Outcome(decision.reason(), true, false, Optional.of(AFTER_CUT));
            }
        };
    }

    private Outcome act(
            FlinkBlueGreenDeployment resource,
            PairObservedState observed,
            PairDecision decision,
            boolean isTransition) {
        decision.actions().forEach(action -> effects.perform(resource, observed, action));
        if (isTransition) {
            eventSink.accept(resource, decision.events());
            log(resource, decision);
        }
        return new Outcome(decision.reason(), isTransition, false, decision.checkAgain());
    }

    private static void log(FlinkBlueGreenDeployment resource, PairDecision decision) {
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
