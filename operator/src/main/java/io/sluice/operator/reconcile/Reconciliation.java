// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.operator.child.ApiServerMessage;
import io.sluice.operator.crd.InstalledCrds;
import io.sluice.operator.decide.Decider;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.LatestCheckpoint;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.ObservationMemory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles one resource of any kind, once. The order matters: the decision's status is stored
 * before its actions, so that a crash between any two lines leaves a status from which the next
 * reconciliation goes on. A reconciliation that acts on what was recorded before stores it again,
 * which changes nothing: one that has read late, as of a process that has just begun to lead, is
 * refused and does nothing.
 *
 * @param store of the statuses
 * @param render the decision's status over what is stored, in the kind's own layout
 * @param memory of what need not be read again once it is on record
 * @param crd what the CRD is called, for people
 */
public record Reconciliation<R extends CustomResource<ObjectNode, ObjectNode>>(
        Function<R, ObservedState> observe,
        StatusStore<R> store,
        Performing<R> perform,
        BiConsumer<R, List<ResourceEvent>> tell,
        BiFunction<Decision, ObjectNode, ObjectNode> render,
        ObservationMemory memory,
        String crd) {
    /** See {@code Effects#perform}. */
    @FunctionalInterface
    public interface Performing<R> {
        void perform(R resource, Action action);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Reconciliation.class);
    private static final int MOST_CAUSES = 10;
    private static final Duration AFTER_CONFLICT = Duration.ofMillis(200);
    private static final Duration AFTER_CUT = Duration.ofSeconds(30);

    /**
     * What came of a reconciliation.
     *
     * @param released whether nothing is left of a deleted resource
     * @param checkAgain empty if only a change can change anything
     */
    public record Outcome(
            Reason reason, boolean wroteStatus, boolean released, Optional<Duration> checkAgain) {}

    /**
     * What ends a reconciliation is told on the resource, once for each kind of it, and tried
     * again.
     */
    public Outcome run(R resource) {
        try {
            return reconcile(resource);
        } catch (RuntimeException fault) {
            if (!isEnding(fault)) {
                tell.accept(resource, List.of(unfinished(fault)));
            }
            throw fault;
        }
    }

    /** Whether the process is about to end, which is no fault of the resource's. */
    private static boolean isEnding(RuntimeException fault) {
        return Thread.currentThread().isInterrupted()
                || Stream.<Throwable>iterate(fault, Objects::nonNull, Throwable::getCause)
                        .limit(MOST_CAUSES)
                        .anyMatch(InterruptedException.class::isInstance);
    }

    private static ResourceEvent unfinished(RuntimeException fault) {
        String kind = fault.getClass().getSimpleName();
        return ResourceEvent.of(
                "Operator",
                OperatorEvent.ERROR,
                "pass/" + kind,
                "A reconciliation of the resource failed and is repeated. " + why(fault));
    }

    private static String why(RuntimeException fault) {
        return fault instanceof KubernetesClientException refused && refused.getStatus() != null
                ? "The API server answered with "
                        + refused.getCode()
                        + ": "
                        + ApiServerMessage.of(refused)
                : fault.getClass().getSimpleName()
                        + ": "
                        + Optional.ofNullable(fault.getMessage()).orElse("no message");
    }

    private Outcome reconcile(R resource) {
        ObservedState seen = observe.apply(resource);
        Decision decision = Decider.decide(seen);
        ObjectNode stored = IntentFirst.statusOf(resource);
        ObjectNode next = render.apply(decision, stored);
        boolean isTransition = !isSame(next, stored);
        boolean acts = !decision.actions().isEmpty();
        ObjectNode kept =
                isTransition
                        ? render.apply(
                                LatestCheckpoint.withNewestCheckpoint(decision, seen), stored)
                        : next;
        long asked = memory.confirmedVersions().asking();
        switch (isTransition || acts ? store.save(resource, kept) : StatusStore.Saved.KEPT) {
            case KEPT -> memory.recorded(seen, decision.status().jobStatus().log());
            case CONFLICT -> {
                return new Outcome(decision.reason(), false, false, Optional.of(AFTER_CONFLICT));
            }
            case CUT -> {
                ResourceEvent cut = statusCut(crd);
                tell.accept(resource, List.of(cut));
                LOG.warn(cut.message());
                return new Outcome(decision.reason(), true, false, Optional.of(AFTER_CUT));
            }
        }
        if (acts) {
            memory.confirmedVersions().confirmed(resource.getMetadata(), asked);
            act(resource, decision.actions());
        }
        boolean released = decision.actions().stream().anyMatch(Action.Release.class::isInstance);
        if (isTransition || released) {
            tell.accept(resource, decision.notes());
            IntentFirst.log(LOG, resource, decision.reason(), decision.actions());
        }
        List<ResourceEvent> kills = memory.kills(seen);
        if (!kills.isEmpty()) {
            tell.accept(resource, kills);
        }
        return new Outcome(decision.reason(), isTransition, released, decision.checkAgain());
    }

    private void act(R resource, List<Action> actions) {
        try {
            actions.forEach(action -> perform.perform(resource, action));
        } finally {
            memory.confirmedVersions().forget(resource.getMetadata());
        }
    }

    /**
     * Without its memory the next reconciliation would not know what this one has begun: nothing is
     * done.
     *
     * @param crd what the CRD is called, for people
     */
    public static ResourceEvent statusCut(String crd) {
        return ResourceEvent.of(
                "Operator",
                OperatorEvent.STATUS_NOT_KEPT,
                "status not kept",
                "The API server drops parts of the status, as the installed CRD "
                        + crd
                        + " does not know them: apply the chart's crds ("
                        + InstalledCrds.UPDATE
                        + "). Until then nothing is done.");
    }

    /** Whether writing {@code next} would change nothing of {@code stored}. */
    public static boolean isSame(ObjectNode next, ObjectNode stored) {
        return next.equals(Reconciliation::compare, stored);
    }

    /** A number read from the wire is narrower than the same number set by us, and equal to it. */
    private static int compare(JsonNode one, JsonNode other) {
        if (one.isIntegralNumber() && other.isIntegralNumber()) {
            return Long.compare(one.longValue(), other.longValue());
        }
        return one.equals(other) ? 0 : 1;
    }
}
