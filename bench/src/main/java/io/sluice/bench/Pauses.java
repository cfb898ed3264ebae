// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waiting where waiting is the measurement. */
final class Pauses {
    private Pauses() {}

    static void of(Duration pause) {
        until(System.nanoTime() + pause.toNanos());
    }

    /**
     * @param nanoTime as of {@link System#nanoTime}
     */
    static void until(long nanoTime) {
        long left = nanoTime - System.nanoTime();
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = nanoTime - System.nanoTime();
        }
    }
}
