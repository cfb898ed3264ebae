// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.reconcile.EventSink;
import io.sluice.operator.reconcile.Reconciliation;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.rules.cron.CronAnnotations;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles a FlinkDeployment that is the template of a cron job. Every other resource is left to
 * {@code others}.
 *
 * @param observer reads all there is about a template
 * @param effects changes its runs
 * @param others reconciles what is no template
 */
public record CronJobs(
        CronObserver observer,
        CronEffects effects,
        EventSink eventSink,
        ResourceReconciler<FlinkDeployment, ChildResources> others)
        implements ResourceReconciler<FlinkDeployment, ChildResources> {
    private static final Logger LOG = LoggerFactory.getLogger(CronJobs.class);

    @Override
    public Outcome reconcile(
            FlinkDeployment resource,
            ChildResources childResources,
            StatusStore<FlinkDeployment> store) {
        return isTemplate(resource)
                ? reconcileTemplate(resource, store)
                : others.reconcile(resource, childResources, store);
    }

    /** What has run as a job stays one: admission refuses the annotation there. */
    private static boolean isTemplate(FlinkDeployment resource) {
        Map<String, String> annotations =
                Optional.ofNullable(resource.getMetadata().getAnnotations()).orElseGet(Map::of);
        return CronAnnotations.isTemplate(annotations)
                && FlinkDeploymentStatus.of(stored(resource))
                        .reconciliationStatus()
                        .lastReconciledSpec()
                        .isEmpty();
    }

    private Outcome reconcileTemplate(
            FlinkDeployment resource, StatusStore<FlinkDeployment> store) {
        CronObservedState snapshot = observer.observe(resource);
        CronDecision decision = CronDecider.decide(snapshot);
        ObjectNode before = stored(resource);
        ObjectNode next = CronStatusRenderer.status(snapshot, decision, before);
        boolean isTransition = !Reconciliation.isSame(next, before);
        if (isTransition && store.save(resource, next) != StatusStore.Saved.KEPT) {
            return new Outcome(
                    decision.reason(), false, false, Optional.of(snapshot.polls().progress()));
        }
        decision.actions().forEach(action -> effects.perform(resource, action));
        boolean released = decision.actions().contains(new CronAction.ReleaseTemplate());
        if (isTransition || !decision.actions().isEmpty()) {
            eventSink.tell(resource, decision.notes());
            log(resource, decision);
        }
        return new Outcome(decision.reason(), isTransition, released, decision.checkAgain());
    }

    private static ObjectNode stored(FlinkDeployment resource) {
        return Optional.ofNullable(resource.getStatus())
                .orElseGet(JsonNodeFactory.instance::objectNode);
    }

    private static void log(FlinkDeployment resource, CronDecision decision) {
        LOG.atInfo()
                .addKeyValue("resource.namespace", resource.getMetadata().getNamespace())
                .addKeyValue("resource.name", resource.getMetadata().getName())
                .addKeyValue("generation", resource.getMetadata().getGeneration())
                .addKeyValue("reason", decision.reason().wire())
                .addKeyValue("actions", decision.actions())
                .log(decision.reason().text());
    }
}
