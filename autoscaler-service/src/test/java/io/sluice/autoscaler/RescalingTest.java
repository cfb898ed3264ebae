// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.FlinkConfiguration;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.Subject;
import io.sluice.autoscaler.govern.Footprint;
import io.sluice.flink.rest.JobVertex;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RescalingTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final JobKey ORDERS = new JobKey("shop", "orders", "u-1");
    private static final JobKey BILLS = new JobKey("shop", "bills", "u-2");

    private final Rescaling rescaling = new Rescaling(() -> 1, _ -> Footprint.NOTHING);

    @Test
    void countsTheOthersThatAreUnderWay() {
        rescaling.begin(ORDERS, NOON);

        assertThat(underWay(BILLS, NOON)).isOne();
        assertThat(underWay(ORDERS, NOON)).isZero();
    }

    @Test
    void holdsNoPlaceForARescaleThatNeverComes() {
        rescaling.begin(ORDERS, NOON);

        assertThat(underWay(BILLS, NOON.plus(Duration.ofMinutes(4)))).isOne();
        assertThat(underWay(BILLS, NOON.plus(Duration.ofMinutes(5)))).isZero();
    }

    @Test
    void givesThePlaceBackOnceTheJobRunsAsPublished() {
        rescaling.begin(ORDERS, NOON);

        rescaling.observe(ORDERS, Map.of("01", 2), List.of(running(1)), NOON);
        assertThat(underWay(BILLS, NOON)).isOne();

        rescaling.observe(ORDERS, Map.of("01", 2), List.of(running(2)), NOON);
        assertThat(underWay(BILLS, NOON)).isZero();
    }

    private int underWay(JobKey key, Instant now) {
        return rescaling.fleet(key, subject(Map.of()), now).underWay();
    }

    private static JobVertex running(int parallelism) {
        return new JobVertex("01", "work", parallelism, 128, "RUNNING");
    }

    private static Subject.Scalable subject(Map<String, String> options) {
        return new Subject.Scalable(
                new FlinkConfiguration(options),
                "0a",
                Optional.empty(),
                "orders",
                new Footprint(1, 1024),
                1);
    }
}
