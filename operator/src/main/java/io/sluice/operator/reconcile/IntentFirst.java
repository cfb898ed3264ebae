// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.reconcile;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.CustomResource;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what a decider of a kind's own has decided. The status is stored before the actions,
 * so that a crash between any two lines leaves a status from which the next reconciliation goes on.
 * Events come last, except those of a resource that is let go: nobody could record them afterwards.
 *
 * @param crd what the CRD is called, for people
 * @param eventSink records events; never fails a reconciliation
 */
public record IntentFirst<R extends CustomResource<?, ObjectNode>>(
        String crd, BiConsumer<R, List<ResourceEvent>> eventSink) {
    private static final Logger LOG = LoggerFactory.getLogger(IntentFirst.class);
    private static final Duration SOON = Duration.ofMillis(200);
    private static final Duration AFTER_CUT = Duration.ofSeconds(30);

    /**
     * A decision of any kind.
     *
     * @param status the whole of it, as it is to be stored
     * @param releases whether the actions leave nothing that keeps the resource from being deleted
     * @param checkAgain empty if only a change can change anything
     */
    public record Intent<A>(
            Reason reason,
            ObjectNode status,
            List<A> actions,
            List<ResourceEvent> events,
            boolean releases,
            Optional<Duration> checkAgain) {
        public Intent {
            actions = List.copyOf(actions);
            events = List.copyOf(events);
        }
    }

    /**
     * @param perform carries out an action; false if the resource has to be read again first
     */
    public <A> Outcome run(
            R resource, Intent<A> intent, StatusStore<R> store, Predicate<A> perform) {
        boolean isTransition = !Reconciliation.isSame(intent.status(), statusOf(resource));
        boolean isStored = isTransition || !intent.actions().isEmpty();
        return switch (isStored ? store.save(resource, intent.status()) : StatusStore.Saved.KEPT) {
            case KEPT -> act(resource, intent, isTransition, perform);
            case CONFLICT -> soon(intent, false);
            case CUT -> {
                eventSink.accept(resource, List.of(Reconciliation.statusCut(crd)));
                yield new Outcome(intent.reason(), true, false, Optional.of(AFTER_CUT));
            }
        };
    }

    private <A> Outcome act(
            R resource, Intent<A> intent, boolean isTransition, Predicate<A> perform) {
        if (intent.releases()) {
            eventSink.accept(resource, intent.events());
        }
        if (!intent.actions().stream().allMatch(perform)) {
            return soon(intent, isTransition);
        }
        if (isTransition && !intent.releases()) {
            eventSink.accept(resource, intent.events());
        }
        if (isTransition || intent.releases()) {
            log(LOG, resource, intent.reason(), intent.actions());
        }
        return new Outcome(intent.reason(), isTransition, intent.releases(), intent.checkAgain());
    }

    private static Outcome soon(Intent<?> intent, boolean wroteStatus) {
        return new Outcome(intent.reason(), wroteStatus, false, Optional.of(SOON));
    }

    /** The stored status of a resource; an empty one if it has none. */
    public static ObjectNode statusOf(CustomResource<?, ObjectNode> resource) {
        return Optional.ofNullable(resource.getStatus())
                .orElseGet(JsonNodeFactory.instance::objectNode);
    }

    static void log(Logger log, CustomResource<?, ?> resource, Reason reason, List<?> actions) {
        log.atInfo()
                .addKeyValue("resource.kind", resource.getKind())
                .addKeyValue("resource.namespace", resource.getMetadata().getNamespace())
                .addKeyValue("resource.name", resource.getMetadata().getName())
                .addKeyValue("generation", resource.getMetadata().getGeneration())
                .addKeyValue("reason", reason.wire())
                .addKeyValue(
                        "actions",
                        actions.stream().map(action -> action.getClass().getSimpleName()).toList())
                .log(reason.text());
    }
}
