// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ResourceEvent;
import java.util.List;
import java.util.Optional;

/**
 * The events of a pair since its last transition began. That one has failed is told, and no more
 * often than something went wrong.
 */
final class ToldEvents {
    private final PairWorld world;
    private int aborted;
    private int mishaps;

    ToldEvents(PairWorld world) {
        this.world = world;
    }

    void record(List<ResourceEvent> events) {
        for (ResourceEvent event : events) {
            world.analysis().told(event);
            if (event.of() == OperatorEvent.TRANSITION_ABORTED) {
                aborted++;
            }
            if (event.of() == OperatorEvent.SAVEPOINT_ERROR) {
                world.snapshots().givenUp(event.key());
            }
        }
    }

    /** A process has ended, a call was lost, or a status was not stored. */
    void mishap() {
        mishaps++;
    }

    void stored(ObjectNode before, ObjectNode next) {
        Optional<PairTransition> former = transition(before);
        Optional<String> id = transition(next).map(PairTransition::id);
        if (former.isPresent() && !former.map(PairTransition::id).equals(id)) {
            untold(former).ifPresent(world::violated);
            // Events come before the status: they may tell that the next one has ended at once.
            int ofNext = transition(next).filter(PairTransition::isOver).isPresent() ? 1 : 0;
            if (aborted > 1 + ofNext + mishaps) {
                world.violated("the same abort is told again and again");
            }
            aborted = Math.min(aborted, ofNext);
            mishaps = 0;
        }
    }

    /** What somebody should have been told. */
    Optional<String> untold() {
        return untold(transition(world.promises().status()));
    }

    private Optional<String> untold(Optional<PairTransition> last) {
        return last.filter(PairTransition::isOver)
                .flatMap(PairTransition::outcome)
                .filter(it -> it == TransitionOutcome.ABORTED || it == TransitionOutcome.FAILED)
                .filter(_ -> aborted == 0)
                .map(outcome -> "no event tells that a transition was " + outcome.wire());
    }

    private static Optional<PairTransition> transition(ObjectNode status) {
        return FlinkBlueGreenDeploymentStatus.of(status).transition();
    }
}
