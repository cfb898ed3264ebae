// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;

/**
 * Makes each record cost a fixed time without using the processor: to Flink the task is busy, and a
 * small machine can run many of them at their true rate.
 *
 * <p>The cost is paid a few milliseconds at a time, and what was paid too much is set off against
 * the next records, so that the rate holds although no pause is exact.
 */
final class Pace {

    private static final long PAYMENT = 2_000_000;
    private static final long MAX_CREDIT = 20_000_000;

    private final long cost;
    private final LongUnaryOperator pause;
    private long owed;

    /** The pause is given the nanoseconds to take and answers how many it took. */
    Pace(double recordsPerSecond, LongUnaryOperator pause) {
        this.cost = Math.round(1e9 / recordsPerSecond);
        this.pause = pause;
    }

    void one() {
        owed += cost;
        if (owed >= PAYMENT) {
            owed = Math.max(-MAX_CREDIT, owed - pause.applyAsLong(owed));
        }
    }

    static long park(long nanos) {
        long start = System.nanoTime();
        long taken = 0;
        while (taken < nanos && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(nanos - taken);
            taken = System.nanoTime() - start;
        }
        return taken;
    }
}
