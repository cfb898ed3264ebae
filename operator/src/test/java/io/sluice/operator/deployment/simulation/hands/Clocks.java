// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.hands;

import io.sluice.testkit.sim.Dice;
import java.time.Duration;
import java.time.Instant;

/**
 * The clocks of the operator's node and of Flink's, beside that of the API server. They differ by
 * seconds, and that of the operator is set now and then.
 */
public final class Clocks {
    private static final int MOST_SECONDS = 20;
    private static final int LONGEST_STEP_SECONDS = 90;

    private Duration operator = Duration.ZERO;
    private Duration flink = Duration.ZERO;

    /** From now on they differ. */
    public void differ(Dice dice) {
        operator = Duration.ofMillis(millis(dice, MOST_SECONDS));
        flink = Duration.ofMillis(millis(dice, MOST_SECONDS));
    }

    /** Somebody sets that of the operator. */
    public Duration step(Dice dice) {
        operator = Duration.ofMillis(millis(dice, LONGEST_STEP_SECONDS));
        return operator;
    }

    private static long millis(Dice dice, int seconds) {
        return 1000L * (dice.below(2 * seconds + 1) - seconds) + dice.below(1000);
    }

    public Instant ofOperator(Instant now) {
        return now.plus(operator);
    }

    public Instant ofFlink(Instant now) {
        return now.plus(flink);
    }
}
