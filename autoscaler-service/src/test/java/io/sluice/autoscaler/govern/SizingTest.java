// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static io.sluice.autoscaler.govern.Proposals.job;
import static io.sluice.autoscaler.govern.Proposals.vertex;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.JobOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SizingTest {
    private static final Sizing SIZING =
            Proposals.sizing(0.76, 200, Alignment.FULLEST, new Scalability.Learned());

    @Test
    void asksForWhatTheRateNeedsAtTheTarget() {
        assertThat(sized(vertex(2, 4).needing(200, 700, 0, false))).isEqualTo(10);
    }

    @Test
    void worksABacklogOffWithWhatThereIsToSpare() {
        assertThat(sized(vertex(2, 4).needing(200, 700, 250, false))).isEqualTo(10);
    }

    @Test
    void addsWhatTheBacklogNeedsBeyondThat() {
        assertThat(sized(vertex(2, 4).needing(200, 700, 500, false))).isEqualTo(13);
    }

    @Test
    void knowsThatUnevenlySharedGroupsSetTheRateThatWasMeasured() {
        // 68 subtasks share 128 groups by twos: 64 would have done as much.
        assertThat(sized(vertex(68, 60).needing(6400, 1120, 0, false).sharing(128))).isEqualTo(16);
    }

    @Test
    void givesSlotsThatAreThereAnywayToTheOthers() {
        Proposal job =
                job(
                        Map.of(
                                "large", vertex(2, 4).needing(200, 1400, 0, false),
                                "small", vertex(2, 4).needing(200, 700, 0, false)));

        assertThat(SIZING.of(job).overrides())
                .containsEntry("large", 20)
                .containsEntry("small", 12);
    }

    @Test
    void leavesAVertexAloneThatTheEngineLeavesAlone() {
        assertThat(sized(vertex(4, 4).needing(400, 4000, 0, false))).isEqualTo(4);
    }

    @Test
    void givesNoRoomAndForeseesNothingWhereTheLoadStaysTheSame() {
        Proposal job =
                job(
                        Map.of(
                                "large", vertex(2, 4).needing(200, 1400, 0, false),
                                "small", vertex(2, 4).needing(200, 700, 0, false)));

        assertThat(SIZING.exactly(Proposals.growing(job, 0.2 / 1800)).overrides())
                .containsEntry("large", 20)
                .containsEntry("small", 10);
    }

    @Test
    void foreseesGrowth() {
        Proposal proposal = job(vertex(2, 4).needing(200, 700, 0, false));

        Proposal sized = SIZING.of(Proposals.growing(proposal, 0.2 / 1800));

        assertThat(sized.overrides()).containsEntry("work", 12);
    }

    @Test
    void doesNotSeekADivisorWhereThePartitionsAreOfPrimeNumber() {
        assertThat(sized(vertex(8, 31).needing(800, 1120, 0, false).sharing(31))).isEqualTo(16);
    }

    @Test
    void neverUsesMoreSubtasksThanThereArePartitions() {
        assertThat(sized(vertex(8, 31).needing(800, 9000, 0, false).sharing(31))).isEqualTo(31);
    }

    @Test
    void learnsThatSubtasksHinderOneAnother() {
        // 2 subtasks did 200, 8 do 480: as many as 8 * (5 / 3) ^ (ln 4 / ln 2.4) do 800.
        Vertex vertex =
                new Vertex(
                        8,
                        8,
                        9,
                        128,
                        0,
                        "",
                        List.of(),
                        new Vertex.Need(480, 560, 0, Double.NaN, false),
                        List.of(new Vertex.Point(2, 200)));

        assertThat(job(new Proposals.Draft(vertex)).vertices().get("work").need().rate())
                .isEqualTo(560);
        assertThat(SIZING.of(job(new Proposals.Draft(vertex))).overrides())
                .containsEntry("work", 18);
    }

    @Test
    void triesNoMuchLargerNumberWhereSixSubtasksDoAsMuchAsTwoShould() {
        assertThat(sized(afterOneStep(60, 120))).isEqualTo(10);
        assertThat(sized(afterOneStep(60, 360))).isEqualTo(19);
    }

    /** One subtask did that much, six do this; more than twice of it waits. */
    private static Proposals.Draft afterOneStep(double before, double now) {
        return new Proposals.Draft(
                vertex(6, 30)
                        .needing(now, 180, 900, false)
                        .vertex()
                        .withCurve(List.of(new Vertex.Point(1, before))));
    }

    @Test
    void neverTurnsTheEnginesDirectionRound() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            int running = 1 + random.nextInt(60);
            int proposed = 1 + random.nextInt(128);
            var draft =
                    vertex(running, proposed)
                            .needing(
                                    1 + random.nextDouble() * 10_000,
                                    random.nextDouble() * 10_000,
                                    random.nextDouble() * 1000,
                                    false)
                            .sharing(random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(127));
            int sized = sized(draft);
            if (proposed >= running) {
                assertThat(sized).isGreaterThanOrEqualTo(Math.min(running, 128));
            }
            if (proposed <= running) {
                assertThat(sized).isLessThanOrEqualTo(running);
            }
            assertThat(sized).isBetween(1, 128);
        }
    }

    @Test
    void overshootsNoFurtherThanAnEvenShareNeeds() {
        Random random = new Random(11);
        for (int i = 0; i < 5_000; i++) {
            int groups = 2 + random.nextInt(126);
            double rate = 1 + random.nextDouble() * groups * 60;
            int sized = sized(vertex(1, 100).needing(100, rate, 0, false).sharing(groups));
            double even = rate / 70;
            int fullest = Math.ceilDiv(groups, sized);
            if (sized < groups) {
                assertThat(fullest * even / groups * 0.7).isLessThanOrEqualTo(0.76);
            }
            if (sized > 1) {
                int one = Math.max(1, sized - 1);
                assertThat(Math.ceilDiv(groups, one) * even / groups * 0.7)
                        .isGreaterThan(0.76 * 0.9);
            }
        }
    }

    @Test
    void alignsAsTheUserWants() {
        var uneven = vertex(8, 31).needing(800, 1000, 0, false).sharing(31);
        var tooMany = vertex(30, 20).needing(3000, 1000, 0, false).sharing(33);

        assertThat(sized(uneven, Alignment.FULLEST)).isEqualTo(16);
        assertThat(sized(uneven, Alignment.OFF)).isEqualTo(14);
        assertThat(sized(uneven, Alignment.EVENLY_SPREAD)).isEqualTo(31);
        assertThat(sized(uneven, Alignment.EVENLY_SPREAD, 20)).isEqualTo(14);
        assertThat(sized(tooMany, Alignment.EVENLY_SPREAD)).isEqualTo(11);
    }

    @Test
    void readsEachOfItsKeys() {
        var options =
                new JobOptions(
                        new FlinkConfiguration(
                                Map.of(
                                        "job.autoscaler.utilization.target", "0.5",
                                        "job.autoscaler.utilization.max", "0.52",
                                        "job.autoscaler.vertex.min-parallelism", "2",
                                        "job.autoscaler.vertex.max-parallelism", "9",
                                        "job.autoscaler.scale-up.max-factor", "3.5",
                                        "job.autoscaler.scale-down.max-factor", "0.4",
                                        "job.autoscaler.metrics.window", "4 min",
                                        "job.autoscaler.stabilization.interval", "1 min",
                                        "job.autoscaler.scaling.parallelism-alignment.mode", "off",
                                        "job.autoscaler.observed-scalability.enabled", "false")));

        assertThat(Sizing.of(options))
                .isEqualTo(
                        new Sizing(
                                0.5,
                                0.52,
                                2,
                                9,
                                3.5,
                                0.4,
                                Duration.ofMinutes(20),
                                Alignment.OFF,
                                new Scalability.Linear()));
    }

    private static int sized(Proposals.Draft draft, Alignment alignment) {
        return sized(draft, alignment, 200);
    }

    private static int sized(Proposals.Draft draft, Alignment alignment, int most) {
        Sizing sizing = Proposals.sizing(0.76, most, alignment, new Scalability.Linear());
        return sizing.of(job(draft)).overrides().getOrDefault("work", 0);
    }

    private static int sized(Proposals.Draft draft) {
        return SIZING.of(job(draft)).overrides().get("work");
    }
}
