// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import java.time.Duration;
import java.time.Instant;
import org.apache.flink.api.connector.source.SourceSplit;

/** The one split: when the curve began, and how much of it was emitted. Both outlive a restart. */
record LoadSplit(Instant startedAt, long emitted) implements SourceSplit {

    @Override
    public String splitId() {
        return "load";
    }

    LoadSplit afterOneMore() {
        return new LoadSplit(startedAt, emitted + 1);
    }

    long pending(Schedule schedule, Instant now) {
        Duration elapsed = Duration.between(startedAt, now);
        return elapsed.isNegative() ? 0 : Math.max(0, (long) schedule.due(elapsed) - emitted);
    }
}
