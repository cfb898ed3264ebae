// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting, by the clock that only goes forward. */
final class Waits {
    private static final long STEP = Duration.ofMillis(20).toNanos();

    private Waits() {}

    /** How long it took until {@code reached}, or {@code longest} if it did not. */
    static Duration until(BooleanSupplier reached, Duration longest) {
        long start = System.nanoTime();
        while (!reached.getAsBoolean() && since(start).compareTo(longest) < 0) {
            LockSupport.parkNanos(STEP);
        }
        return since(start);
    }

    /** Whether it came to {@code reached} within {@code longest}. */
    static boolean reaches(BooleanSupplier reached, Duration longest) {
        until(reached, longest);
        return reached.getAsBoolean();
    }

    static void pause(Duration length) {
        until(() -> false, length);
    }

    static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
