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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what a decider of a kind's own has decided. The status is stored before the actions,
 * so that a crash between any two lines leaves a status from which the next reconciliation goes on.
 *
 * <p>Events come first. The next reconciliation would not know that the one before had yet to tell
 * of what it has stored; so a crash, or an action that fails, makes it tell an event twice, which
 * Kubernetes counts, and never not at all. What could not be stored is decided, but not told,
 * again.
 */
public final class IntentFirst<R extends CustomResource<?, ObjectNode>> {
    private static final Logger LOG = LoggerFactory.getLogger(IntentFirst.class);
    private static final Duration SOON = Duration.ofMillis(200);
    private static final Duration AFTER_CUT = Duration.ofSeconds(30);

    private final String crd;
    private final BiConsumer<R, List<ResourceEvent>> eventSink;

    /** What was told last and is not stored yet, by the uid of the resource. */
    private final Map<String, List<String>> told = new ConcurrentHashMap<>();

    /**
     * @param crd what the CRD is called, for people
     * @param eventSink records events; never fails a reconciliation
     */
    public IntentFirst(String crd, BiConsumer<R, List<ResourceEvent>> eventSink) {
        this.crd = crd;
        this.eventSink = eventSink;
    }

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
        if (isTransition || intent.releases()) {
            tell(resource, intent.events());
        }
        return switch (saved(resource, intent, store, isTransition)) {
            case KEPT -> act(resource, intent, isTransition, perform);
            case CONFLICT -> soon(intent, false);
            case CUT -> {
                eventSink.accept(resource, List.of(Reconciliation.statusCut(crd)));
                yield new Outcome(intent.reason(), true, false, Optional.of(AFTER_CUT));
            }
        };
    }

    /** Nothing is left of the resource. */
    public void forget(String uid) {
        told.remove(uid);
    }

    private void tell(R resource, List<ResourceEvent> events) {
        List<String> next = events.stream().map(it -> it.reason() + " " + it.key()).toList();
        if (!next.equals(told.put(resource.getMetadata().getUid(), next))) {
            eventSink.accept(resource, events);
        }
    }

    private StatusStore.Saved saved(
            R resource, Intent<?> intent, StatusStore<R> store, boolean isTransition) {
        StatusStore.Saved saved = StatusStore.Saved.KEPT;
        try {
            if (isTransition || !intent.actions().isEmpty()) {
                saved = store.save(resource, intent.status());
            }
            return saved;
        } finally {
            if (saved == StatusStore.Saved.KEPT) {
                forget(resource.getMetadata().getUid());
            }
        }
    }

    private <A> Outcome act(
            R resource, Intent<A> intent, boolean isTransition, Predicate<A> perform) {
        if (!intent.actions().stream().allMatch(perform)) {
            return soon(intent, isTransition);
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
