// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.decide.EngineEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ToldEventsTest {
    private static final JobKey ORDERS = new JobKey("shop", "orders", "u-1");
    private static final JobKey BILLS = new JobKey("shop", "bills", "u-2");
    private static final Optional<Duration> HALF_AN_HOUR = Optional.of(Duration.ofMinutes(30));

    private Instant now = Instant.EPOCH;
    private final ToldEvents told = new ToldEvents(() -> now);

    @Test
    void dropsARepetitionUntilItsTimeIsOver() {
        EngineEvent event = event("once", HALF_AN_HOUR, "17");
        assertThat(told.isRepeated(ORDERS, event)).isFalse();

        told.add(ORDERS, event);

        assertThat(told.isRepeated(ORDERS, event)).isTrue();
        assertThat(told.isRepeated(BILLS, event)).as("of another job").isFalse();
        now = now.plus(Duration.ofMinutes(30));
        assertThat(told.isRepeated(ORDERS, event)).isFalse();
    }

    @Test
    void tellsOfAnotherContentAtOnceAndOfAnotherMessageLater() {
        told.add(ORDERS, event("1 -> 2", HALF_AN_HOUR, "17"));

        assertThat(told.isRepeated(ORDERS, event("1 -> 3", HALF_AN_HOUR, "18"))).isFalse();
        assertThat(told.isRepeated(ORDERS, event("1 -> 2, busier", HALF_AN_HOUR, "17"))).isTrue();
    }

    @Test
    void dropsNothingThatIsToBeCounted() {
        EngineEvent counted = event("once", Optional.empty(), "17");

        told.add(ORDERS, counted);

        assertThat(told.isRepeated(ORDERS, counted)).isFalse();
    }

    @Test
    void forgetsAJobThatIsGone() {
        EngineEvent event = event("once", HALF_AN_HOUR, "17");
        told.add(ORDERS, event);
        told.add(BILLS, event);

        told.leave(ORDERS);

        assertThat(told.isRepeated(ORDERS, event)).isFalse();
        assertThat(told.isRepeated(BILLS, event)).isTrue();
    }

    private static EngineEvent event(String message, Optional<Duration> quiet, String content) {
        return new EngineEvent(
                EngineEvent.Severity.NORMAL,
                "ScalingReport",
                message,
                Optional.of("ScalingExecutor"),
                quiet,
                Optional.of(content));
    }
}
