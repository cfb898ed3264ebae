// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Arrays that bodies are received in, one after the other. A body that arrives slowly outlives the
 * young generation: if each had arrays of its own, those of callers that never finish would fill
 * the old one every few seconds, and the collections of it would stop all reviews. Safe for many
 * threads.
 */
final class Segments {
    /** Bytes of each. */
    static final int SIZE = 64 * 1024;

    /** What nobody has used for so long is left to the collector. */
    private static final long KEPT_NANOS = Duration.ofSeconds(20).toNanos();

    /** One that nobody uses, and when it was given back, by {@link System#nanoTime}. */
    private static final class Free {
        private final byte[] segment;
        private final long since = System.nanoTime();

        private Free(byte[] segment) {
            this.segment = segment;
        }
    }

    /** The one that was given back last is taken first. */
    private final Deque<Free> free = new ArrayDeque<>();

    /** One with whatever was received in it before. */
    byte[] take() {
        synchronized (free) {
            if (!free.isEmpty()) {
                return free.removeLast().segment;
            }
        }
        return new byte[SIZE];
    }

    /** The caller must not touch it any more. */
    void giveBack(byte[] segment) {
        if (segment.length == SIZE) {
            synchronized (free) {
                free.addLast(new Free(segment));
            }
        }
    }

    /** Lets go of those that are no longer needed. */
    void trim() {
        synchronized (free) {
            long now = System.nanoTime();
            while (!free.isEmpty() && now - free.getFirst().since > KEPT_NANOS) {
                free.removeFirst();
            }
        }
    }
}
