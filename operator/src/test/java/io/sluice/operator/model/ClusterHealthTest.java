// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import static io.sluice.operator.decide.Snapshots.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.operator.model.ClusterHealth.Counters;
import io.sluice.rules.config.Options;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterHealthTest {
    private static final ClusterHealth.Thresholds LIMITS =
            new ClusterHealth.Thresholds(
                    true, Duration.ofMinutes(2), 3, Optional.of(Duration.ofMinutes(20)));
    private static final ClusterHealth FIRST = ClusterHealth.first(new Counters(5, 7), NOW);

    @Test
    void isHealthyAtFirstWhateverTheCounters() {
        assertThat(FIRST.isHealthy()).isTrue();
    }

    @Test
    void isUnhealthyAfterMoreRestartsThanTheThresholdWithinTheWindow() {
        assertThat(FIRST.next(new Counters(8, 8), LIMITS, NOW.plusSeconds(60)).isHealthy())
                .isTrue();
        assertThat(FIRST.next(new Counters(9, 8), LIMITS, NOW.plusSeconds(60)).finding())
                .hasValueSatisfying(text -> assertThat(text).contains("4 restarts"));
    }

    @Test
    void countsRestartsOfALongerTimeByTheirShareOfTheWindow() {
        assertThat(FIRST.next(new Counters(17, 8), LIMITS, NOW.plusSeconds(480)).isHealthy())
                .isTrue();
        assertThat(FIRST.next(new Counters(18, 8), LIMITS, NOW.plusSeconds(480)).isHealthy())
                .isFalse();
    }

    @Test
    void countsAnewOnceTheBaseIsOlderThanTheWindow() {
        var later = FIRST.next(new Counters(8, 8), LIMITS, NOW.plusSeconds(121));

        assertThat(later.restarts()).isEqualTo(8);
        assertThat(later.next(new Counters(11, 9), LIMITS, NOW.plusSeconds(130)).isHealthy())
                .isTrue();
    }

    @Test
    void isUnhealthyWhereNoCheckpointIsCompletedForLongerThanTheWindow() {
        var stuck = FIRST.next(new Counters(5, 7), LIMITS, NOW.plus(Duration.ofMinutes(21)));

        assertThat(stuck.finding())
                .hasValueSatisfying(text -> assertThat(text).contains("no checkpoint"));
        assertThat(
                        stuck.next(new Counters(5, 8), LIMITS, NOW.plus(Duration.ofMinutes(22)))
                                .isHealthy())
                .isTrue();
    }

    @Test
    void namesAllThatIsWrong() {
        var ill = FIRST.next(new Counters(500, 7), LIMITS, NOW.plus(Duration.ofMinutes(21)));

        assertThat(ill.finding()).hasValueSatisfying(text -> assertThat(text).contains("|"));
    }

    @Test
    void beginsAnewWhenACounterFalls() {
        var anew = FIRST.next(new Counters(0, 9), LIMITS, NOW.plus(Duration.ofMinutes(21)));

        assertThat(anew)
                .isEqualTo(
                        ClusterHealth.first(new Counters(0, 9), NOW.plus(Duration.ofMinutes(21))));
    }

    @Test
    void survivesTheWire() {
        var ill = FIRST.next(new Counters(500, 7), LIMITS, NOW.plusSeconds(1));

        assertThat(ClusterHealth.decode(ill.encode())).contains(ill);
        assertThat(ClusterHealth.decode(FIRST.encode())).contains(FIRST);
        assertThat(ClusterHealth.decode("{}")).isEmpty();
        assertThat(ClusterHealth.decode("no json")).isEmpty();
    }

    @Test
    void neverWaitsForLessThanToleratedFailuresMayTake() {
        assertThat(limits(Map.of()).checkpointWindow()).isEmpty();
        assertThat(limits(Map.of("execution.checkpointing.interval", "1 min")).checkpointWindow())
                .contains(Duration.ofMinutes(20));
        assertThat(
                        limits(
                                        Map.of(
                                                "execution.checkpointing.interval", "30 min",
                                                "execution.checkpointing.tolerable-failed-checkpoints",
                                                        "1",
                                                "kubernetes.operator.cluster.health-check.checkpoint-progress.window",
                                                        "1 min"))
                                .checkpointWindow())
                .contains(Duration.ofMinutes(90));
        assertThat(
                        limits(
                                        Map.of(
                                                "kubernetes.operator.cluster.health-check.checkpoint-progress.window",
                                                "1 h"))
                                .checkpointWindow())
                .contains(Duration.ofHours(1));
    }

    @Test
    void isHeldAgainstWhatTheUserSays() {
        Map<String, String> asked =
                Map.of(
                        "execution.checkpointing.interval",
                        "1 min",
                        "kubernetes.operator.cluster.health-check.enabled",
                        "true",
                        "kubernetes.operator.cluster.health-check.restarts.window",
                        "5 min",
                        "kubernetes.operator.cluster.health-check.restarts.threshold",
                        "7",
                        "kubernetes.operator.cluster.health-check.checkpoint-progress.enabled",
                        "false");

        assertThat(limits(asked))
                .isEqualTo(
                        new ClusterHealth.Thresholds(
                                true, Duration.ofMinutes(5), 7, Optional.empty()));
        assertThat(limits(Map.of()))
                .isEqualTo(
                        new ClusterHealth.Thresholds(
                                false, Duration.ofMinutes(2), 64, Optional.empty()));
    }

    private static ClusterHealth.Thresholds limits(Map<String, String> options) {
        return ClusterHealth.Thresholds.of(new Options(new FlinkConfiguration(options)));
    }
}
