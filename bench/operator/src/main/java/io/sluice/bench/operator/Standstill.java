// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long at the most a thread that has nothing to do but to wake up was kept from it. On a
 * machine that is shared, so much of the longest wait measured meanwhile may be nobody's fault.
 */
final class Standstill implements AutoCloseable {
    private static final Duration NAP = Duration.ofMillis(20);

    private final AtomicLong longest = new AtomicLong();
    private final Thread napping = Thread.ofPlatform().daemon().name("standstill").start(this::nap);

    double longestMillis() {
        return longest.get() / 1e6;
    }

    @Override
    public void close() {
        napping.interrupt();
    }

    private void nap() {
        try {
            while (true) {
                long begin = System.nanoTime();
                Thread.sleep(NAP);
                longest.accumulateAndGet(System.nanoTime() - begin - NAP.toNanos(), Math::max);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }
}
