// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.world;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What has been refused is not tried again at each look. */
public final class TriesInVain {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Each edit and each process of the operator may try once more. */
    private static final int MOST_IN_A_MINUTE = 12;

    private final Supplier<Instant> now;
    private final Consumer<String> violated;
    private final Deque<Instant> refused = new ArrayDeque<>();

    /**
     * @param violated is told what must not have happened
     */
    public TriesInVain(Supplier<Instant> now, Consumer<String> violated) {
        this.now = now;
        this.violated = violated;
    }

    /** The operator's request has been refused. */
    public void refused() {
        refused.addLast(now.get());
        while (refused.getFirst().isBefore(now.get().minus(MINUTE))) {
            refused.removeFirst();
        }
        if (refused.size() > MOST_IN_A_MINUTE) {
            violated.accept("what is refused is tried " + refused.size() + " times in a minute");
        }
    }
}
