// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What cases took: how long the slowest, and how much memory the largest allocated. */
final class Costs {
    private static final double MILLION = 1_000_000.0;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private int cases;
    private int largestBody;
    private long nanos;
    private long slowest;
    private long bytes;
    private long mostBytes;

    /** Runs one case, whose body has {@code length} bytes. */
    void of(Runnable one, int length) {
        long begun = System.nanoTime();
        long before = threads.getCurrentThreadAllocatedBytes();
        one.run();
        bytes = threads.getCurrentThreadAllocatedBytes() - before;
        long took = System.nanoTime() - begun;
        cases++;
        nanos += took;
        slowest = Math.max(slowest, took);
        mostBytes = Math.max(mostBytes, bytes);
        largestBody = Math.max(largestBody, length);
    }

    /** Bytes that the last case allocated. */
    long lastBytes() {
        return bytes;
    }

    String text() {
        return ("%,d reviews in %,.0f s: the slowest took %.1f ms, the largest allocated %.1f MB;"
                        + " bodies up to %,d bytes")
                .formatted(
                        cases,
                        nanos / MILLION / 1000,
                        slowest / MILLION,
                        mostBytes / MILLION,
                        largestBody);
    }
}
