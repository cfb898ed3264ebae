// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass over one resource. The order is the point: the decision's status is stored before its
 * actions, so that a crash between any two lines leaves a status from which the next pass goes on.
 */
public final class FlinkDeploymentPass {
    private static final Logger LOG = LoggerFactory.getLogger(FlinkDeploymentPass.class);
    private static final Duration AFTER_CONFLICT = Duration.ofMillis(200);

    private static final Duration AFTER_CUT = Duration.ofSeconds(30);

    /** Without its memory the next pass would not know what this one has begun: nothing is done. */
    private static final Note STATUS_CUT =
            Note.warning(
                    "Operator",
                    "StatusNotKept",
                    "status not kept",
                    "The API server drops parts of the status, as the installed CRD"
                            + " flinkdeployments.flink.apache.org does not know them: apply the chart's crds"
                            + " (kubectl apply --server-side --force-conflicts -f helm/sluice/crds)."
                            + " Until then nothing is done.");

    private final Observer observer;
    private final StatusStore store;
    private final Effects effects;
    private final Narrator narrator;

    public FlinkDeploymentPass(
            Observer observer, StatusStore store, Effects effects, Narrator narrator) {
        this.observer = observer;
        this.store = store;
        this.effects = effects;
        this.narrator = narrator;
    }

    /**
     * What came of a pass.
     *
     * @param released whether nothing is left of a deleted resource
     * @param checkAgain empty if only a change can change anything
     */
    public record Outcome(
            Reason reason, boolean wroteStatus, boolean released, Optional<Duration> checkAgain) {}

    public Outcome run(FlinkDeployment resource) {
        Decision decision = Decider.decide(observer.observe(resource));
        ObjectNode stored = status(resource);
        ObjectNode next = decision.status().onto(stored);
        boolean isTransition = !next.equals(FlinkDeploymentPass::compare, stored);
        switch (isTransition ? store.save(resource, next) : StatusStore.Saved.KEPT) {
            case KEPT -> {}
            case CONFLICT -> {
                return new Outcome(decision.reason(), false, false, Optional.of(AFTER_CONFLICT));
            }
            case CUT -> {
                narrator.tell(resource, List.of(STATUS_CUT));
                LOG.warn(STATUS_CUT.message());
                return new Outcome(decision.reason(), true, false, Optional.of(AFTER_CUT));
            }
        }
        decision.actions().forEach(action -> effects.perform(resource, action));
        boolean released = decision.actions().contains(new Action.ReleaseResource());
        if (isTransition || released) {
            narrator.tell(resource, decision.notes());
            log(resource, decision);
        }
        return new Outcome(decision.reason(), isTransition, released, decision.checkAgain());
    }

    /** A number read from the wire is narrower than the same number set by us, and equal to it. */
    private static int compare(JsonNode one, JsonNode other) {
        if (one.isIntegralNumber() && other.isIntegralNumber()) {
            return Long.compare(one.longValue(), other.longValue());
        }
        return one.equals(other) ? 0 : 1;
    }

    private static ObjectNode status(FlinkDeployment resource) {
        return Optional.ofNullable(resource.getStatus())
                .orElseGet(JsonNodeFactory.instance::objectNode);
    }

    private static void log(FlinkDeployment resource, Decision decision) {
        LOG.atInfo()
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
