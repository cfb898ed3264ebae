// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.world;

import io.sluice.testkit.sim.Environment;
import java.util.Set;

/**
 * What goes wrong in a world and what its users do, each with a number, so that a story can be told
 * again without some of it.
 */
public final class Disturbances {
    private final Environment environment;
    private final Set<Integer> left;
    private int number;

    /**
     * @param left the numbers of those that do not come about
     */
    public Disturbances(Environment environment, Set<Integer> left) {
        this.environment = environment;
        this.left = left;
    }

    /** Whether a fault of the given likelihood happens now. */
    public boolean strikes(int percent) {
        return environment.faults().strikes(percent) && happens();
    }

    /** Whether what is about to happen does. */
    public boolean happens() {
        return !left.contains(number++);
    }

    /** How many there were so far. */
    public int count() {
        return number;
    }
}
