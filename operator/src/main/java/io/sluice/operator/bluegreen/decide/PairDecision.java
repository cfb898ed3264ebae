// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What to do about a pair: first the events are recorded, then the status is stored, then the
 * actions are performed in order.
 *
 * @param detail completes the sentence of the reason
 * @param status without conditions, which follow from the reason
 * @param checkAgain empty if only a change of the pair or of a half can change anything
 */
@RecordBuilder
public record PairDecision(
        Reason reason,
        String detail,
        FlinkBlueGreenDeploymentStatus status,
        List<PairAction> actions,
        List<ResourceEvent> events,
        Optional<Duration> checkAgain)
        implements PairDecisionBuilder.With {
    public PairDecision {
        actions = List.copyOf(actions);
        events = List.copyOf(events);
    }
}
