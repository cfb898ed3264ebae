// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a step of a decision came to. Only the {@code Decider} goes on from one that has not decided
 * yet, so that no step calls what called it.
 */
public sealed interface StepResult permits Decision, StepResult.Continue, StepResult.Held {
    /** The lifecycle of the cluster goes on with this context. */
    record Continue(StepContext context) implements StepResult {}

    /**
     * A change has to wait: the lifecycle of the cluster goes on with this context, which usually
     * is that of the former spec, and the reason says why the change is not carried out.
     *
     * @param checkAgain empty where the lifecycle says when
     * @param actions what is done besides what the lifecycle does
     */
    record Held(
            StepContext context,
            Reason reason,
            String detail,
            Optional<Duration> checkAgain,
            List<Action> actions)
            implements StepResult {
        public Held {
            actions = List.copyOf(actions);
        }

        public Held(StepContext context, Reason reason, String detail) {
            this(context, reason, detail, Optional.empty(), List.of());
        }

        /** The same, looked at again after {@code time}. */
        public Held after(Duration time) {
            return new Held(context, reason, detail, Optional.of(time), actions);
        }

        /** The same, and {@code action} is performed too. */
        public Held acting(Action action) {
            return new Held(
                    context,
                    reason,
                    detail,
                    checkAgain,
                    Stream.concat(actions.stream(), Stream.of(action)).toList());
        }
    }
}
