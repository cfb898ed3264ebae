// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that only goes forward, whatever happens to the system's: for heartbeats, turns, pauses
 * and time-outs within this process. Its instants mean nothing to another process, so that none of
 * them belongs into a status, an event or a file.
 */
public final class Uptime implements InstantSource {
    private final long start = System.nanoTime();

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(System.nanoTime() - start);
    }
}
