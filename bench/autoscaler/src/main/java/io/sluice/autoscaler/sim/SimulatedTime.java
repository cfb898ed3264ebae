// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands until it is set. */
final class SimulatedTime extends Clock {
    private volatile Instant now = Instant.EPOCH;

    void set(double seconds) {
        now = Instant.ofEpochMilli((long) (seconds * 1000));
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
