// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import io.sluice.api.status.Condition;
import io.sluice.flink.rest.request.StopRequest;
import io.sluice.manifest.ClusterPlan;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import java.util.Optional;

/** What tests look at in a decision. */
public final class Decisions {
    private Decisions() {}

    /** The plan of the cluster that is created. */
    public static ClusterPlan plan(Decision decision) {
        return decision.actions().stream()
                .filter(Action.CreateCluster.class::isInstance)
                .map(action -> ((Action.CreateCluster) action).plan())
                .findFirst()
                .orElseThrow(() -> new AssertionError(decision.reason() + decision.detail()));
    }

    /** The state that the job of the cluster that is created starts from. */
    public static StartFrom startOf(Decision decision) {
        return plan(decision).from();
    }

    /** The stop with a savepoint that the JobManager is asked for. */
    public static StopRequest stopRequest(Decision decision) {
        return ((Action.StopWithSavepoint) decision.actions().getFirst()).request();
    }

    public static Condition condition(Decision decision, String type) {
        return decision.status().condition(type).orElseThrow();
    }

    /** The path on record that the next attempt starts from. */
    public static Optional<String> source(Snapshots snapshots) {
        return snapshots.decide().status().jobStatus().upgradeSavepointPath();
    }
}
