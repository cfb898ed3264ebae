// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.Footprint;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.Subject;
import io.sluice.autoscaler.govern.Allowance;
import io.sluice.autoscaler.govern.Budget;
import io.sluice.autoscaler.govern.Health;
import io.sluice.autoscaler.govern.HoldReason;
import io.sluice.autoscaler.govern.Proposal;
import io.sluice.autoscaler.govern.RescalingLimits;
import io.sluice.autoscaler.govern.Trend;
import io.sluice.autoscaler.govern.Vertex;
import io.sluice.flink.rest.JobVertex;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RescalingTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final JobKey ORDERS = new JobKey("shop", "orders", "u-1");
    private static final JobKey BILLS = new JobKey("shop", "bills", "u-2");

    private Allowance quota = Allowance.UNLIMITED;
    private final Rescaling rescaling =
            new Rescaling(() -> 1, _ -> new Footprint(2, 0), _ -> quota);

    @Test
    void countsTheOthersThatAreUnderWay() {
        begin(ORDERS, 2);

        assertThat(underWay(BILLS, NOON)).isOne();
        assertThat(underWay(ORDERS, NOON)).isZero();
    }

    @Test
    void holdsNoPlaceForARescaleThatNeverComes() {
        begin(ORDERS, 2);

        assertThat(underWay(BILLS, NOON.plus(Duration.ofMinutes(4)))).isOne();
        assertThat(underWay(BILLS, NOON.plus(Duration.ofMinutes(5)))).isZero();
    }

    @Test
    void givesThePlaceBackOnceTheJobRunsAsPublished() {
        begin(ORDERS, 2);

        rescaling.observe(ORDERS, Map.of("01", 2), List.of(running(1)), NOON);
        assertThat(underWay(BILLS, NOON)).isOne();

        rescaling.observe(ORDERS, Map.of("01", 2), List.of(running(2)), NOON);
        assertThat(underWay(BILLS, NOON)).isZero();
    }

    @Test
    void givesThePlaceToOneOfTwoThatDecideAtTheSameTime() {
        assertThat(underWay(ORDERS, NOON)).isZero();
        assertThat(underWay(BILLS, NOON)).isZero();

        assertThat(begin(ORDERS, 2)).isEmpty();
        assertThat(begin(BILLS, 2)).contains(HoldReason.FLEET_BUSY);
        assertThat(begin(ORDERS, 3)).as("its own place").isEmpty();
    }

    @Test
    void countsWhatIsPublishedAndInNoStatusYet() {
        begin(ORDERS, 4);

        assertThat(coresLeft(BILLS, NOON)).isEqualTo(10 - 2 - 3);
        assertThat(coresLeft(new JobKey("bank", "bills", "u-3"), NOON)).isEqualTo(10 - 2);
        assertThat(coresLeft(BILLS, NOON.plus(Duration.ofMinutes(5)))).isEqualTo(10 - 2);
    }

    @Test
    void givesNothingAwayThatAJobHasNotGivenBackYet() {
        begin(ORDERS, 1);

        assertThat(coresLeft(BILLS, NOON)).isEqualTo(10 - 2);
    }

    @Test
    void sharesMemoryOutLikewise() {
        var asked = subject(Map.of("job.autoscaler.governor.namespace-quota.memory", "8 kb"));

        assertThat(limits(BILLS, asked, NOON).namespace().memory()).contains(8L * 1024);
    }

    @Test
    void asksResourceQuotasOnlyForARescaleThatTakesMore() {
        quota = new Allowance(Optional.of(3.0), Optional.empty());

        RescalingLimits less =
                rescaling.rescalingLimits(BILLS, subject(Map.of()), Footprint.NOTHING, NOON);

        assertThat(less.resourceQuotas()).isEqualTo(Allowance.UNLIMITED);
        assertThat(limits(BILLS, subject(Map.of()), NOON).resourceQuotas()).isEqualTo(quota);
    }

    @Test
    void takesWhatAnotherJobIsAboutToTakeFromAResourceQuota() {
        begin(ORDERS, 3);
        quota = new Allowance(Optional.of(5.0), Optional.empty());

        assertThat(limits(BILLS, subject(Map.of()), NOON).resourceQuotas().cores())
                .contains(5.0 - 2);
    }

    @Test
    void keepsToAResourceQuotaThatAnotherJobHasUsedUpSinceItDecided() {
        quota = new Allowance(Optional.of(1.0), Optional.empty());

        assertThat(begin(ORDERS, 3)).contains(HoldReason.RESOURCE_QUOTA);
        assertThat(begin(ORDERS, 2)).isEmpty();
    }

    private RescalingLimits limits(JobKey key, Subject.Scalable subject, Instant now) {
        return rescaling.rescalingLimits(key, subject, new Footprint(1, 1024), now);
    }

    private double coresLeft(JobKey key, Instant now) {
        return limits(
                        key,
                        subject(Map.of("job.autoscaler.governor.namespace-quota.cpu", "10")),
                        now)
                .namespace()
                .cores()
                .orElseThrow();
    }

    private Optional<HoldReason> begin(JobKey key, int parallelism) {
        return rescaling.begin(key, subject(Map.of()), to(parallelism), Budget.DEFAULT, NOON);
    }

    /** From 1; with 2 for a vertex that gets less. */
    private static Proposal to(int parallelism) {
        int running = parallelism == 1 ? 2 : 1;
        Vertex work =
                new Vertex(
                        running,
                        running,
                        parallelism,
                        128,
                        0,
                        "",
                        List.of(),
                        new Vertex.Need(100, 200, 0, Double.NaN, false),
                        List.of());
        return new Proposal(
                NOON,
                Health.STEADY,
                new TreeMap<>(Map.of("01", work)),
                Trend.STEADY,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ofSeconds(2),
                new Footprint(1, 1024),
                1,
                1,
                0);
    }

    private int underWay(JobKey key, Instant now) {
        return limits(key, subject(Map.of()), now).underWay();
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
