// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.util.List;
import java.util.SplittableRandom;

/** All chance of a simulation: the same seed throws the same. */
public final class Dice {
    private final SplittableRandom random;

    Dice(long seed) {
        random = new SplittableRandom(seed);
    }

    public boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** From 0 to {@code bound}, without {@code bound} itself. */
    public int below(int bound) {
        return random.nextInt(bound);
    }

    public <T> T pick(List<T> choices) {
        return choices.get(below(choices.size()));
    }
}
