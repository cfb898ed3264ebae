// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.FlinkConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IneffectiveTest {
    @Test
    void namesWhatChangesNothingInEitherSpelling() {
        FlinkConfiguration options =
                new FlinkConfiguration(
                        Map.of(
                                "job.autoscaler.scaling.parallelism-alignment.mode", "OFF",
                                "kubernetes.operator.job.autoscaler.observed-scalability.enabled",
                                        "true",
                                "job.autoscaler.flink.rest-client.timeout", "1 min",
                                "job.autoscaler.memory.tuning.enabled", "true",
                                "job.autoscaler.metrics.window", "5 min"));

        assertThat(Ineffective.in(options))
                .satisfiesExactly(
                        text ->
                                assertThat(text)
                                        .startsWith(
                                                "job.autoscaler.flink.rest-client.timeout has no"
                                                        + " effect: "),
                        text ->
                                assertThat(text)
                                        .startsWith(
                                                "job.autoscaler.scaling.parallelism-alignment.mode"
                                                        + " has no effect: "),
                        text -> assertThat(text).contains("observed-scalability.enabled"));
    }

    @Test
    void saysNothingOfOptionsThatAreHonoured() {
        assertThat(
                        Ineffective.in(
                                new FlinkConfiguration(
                                        Map.of("job.autoscaler.utilization.target", "0.6"))))
                .isEmpty();
    }
}
