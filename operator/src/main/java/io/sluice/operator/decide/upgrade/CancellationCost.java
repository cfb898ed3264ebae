// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.StateView.Retention;

/** What a cancellation would cost a job: its state, if Flink deletes it or has not written it. */
sealed interface CancellationCost {
    /** The job's state outlives the cancellation, or there is none. */
    record Nothing() implements CancellationCost {}

    /** It is not known yet. */
    record Unread() implements CancellationCost {}

    record State(Reason why) implements CancellationCost {}

    static CancellationCost of(StepContext context, JobView.Seen seen) {
        return switch (context.observed().state().retention()) {
            case Retention.NotAsked _, Retention.Unread _ -> new Unread();
            case Retention.Known(var retention) ->
                    switch (retention) {
                        case RETAINED, NO_CHECKPOINTS ->
                                seen.isUp() ? ofLastCheckpoint(context) : new Nothing();
                        case DELETED -> new State(Reason.CHECKPOINTS_NOT_RETAINED);
                    };
        };
    }

    private static CancellationCost ofLastCheckpoint(StepContext context) {
        return switch (UpgradeSituations.checkpoint(context)) {
            case MADE -> new Nothing();
            case UNREAD -> new Unread();
            case NONE -> new State(Reason.NO_CHECKPOINT);
        };
    }
}
