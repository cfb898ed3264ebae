// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.JobOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BudgetTest {
    @Test
    void readsEachOfItsKeys() {
        assertThat(
                        budget(
                                Map.ofEntries(
                                        entry("job.autoscaler.governor.mode", "recommend"),
                                        entry("job.autoscaler.governor.lag-objective", "45 s"),
                                        entry("job.autoscaler.governor.rescales-per-day", "7"),
                                        entry("job.autoscaler.governor.cool-down", "2 min"),
                                        entry("job.autoscaler.governor.reversal-pause", "3 min"),
                                        entry("job.autoscaler.governor.least-change", "0.3"),
                                        entry("job.autoscaler.governor.unrest", "4 min"),
                                        entry("job.autoscaler.governor.calm", "8 min"),
                                        entry("job.autoscaler.catch-up.duration", "6 min"),
                                        entry("job.autoscaler.scale-down.interval", "5 min"),
                                        entry("job.autoscaler.quota.cpu", "6.5"),
                                        entry("job.autoscaler.quota.memory", "8 kb"))))
                .isEqualTo(
                        new Budget(
                                Mode.RECOMMEND,
                                1,
                                7,
                                Duration.ofMinutes(2),
                                Duration.ofMinutes(3),
                                0.3,
                                0,
                                Duration.ofMinutes(4),
                                Duration.ofMinutes(8),
                                Duration.ofSeconds(45),
                                Optional.of(Duration.ofMinutes(6)),
                                Duration.ofMinutes(5),
                                Optional.of(6.5),
                                Optional.of(8L * 1024)));
    }

    @Test
    void hasADefaultForEverything() {
        assertThat(budget(Map.of()))
                .isEqualTo(Budget.DEFAULT)
                .isEqualTo(
                        new Budget(
                                Mode.APPLY,
                                1,
                                20,
                                Duration.ofMinutes(1),
                                Duration.ofMinutes(30),
                                0.12,
                                0,
                                Duration.ofMinutes(60),
                                Duration.ofHours(4),
                                Duration.ofMinutes(2),
                                Optional.empty(),
                                Duration.ZERO,
                                Optional.empty(),
                                Optional.empty()));
    }

    @Test
    void readsTheOlderSpellingOfTheIntervalToo() {
        var old = Map.of("kubernetes.operator.job.autoscaler.scale-up.grace-period", "5 min");

        assertThat(budget(old).scaleDownInterval()).hasMinutes(5);
    }

    private static Budget budget(Map<String, String> options) {
        return Budget.of(new JobOptions(new FlinkConfiguration(options)), Duration.ZERO);
    }
}
