// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * The versions of one answer that are being sent. Of {@link #MOST} at a time no further one is
 * made: the latest is sent once more.
 */
final class SharedResponse {
    static final int MOST = 4;

    private final Deque<Version> sent = new ArrayDeque<>();

    /** One version, and how many callers still read it. */
    final class Version {
        private final ByteBuffer whole;
        private int readers = 1;

        private Version(ByteBuffer whole) {
            this.whole = whole;
        }

        ByteBuffer bytes() {
            return whole.duplicate();
        }

        /** One caller has read it, or is gone. */
        void release() {
            synchronized (SharedResponse.this) {
                if (--readers == 0) {
                    sent.remove(this);
                }
            }
        }
    }

    /** To be released by the caller. */
    synchronized Version take(Supplier<Response> made) {
        if (sent.size() >= MOST) {
            Version latest = sent.getLast();
            latest.readers++;
            return latest;
        }
        var version = new Version(made.get().bytes());
        sent.addLast(version);
        return version;
    }
}
