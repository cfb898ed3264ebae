// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.leadership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.operator.config.LeaseTerms;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lease may be lost unnoticed by a leader that stood still for more than 5 s. */
class LeadershipTest {
    private static final LeaseTerms TERMS =
            new LeaseTerms(
                    "home",
                    "lease",
                    "me",
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(2));

    /** Close to the end of its range: what is compared is the difference of two readings. */
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);

    private final AtomicInteger lost = new AtomicInteger();
    private final Leadership leadership = new Leadership(TERMS, nanos::get, lost::incrementAndGet);

    @BeforeEach
    void lead() {
        leadership.configuration().getLeaderCallbacks().orElseThrow().onStartLeading();
        assertThat(leadership.mayAct()).isTrue();
    }

    @AfterEach
    void close() {
        leadership.close();
    }

    @Test
    void oneThatStoodStillForTooLongActsNoMoreAndEnds() {
        nanos.addAndGet(Duration.ofSeconds(6).toNanos());

        await().untilAsserted(() -> assertThat(lost).hasPositiveValue());
        assertThat(leadership.mayAct()).isFalse();
        assertThat(leadership.leads()).isFalse();
    }

    /** The thread that beats may be the last to wake up. */
    @Test
    void oneThatStoodStillActsNoMoreThoughItsHeartHasNotBeatenSince() {
        leadership.close();

        nanos.addAndGet(Duration.ofSeconds(6).toNanos());

        assertThat(leadership.mayAct()).isFalse();
    }

    @Test
    void oneThatStoodStillForAMomentActsOn() {
        nanos.addAndGet(Duration.ofSeconds(4).toNanos());

        assertThat(leadership.mayAct()).isTrue();
        await().during(Duration.ofSeconds(1)).untilAsserted(() -> assertThat(lost).hasValue(0));
        assertThat(leadership.mayAct()).isTrue();
    }
}
