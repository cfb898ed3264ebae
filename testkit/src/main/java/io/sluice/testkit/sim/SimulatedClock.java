// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Time that passes only when told to. */
public final class SimulatedClock implements InstantSource {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    /** The same time as a clock that nobody sets would tell it, in nanoseconds. */
    public long nanos() {
        return now.toEpochMilli() * 1_000_000;
    }

    public void advance(Duration by) {
        now = now.plus(by);
    }
}
