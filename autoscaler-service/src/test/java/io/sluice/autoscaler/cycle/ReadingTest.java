// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReadingTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Reading BEFORE = new Reading(NOON, Instant.EPOCH.plusSeconds(100));

    @Test
    void seesThatTheClockWasSetForward() {
        assertThat(after(15 + 3600, 15).jumpSince(BEFORE)).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void seesThatTheClockWasSetBack() {
        assertThat(after(15 - 3600, 15).jumpSince(BEFORE)).isEqualTo(Duration.ofHours(-1));
    }

    @Test
    void doesNotMindAClockThatIsBeingTrimmed() {
        assertThat(after(17, 15).jumpSince(BEFORE)).isZero();
        assertThat(after(3600, 3600).jumpSince(BEFORE)).isZero();
    }

    private static Reading after(long clockSeconds, long uptimeSeconds) {
        return new Reading(
                BEFORE.clock().plusSeconds(clockSeconds),
                BEFORE.uptime().plusSeconds(uptimeSeconds));
    }
}
