// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How many requests are worked on at once; above that further ones are sent away rather than
 * queued, as the API server's own deadline runs.
 */
final class Gate {
    private final int size;
    private final Semaphore slots;
    private volatile boolean leaving;

    Gate(int size) {
        this.size = size;
        this.slots = new Semaphore(size);
    }

    /** False if it is full; otherwise {@link #exit} must follow. */
    boolean tryEnter() {
        return slots.tryAcquire();
    }

    void exit() {
        slots.release();
    }

    /** From now on callers are asked to open their next connection elsewhere. */
    void leave() {
        leaving = true;
    }

    boolean isLeaving() {
        return leaving;
    }

    /** Lets nobody in any more and waits for those inside; false if some did not finish in time. */
    boolean drain(Duration most) {
        try {
            return slots.tryAcquire(size, most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
