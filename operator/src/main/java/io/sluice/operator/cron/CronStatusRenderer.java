// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.AttemptStatus;
import io.sluice.api.status.Condition;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobStatus;
import io.sluice.api.status.LifecycleState;
import io.sluice.api.status.ReconciliationStatus;
import io.sluice.api.status.TaskManagerStatus;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Reason.Outlook;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Renders a template's status: of a FlinkDeployment that runs nothing itself. */
final class CronStatusRenderer {
    private CronStatusRenderer() {}

    static ObjectNode status(CronObservedState snapshot, CronDecision decision, ObjectNode stored) {
        Reason reason = decision.reason();
        String text =
                decision.detail().isEmpty()
                        ? reason.text()
                        : reason.text() + " " + decision.detail();
        ObjectNode node =
                new FlinkDeploymentStatus(
                                JobStatus.EMPTY,
                                error(reason, text),
                                Optional.of(snapshot.identity().generation()),
                                Optional.of(lifecycle(reason)),
                                Map.of(),
                                JobManagerDeploymentState.MISSING,
                                ReconciliationStatus.EMPTY,
                                TaskManagerStatus.NONE,
                                AttemptStatus.NONE,
                                conditions(snapshot, reason, text))
                        .onto(stored);
        node.withObject("/jobStatus").put("state", decision.job());
        decision.memory().writeOnto(node);
        return node;
    }

    /** A template is never deployed itself (docs/contract/reconciler.md, section 14). */
    private static LifecycleState lifecycle(Reason reason) {
        return switch (reason.outlook()) {
            case STALLED -> LifecycleState.FAILED;
            case READY -> LifecycleState.CREATED;
            case PROGRESSING ->
                    reason == Reason.DELETING ? LifecycleState.DELETING : LifecycleState.CREATED;
            case AT_REST -> LifecycleState.SUSPENDED;
            case GONE -> LifecycleState.DELETED;
        };
    }

    private static Optional<String> error(Reason reason, String text) {
        return Optional.of(reason)
                .filter(it -> it.outlook() == Outlook.STALLED)
                .map(
                        it ->
                                JsonNodeFactory.instance
                                        .objectNode()
                                        .put("type", it.wire())
                                        .put("message", text)
                                        .toString());
    }

    private static List<Condition> conditions(
            CronObservedState snapshot, Reason reason, String text) {
        return Stream.of(
                        condition(snapshot, "Running", reason == Reason.CRON_RUNNING, reason, text),
                        condition(snapshot, "Ready", reason.isAsAsked(), reason, text),
                        condition(
                                snapshot,
                                "Reconciling",
                                reason.outlook() == Outlook.PROGRESSING,
                                reason,
                                text),
                        condition(
                                snapshot,
                                "Stalled",
                                reason.outlook() == Outlook.STALLED,
                                reason,
                                text))
                .toList();
    }

    private static Condition condition(
            CronObservedState snapshot, String type, boolean holds, Reason reason, String text) {
        Condition.Status status = holds ? Condition.Status.TRUE : Condition.Status.FALSE;
        var since =
                snapshot.conditions().stream()
                        .filter(before -> before.type().equals(type) && before.status() == status)
                        .map(Condition::lastTransitionTime)
                        .findFirst()
                        .orElse(snapshot.now());
        return new Condition(
                type,
                status,
                reason.wire(),
                text,
                since,
                Optional.of(snapshot.identity().generation()));
    }
}
