// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GovernorTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Budget FREE = new Budget(NOW, Duration.ZERO, Optional.of(NOW));

    @Test
    void appliesAProposalForASettledJob() {
        assertThat(Governor.decide(proposal(true, 1, 3), FREE))
                .isEqualTo(new ScalePlan.Apply(parallelism(3)));
    }

    @Test
    void appliesTheFirstProposalEver() {
        var first =
                new Proposal(
                        true,
                        new TreeMap<>(),
                        parallelism(3),
                        parallelism(1),
                        Map.of("load", 1, "work", 128),
                        Set.of());

        assertThat(Governor.decide(first, FREE)).isEqualTo(new ScalePlan.Apply(parallelism(3)));
    }

    @Test
    void holdsWhatIsPublishedAlready() {
        assertThat(Governor.decide(proposal(true, 3, 3), FREE))
                .isEqualTo(hold(HoldReason.NOTHING_CHANGED));
    }

    @Test
    void holdsWhileTheJobIsNotStable() {
        assertThat(Governor.decide(proposal(false, 1, 3), FREE))
                .isEqualTo(hold(HoldReason.JOB_NOT_STABLE));
    }

    @Test
    void holdsWhatFlinkWouldDieOf() {
        assertThat(Governor.decide(proposal(true, 1, 0), FREE))
                .isEqualTo(hold(HoldReason.PARALLELISM_OUT_OF_RANGE));
        assertThat(Governor.decide(proposal(true, 1, -1), FREE))
                .isEqualTo(hold(HoldReason.PARALLELISM_OUT_OF_RANGE));
    }

    @Test
    void holdsWhatExceedsTheMaximumParallelism() {
        assertThat(Governor.decide(proposal(true, 1, 129), FREE))
                .isEqualTo(hold(HoldReason.PARALLELISM_OUT_OF_RANGE));
    }

    @Test
    void holdsUntilThePauseSinceTheLastScalingIsOver() {
        Duration pause = Duration.ofMinutes(1);

        assertThat(Governor.decide(proposal(true, 1, 3), after(pause, Duration.ofSeconds(59))))
                .isEqualTo(hold(HoldReason.RESCALED_TOO_RECENTLY));
        assertThat(Governor.decide(proposal(true, 1, 3), after(pause, Duration.ofSeconds(60))))
                .isInstanceOf(ScalePlan.Apply.class);
        assertThat(Governor.decide(proposal(true, 1, 3), new Budget(NOW, pause, Optional.empty())))
                .isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void takesNothingBackBeforeAScaleUpHasHadTimeToCome() {
        assertThat(Governor.decide(pending(2, 5, 3), FREE))
                .isEqualTo(hold(HoldReason.SCALE_UP_PENDING));
        assertThat(Governor.decide(pending(2, 5, 3), after(Duration.ZERO, Duration.ofSeconds(60))))
                .isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void asksForMoreWhileAScaleUpIsPending() {
        assertThat(Governor.decide(pending(2, 5, 6), FREE)).isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void turnsAPendingScaleDownRoundAtOnce() {
        assertThat(Governor.decide(pending(4, 2, 3), FREE)).isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void takesNothingFromAVertexWhoseMetricsContradictThemselves() {
        assertThat(Governor.decide(doubtful(4, 1), FREE))
                .isEqualTo(hold(HoldReason.METRICS_CONTRADICT));
        assertThat(Governor.decide(doubtful(4, 5), FREE)).isInstanceOf(ScalePlan.Apply.class);
    }

    private static Proposal doubtful(int running, int proposed) {
        return new Proposal(
                true,
                parallelism(running),
                parallelism(proposed),
                parallelism(running),
                Map.of("load", 1, "work", 128),
                Set.of("work"));
    }

    private static Budget after(Duration pause, Duration since) {
        return new Budget(NOW, pause, Optional.of(NOW.minus(since)));
    }

    private static ScalePlan hold(HoldReason reason) {
        return new ScalePlan.Hold(reason);
    }

    private static Proposal proposal(boolean stable, int published, int proposed) {
        return new Proposal(
                stable,
                parallelism(published),
                parallelism(proposed),
                parallelism(published),
                Map.of("load", 1, "work", 128),
                Set.of());
    }

    private static Proposal pending(int running, int published, int proposed) {
        return new Proposal(
                true,
                parallelism(published),
                parallelism(proposed),
                parallelism(running),
                Map.of("load", 1, "work", 128),
                Set.of());
    }

    private static SortedMap<String, Integer> parallelism(int work) {
        return new TreeMap<>(Map.of("load", 1, "work", work));
    }
}
