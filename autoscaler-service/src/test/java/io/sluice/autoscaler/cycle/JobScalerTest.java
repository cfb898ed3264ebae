// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.JobOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobScalerTest {
    private static final Map<String, String> SAID = Map.of("job.autoscaler.restart.time", "40 s");
    private static final Map<String, String> UNTRACKED =
            Map.of(
                    "job.autoscaler.restart.time",
                    "40 s",
                    "job.autoscaler.restart.time-tracking.enabled",
                    "false");

    @Test
    void goesByWhatWasMeasured() {
        assertThat(restart(SAID, true, 7)).isEqualTo(Duration.ofSeconds(7));
        assertThat(restart(SAID, false, 7)).isEqualTo(Duration.ofSeconds(7));
        assertThat(restart(SAID, false, 90)).as("it ran on").isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void goesByWhatTheUserSaysWhileNothingWasMeasured() {
        assertThat(restart(SAID, true)).isEqualTo(Duration.ofSeconds(40));
        assertThat(restart(SAID, false)).isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void goesByWhatTheUserSaysWhereNothingIsTracked() {
        assertThat(restart(UNTRACKED, true, 7)).isEqualTo(Duration.ofSeconds(40));
        assertThat(restart(UNTRACKED, false, 7)).isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void expectsTheUsualWhereNobodyKnows() {
        assertThat(restart(Map.of(), true)).isEqualTo(Duration.ofMinutes(2));
        assertThat(restart(Map.of(), false)).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void weighsARestartAgainstTheTimeToCatchUp() {
        assertThat(ratio(Map.of())).isEqualTo(1 / 30.0);
        assertThat(ratio(Map.of("job.autoscaler.catch-up.duration", "4 min"))).isEqualTo(0.25);
        assertThat(ratio(Map.of("job.autoscaler.catch-up.duration", "0 s"))).isZero();
    }

    private static double ratio(Map<String, String> options) {
        return JobScaler.ratio(
                new JobOptions(new FlinkConfiguration(options)), Duration.ofMinutes(1));
    }

    private static Duration restart(
            Map<String, String> options, boolean upgraded, int... measuredSeconds) {
        Optional<Duration> measured =
                measuredSeconds.length == 0
                        ? Optional.empty()
                        : Optional.of(Duration.ofSeconds(measuredSeconds[0]));
        return JobScaler.restart(
                new JobOptions(new FlinkConfiguration(options)), upgraded, measured);
    }
}
