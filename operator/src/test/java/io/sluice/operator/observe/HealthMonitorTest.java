// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static io.sluice.operator.decide.Snapshots.NOW;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.Reply;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.model.ClusterHealth;
import io.sluice.operator.model.ScalingView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealthMonitorTest {
    private static final ClusterHealth.Thresholds LIMITS =
            new ClusterHealth.Thresholds(true, Duration.ofMinutes(2), 0, Optional.empty());
    private static final Snapshots RUNNING = aRunningDeployment();

    private final HealthMonitor watch = new HealthMonitor();
    private int seconds;

    @Test
    void findsAJobThatRestarts() {
        assertThat(judge(RUNNING, Map.of("numRestarts", 1.0)).isHealthy()).isTrue();
        assertThat(judge(RUNNING, Map.of("numRestarts", 2.0)).isHealthy()).isFalse();
    }

    @Test
    void knowsTheCounterOfOlderFlinks() {
        judge(RUNNING, Map.of("fullRestarts", 1.0));

        assertThat(judge(RUNNING, Map.of("fullRestarts", 2.0)).isHealthy()).isFalse();
    }

    @Test
    void takesTheRescalesThatFlinkCountsForNoIllness() {
        judge(RUNNING, Map.of("numRestarts", 1.0, "numRescales", 1.0));

        assertThat(judge(RUNNING, Map.of("numRestarts", 3.0, "numRescales", 3.0)).isHealthy())
                .isTrue();
    }

    @Test
    void takesARescaleThatIsSeenForNoIllnessHoweverLateItIsCounted() {
        judge(atParallelism(1), Map.of("numRestarts", 1.0));
        judge(atParallelism(2), Map.of("numRestarts", 1.0));

        assertThat(judge(atParallelism(2), Map.of("numRestarts", 2.0)).isHealthy()).isTrue();
        assertThat(judge(atParallelism(2), Map.of("numRestarts", 3.0)).isHealthy()).isFalse();
    }

    @Test
    void goesOnFromTheStatusAfterTheOperatorRestarted() {
        var stored = RUNNING.withHealth(judge(RUNNING, Map.of("numRestarts", 1.0))).decided();

        var other = new HealthMonitor();

        assertThat(
                        other.judge(
                                        subject(stored),
                                        _ -> new Reply.Ok<>(Map.of("numRestarts", 2.0)),
                                        NOW.plusSeconds(60))
                                .orElseThrow()
                                .isHealthy())
                .isFalse();
        assertThat(
                        new HealthMonitor()
                                .judge(
                                        subject(stored),
                                        _ -> new Reply.Ok<>(Map.of("numRestarts", 900.0)),
                                        NOW.plus(Duration.ofHours(1)))
                                .orElseThrow()
                                .isHealthy())
                .isTrue();
    }

    @Test
    void keepsWhatItKnowsWhileTheMetricsAreNotThere() {
        judge(RUNNING, Map.of("numRestarts", 1.0));
        judge(RUNNING, Map.of("numRestarts", 2.0));

        assertThat(judge(RUNNING, Map.of()).isHealthy()).isFalse();
    }

    @Test
    void writesAFirstVerdictAndAChangedOneAndNothingInBetween() {
        var first = RUNNING.withHealth(judge(RUNNING, Map.of("numRestarts", 1.0)));
        assertThat(first.decide().status().clusterInfo()).containsKey(ClusterHealth.KEY);

        var later = first.decided().withHealth(judge(RUNNING, Map.of("numRestarts", 1.0)));
        assertThat(later.decide().status()).isEqualTo(later.observed().status());
    }

    @Test
    void forgetsTheHealthOfAFormerAttempt() {
        var ill = RUNNING.withHealth(judge(RUNNING, Map.of("numRestarts", 1.0))).decided();

        assertThat(ill.withIllness().decide().status().clusterInfo())
                .doesNotContainKey(ClusterHealth.KEY);
    }

    private ClusterHealth judge(Snapshots at, Map<String, Double> metrics) {
        seconds += 10;
        return watch.judge(subject(at), _ -> new Reply.Ok<>(metrics), NOW.plusSeconds(seconds))
                .orElseThrow();
    }

    private static HealthMonitor.Subject subject(Snapshots at) {
        var observed = at.observed();
        return new HealthMonitor.Subject(
                "uid", observed.status(), LIMITS, observed.job(), observed.scaling());
    }

    private static Snapshots atParallelism(int parallelism) {
        return RUNNING.withScaling(
                Map.of("01", parallelism),
                new ScalingView.Known(
                        List.of(new JobVertex("01", "work", parallelism, 4, "RUNNING")),
                        Map.of("01", new ParallelismBounds(1, parallelism))));
    }
}
