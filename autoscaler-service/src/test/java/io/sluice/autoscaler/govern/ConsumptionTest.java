// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static io.sluice.autoscaler.govern.Proposals.GIBIBYTE;
import static io.sluice.autoscaler.govern.Proposals.job;
import static io.sluice.autoscaler.govern.Proposals.vertex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.Footprint;
import io.sluice.autoscaler.collect.JobOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConsumptionTest {
    private static final Prices NO_PRICES = prices(Map.of());
    private static final Prices PRICES =
            prices(
                    Map.of(
                            "job.autoscaler.governor.price.core-hour", "0.04",
                            "job.autoscaler.governor.price.gib-hour", "0.005"));

    @Test
    void needsWhatTheLoadTakesAtTheTarget() {
        Proposal half = job(vertex(4, 4));

        assertThat(Consumption.of(half, 0.5, NO_PRICES).neededSlots()).contains(4);
        assertThat(Consumption.of(half, 0.7, NO_PRICES).neededSlots()).contains(3);
        assertThat(Consumption.of(half, 0.7, NO_PRICES).slots()).isEqualTo(4);
    }

    @Test
    void theLargestVertexOfAGroupCounts() {
        Proposal two =
                job(
                        Map.of(
                                "source", vertex(6, 6).needing(600, 100, 0, false),
                                "work", vertex(4, 4).swamped()));

        assertThat(Consumption.of(two, 0.8, NO_PRICES).slots()).isEqualTo(6);
        assertThat(Consumption.of(two, 0.8, NO_PRICES).neededSlots()).contains(10);
    }

    @Test
    void aVertexThatIdlesNeedsOneSlotAndOneThatNobodyMeasuredIsNotCounted() {
        Proposal idle = job(vertex(4, 4).needing(Double.POSITIVE_INFINITY, 0, 0, false));
        Proposal unknown = job(vertex(4, 4).needing(Double.POSITIVE_INFINITY, 5, 0, false));

        assertThat(Consumption.of(idle, 0.7, PRICES).neededSlots()).contains(1);
        assertThat(Consumption.of(unknown, 0.7, PRICES).neededSlots()).isEmpty();
        assertThat(Consumption.of(unknown, 0.7, PRICES).neededCostPerHour()).isEmpty();
    }

    @Test
    void neverNeedsMoreThanFlinkAllows() {
        Proposal swamped = job(vertex(4, 4).needing(400, 1e9, 0, false));

        assertThat(Consumption.of(swamped, 0.7, NO_PRICES).neededSlots()).contains(128);
    }

    @Test
    void costsWholeTaskManagers() {
        Proposal seen =
                job(vertex(5, 5))
                        .with()
                        .taskManager(new Footprint(2, 4 * GIBIBYTE))
                        .slotsEach(2)
                        .build();

        Consumption consumption = Consumption.of(seen, 1, PRICES);

        assertThat(consumption.costPerHour()).hasValueSatisfying(cost -> near(cost, 0.3));
        assertThat(consumption.neededSlots()).contains(3);
        assertThat(consumption.neededCostPerHour()).hasValueSatisfying(cost -> near(cost, 0.2));
    }

    @Test
    void hasNoCostWithoutAPriceOrWithoutAFootprint() {
        Proposal seen = job(vertex(5, 5));
        Proposal inSessionCluster = seen.withTaskManager(Footprint.NOTHING);

        assertThat(Consumption.of(seen, 0.7, NO_PRICES).costPerHour()).isEmpty();
        assertThat(Consumption.of(inSessionCluster, 0.7, PRICES).costPerHour()).isEmpty();
    }

    @Test
    void aPriceThatIsNoNumberIsIgnoredByName() {
        JobOptions options =
                new JobOptions(
                        new FlinkConfiguration(
                                Map.of("job.autoscaler.governor.price.core-hour", "-1")));

        assertThat(Prices.of(options).core()).isEmpty();
        assertThat(options.ignored())
                .singleElement()
                .asString()
                .contains("governor.price.core-hour='-1'", "a number from 0");
    }

    private static void near(double cost, double wanted) {
        assertThat(cost).isCloseTo(wanted, within(1e-9));
    }

    private static Prices prices(Map<String, String> options) {
        return Prices.of(new JobOptions(new FlinkConfiguration(options)));
    }
}
