// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long at the most a thread that has nothing to do but to wake up was kept from it. On a
 * machine that is shared, so much of the longest wait measured meanwhile may be nobody's fault.
 */
final class SchedulingDelay implements AutoCloseable {
    private static final Duration WAIT = Duration.ofMillis(20);

    private final AtomicLong longest = new AtomicLong();
    private final CountDownLatch closed = new CountDownLatch(1);

    SchedulingDelay() {
        Thread.ofPlatform().daemon().name("standstill").start(this::measure);
    }

    double longestMillis() {
        return longest.get() / 1e6;
    }

    @Override
    public void close() {
        closed.countDown();
    }

    private void measure() {
        try {
            long begin = System.nanoTime();
            while (!closed.await(WAIT.toNanos(), TimeUnit.NANOSECONDS)) {
                longest.accumulateAndGet(System.nanoTime() - begin - WAIT.toNanos(), Math::max);
                begin = System.nanoTime();
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
