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
import io.sluice.operator.decide.step.Conditions;
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
        ObjectNode node =
                new FlinkDeploymentStatus(
                                JobStatus.EMPTY,
                                error(reason, Conditions.message(reason, decision.detail())),
                                Optional.of(snapshot.identity().generation()),
                                Optional.of(lifecycle(reason)),
                                Map.of(),
                                JobManagerDeploymentState.MISSING,
                                ReconciliationStatus.EMPTY,
                                TaskManagerStatus.NONE,
                                AttemptStatus.NONE,
                                Optional.empty(),
                                conditions(snapshot, reason, decision.detail()))
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
            CronObservedState snapshot, Reason reason, String detail) {
        var conditions =
                new Conditions(
                        snapshot.conditions(), snapshot.identity().generation(), snapshot.now());
        return Stream.concat(
                        Stream.of(
                                conditions.of(
                                        "Running",
                                        reason == Reason.CRON_RUNNING,
                                        reason.wire(),
                                        Conditions.message(reason, detail))),
                        conditions.of(reason, detail, reason.isAsAsked()).stream())
                .toList();
    }
}
