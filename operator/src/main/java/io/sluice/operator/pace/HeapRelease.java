// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.pace;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Gives back heap that a burst of work has taken. The collector returns memory only when it
 * collects everything, and a process that is idle gives it no reason to for hours.
 */
public final class HeapRelease {
    private static final Duration PAUSE = Duration.ofMinutes(10);
    private static final long MUCH = 32L * 1024 * 1024;

    private final LongSupplier committed;
    private final Runnable collection;
    private final InstantSource uptime;
    private long settled;
    private long before;
    private Instant notBefore = Instant.MIN;

    /**
     * @param committed how many bytes the heap takes now
     * @param collection collects everything, and returns what is not needed
     * @param uptime a clock that only goes forward
     */
    public HeapRelease(LongSupplier committed, Runnable collection, InstantSource uptime) {
        this.committed = committed;
        this.collection = collection;
        this.uptime = uptime;
        settled = committed.getAsLong();
        before = settled;
    }

    /**
     * To be called every few seconds: collects once the heap has grown much since it was last
     * settled, and grows no more.
     */
    public void look() {
        long now = committed.getAsLong();
        boolean isCalm = now <= before;
        before = now;
        if (isCalm && now - settled > MUCH && !uptime.instant().isBefore(notBefore)) {
            collection.run();
            settled = committed.getAsLong();
            before = settled;
            notBefore = uptime.instant().plus(PAUSE);
        }
    }
}
