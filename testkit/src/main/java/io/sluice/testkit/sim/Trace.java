// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The last things that happened, for the report of a failing seed; more of them with {@code
 * -Dsim.trace=500}.
 */
public final class Trace {
    private static final int LENGTH = Integer.getInteger("sim.trace", 60);

    private final Deque<String> lines = new ArrayDeque<>();
    private final CRC32C digest = new CRC32C();
    private int step;

    void beginStep(int number) {
        step = number;
    }

    public void add(String line) {
        if (lines.size() == LENGTH) {
            lines.removeFirst();
        }
        String numbered = step + " " + line;
        lines.addLast(numbered);
        digest(numbered);
    }

    /** Counts {@code text} in the digest of the run, but shows it to nobody. */
    public void digest(String text) {
        digest.update(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A checksum of all that has happened, the lines that are no longer kept included. */
    long digest() {
        return digest.getValue();
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
