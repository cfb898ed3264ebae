// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.operator.model.Action;

/** An effect on the halves of a pair. Each is idempotent; none waits for its outcome. */
public sealed interface PairAction {
    /** Creates a half; without effect if one of the name is there. */
    record CreateHalf(HalfColor color, HalfPlan plan) implements PairAction {}

    /** Changes the half that was observed and no other, unless it bears the mark already. */
    record ApplyHalf(HalfColor color, String uid, HalfPlan plan) implements PairAction {}

    /** Deletes the half that was observed and no other. */
    record DeleteHalf(HalfColor color, String uid) implements PairAction {}

    /** Asks the JobManager of a half for a savepoint; the same request again changes nothing. */
    record TriggerSavepoint(HalfColor color, String jobId, SavepointRequest request)
            implements PairAction {}

    /**
     * Creates the FlinkStateSnapshot of a savepoint; without effect if one of its name is there.
     */
    record RegisterSavepoint(Action.CreateSnapshot creation) implements PairAction {}

    /** Leads the Ingress or HTTPRoute of the pair to a half. */
    record LeadTo(HalfColor color) implements PairAction {}

    /**
     * What a half is to be.
     *
     * @param mark what it is annotated with
     * @param template of the pair, with labels and annotations of the half
     * @param spec of the half
     */
    record HalfPlan(String mark, ObjectNode template, ObjectNode spec) {}
}
