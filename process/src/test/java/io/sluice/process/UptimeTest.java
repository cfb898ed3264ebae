// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class UptimeTest {
    @Test
    void countsFromItsOwnBeginningWhateverTheSystemsClockSays() {
        var uptime = new Uptime();

        Instant first = uptime.instant();

        assertThat(first).isBetween(Instant.EPOCH, Instant.EPOCH.plus(Duration.ofMinutes(5)));
        assertThat(uptime.instant()).isAfterOrEqualTo(first);
    }
}
