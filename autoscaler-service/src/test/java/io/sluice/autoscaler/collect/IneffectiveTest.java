// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.FlinkConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "job.autoscaler.flink.rest-client.timeout",
                "job.autoscaler.metrics.custom-evaluators",
                "job.autoscaler.metrics.custom-evaluator.mine.class",
                "job.autoscaler.observed-scalability.coefficient-min",
                "job.autoscaler.observed-scalability.enabled",
                "job.autoscaler.observed-scalability.min-observations",
                "job.autoscaler.scaling.custom-executors",
                "job.autoscaler.scaling.custom-executor.mine.class",
                "job.autoscaler.scaling.key-group.partitions.adjust.mode",
                "job.autoscaler.scaling.parallelism-alignment.mode",
                "job.autoscaler.scaling.parallelism-alignment.mode.mine.class"
            })
    void namesEachOfThem(String key) {
        assertThat(Ineffective.in(new FlinkConfiguration(Map.of(key, "1"))))
                .singleElement()
                .asString()
                .startsWith(key + " has no effect: ");
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
