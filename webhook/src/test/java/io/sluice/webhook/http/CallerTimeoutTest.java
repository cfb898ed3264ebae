// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallerTimeoutTest {
    @Test
    void isReadAsAnApiServerWritesIt() {
        assertThat(CallerTimeout.of("timeout=10s")).contains(Duration.ofSeconds(10));
        assertThat(CallerTimeout.of("timeout=500ms")).contains(Duration.ofMillis(500));
        assertThat(CallerTimeout.of("timeout=1m0s")).contains(Duration.ofMinutes(1));
        assertThat(CallerTimeout.of("a=b&timeout=5s&c=d")).contains(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "&",
                "time=1s",
                "timeout=",
                "timeout=0s",
                "timeout=-1s",
                "timeout=5",
                "timeout=s",
                "timeout=1.5s",
                "timeout=99999999999s",
                "timeout=5s;DROP"
            })
    void whatSaysNoTimeIsNoLimit(String query) {
        assertThat(CallerTimeout.of(query)).isEmpty();
    }
}
