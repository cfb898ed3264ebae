// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.status.ReconciledSpec;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.running.StateTriggers;
import io.sluice.operator.decide.step.CancelBeforeRemoval;
import io.sluice.operator.decide.step.ClusterActions;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepContext.JobId;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.util.function.Function;

/**
 * The last reconciled spec is started once more, under a new attempt: recorded first, then the
 * former cluster is removed, then the new one is created. The spec stays as old as it is, so that
 * one that never becomes stable can't hide behind its restarts.
 */
public final class NewAttempt {
    private NewAttempt() {}

    /**
     * @param from the state that is known; never {@link StartFrom.Nothing} where there is some
     * @param told the event, by the new attempt's id
     */
    public static Decision record(
            StepContext context,
            StartFrom from,
            Reason reason,
            Function<String, ResourceEvent> told) {
        return record(context, from, JobId.of(from), reason, told);
    }

    /**
     * Does the same as {@link #record(StepContext, StartFrom, Reason, Function)}.
     *
     * @param jobId whether the new attempt keeps the id of the job
     */
    static Decision record(
            StepContext context,
            StartFrom from,
            JobId jobId,
            Reason reason,
            Function<String, ResourceEvent> told) {
        ReconciledSpec wanted = new ReconciledSpec(context.wanted().spec(), false);
        StepContext begun =
                StateTriggers.withoutTriggers(context.withWanted(wanted)).startAttempt(from, jobId);
        StepContext dated =
                begun.withDraft(
                        draft ->
                                draft.reconciledAt(
                                        context.draft()
                                                .reconciliation()
                                                .reconciliationTimestamp()));
        StepContext saying = dated.withEvent(told.apply(dated.attempt().orElse("")));
        return context.cluster().isGone()
                ? saying.withStartOptions()
                        .decide(reason, context.soon(), ClusterActions.create(saying, from))
                : CancelBeforeRemoval.beforeFreshStart(saying, reason);
    }
}
