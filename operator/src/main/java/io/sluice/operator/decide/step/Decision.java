// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What to do about a resource: first the status is written (if it differs), then the actions are
 * performed in order, then the events are recorded.
 *
 * @param detail what the reason's sentence is completed with, already free of secrets
 * @param checkAgain empty if only a change of the resource or its children can change anything
 */
@RecordBuilder
public record Decision(
        Reason reason,
        String detail,
        FlinkDeploymentStatus status,
        List<Action> actions,
        List<ResourceEvent> notes,
        Optional<Duration> checkAgain)
        implements StepResult, DecisionBuilder.With {
    public Decision {
        actions = List.copyOf(actions);
        notes = List.copyOf(notes);
    }

    /** The same, and looked at again after {@code most} at the latest. */
    public Decision within(Duration most) {
        return withCheckAgain(
                checkAgain
                        .filter(sooner -> sooner.compareTo(most) < 0)
                        .or(() -> Optional.of(most)));
    }

    /** The same, looked at again after {@code time}. */
    public Decision after(Duration time) {
        return withCheckAgain(Optional.of(time));
    }
}
