// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * What has been received and is not answered yet, in bytes. It is bounded, so that callers can't
 * fill the heap; a request that no longer fits is sent away at once.
 */
final class InFlight {
    private final int capacity;
    private final Semaphore bytes;
    private volatile boolean leaving;

    InFlight(int capacity) {
        this.capacity = capacity;
        this.bytes = new Semaphore(capacity);
    }

    /** One request's share; it takes a byte from the start, so that an empty one counts too. */
    final class Lease implements AutoCloseable {
        private int held = 1;
        private boolean closed;

        /** False if there is no room for {@code more}, or the request is over. */
        synchronized boolean grow(int more) {
            if (closed || !bytes.tryAcquire(more)) {
                return false;
            }
            held += more;
            return true;
        }

        /** Gives everything back; closing again changes nothing. */
        @Override
        public synchronized void close() {
            if (!closed) {
                closed = true;
                bytes.release(held);
            }
        }
    }

    /** Empty if there is no room. */
    Optional<Lease> begin() {
        return bytes.tryAcquire() ? Optional.of(new Lease()) : Optional.empty();
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
            return bytes.tryAcquire(capacity, most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
