// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that only goes forward, whatever happens to the system's: for turns and time-outs. */
final class Uptime implements InstantSource {
    private final long start = System.nanoTime();

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(System.nanoTime() - start);
    }
}
