// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last things that happened, for the report of a failing seed; more of them with {@code
 * -Dsim.trace=500}.
 */
public final class Trace {
    private static final int LENGTH = Integer.getInteger("sim.trace", 60);

    private final Deque<String> lines = new ArrayDeque<>();
    private int step;

    void beginStep(int number) {
        step = number;
    }

    public void add(String line) {
        if (lines.size() == LENGTH) {
            lines.removeFirst();
        }
        lines.addLast(step + " " + line);
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
