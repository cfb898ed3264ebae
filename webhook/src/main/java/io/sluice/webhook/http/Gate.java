// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import io.sluice.webhook.admission.BodyParts;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How many bytes of bodies are worked on at once: read, a body takes many times its size. A body's
 * size here is its {@link BodyParts#weight}. Whoever comes when it is full waits its turn for a
 * moment; a body of more than the whole gate passes alone.
 */
final class Gate {
    private final int capacity;
    private final Duration patience;
    private final Semaphore bytes;

    Gate(int capacity, Duration patience) {
        this.capacity = capacity;
        this.patience = patience;
        this.bytes = new Semaphore(capacity, true);
    }

    /** False if its turn did not come in time; otherwise {@link #exit} must follow. */
    boolean tryEnter(int size) {
        try {
            return bytes.tryAcquire(weight(size), patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void exit(int size) {
        bytes.release(weight(size));
    }

    private int weight(int size) {
        return Math.min(size, capacity);
    }
}
