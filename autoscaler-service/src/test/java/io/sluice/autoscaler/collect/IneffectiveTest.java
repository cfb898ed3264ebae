// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
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
                                "job.autoscaler.scaling.custom-executors", "mine",
                                "kubernetes.operator.job.autoscaler.metrics.custom-evaluators",
                                        "mine",
                                "job.autoscaler.memory.tuning.enabled", "true",
                                "job.autoscaler.metrics.window", "5 min"));

        assertThat(Ineffective.in(options))
                .satisfiesExactly(
                        text ->
                                assertThat(text)
                                        .startsWith(
                                                "job.autoscaler.scaling.custom-executors has no"
                                                        + " effect. "),
                        text -> assertThat(text).contains("metrics.custom-evaluators"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "job.autoscaler.metrics.custom-evaluators",
                "job.autoscaler.metrics.custom-evaluator.mine.class",
                "job.autoscaler.scaling.custom-executors",
                "job.autoscaler.scaling.custom-executor.mine.class",
                "job.autoscaler.scaling.parallelism-alignment.mode.mine.class"
            })
    void namesEachOfThem(String key) {
        assertThat(Ineffective.in(new FlinkConfiguration(Map.of(key, "1"))))
                .singleElement()
                .asString()
                .startsWith(key + " has no effect. ");
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
