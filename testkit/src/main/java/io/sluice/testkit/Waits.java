// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits by the clock that only goes forward. */
public final class Waits {
    private static final long STEP = Duration.ofMillis(20).toNanos();

    private Waits() {}

    /** Returns how long it took until {@code reached}, or {@code longest} if it did not. */
    public static Duration until(BooleanSupplier reached, Duration longest) {
        long start = System.nanoTime();
        while (!reached.getAsBoolean() && since(start).compareTo(longest) < 0) {
            LockSupport.parkNanos(STEP);
        }
        return since(start);
    }

    /** Returns whether it came to {@code reached} within {@code longest}. */
    public static boolean reaches(BooleanSupplier reached, Duration longest) {
        until(reached, longest);
        return reached.getAsBoolean();
    }

    /** Does nothing for {@code length}. */
    public static void pause(Duration length) {
        until(() -> false, length);
    }

    /**
     * Returns the time that has passed.
     *
     * @param nanos a former {@link System#nanoTime}
     */
    public static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
