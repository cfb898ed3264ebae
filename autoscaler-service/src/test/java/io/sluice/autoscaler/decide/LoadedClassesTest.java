// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import static io.sluice.autoscaler.flink.FlinkReplies.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.EngineClient;
import io.sluice.autoscaler.collect.EngineOptions;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.flink.FlinkReplies;
import io.sluice.autoscaler.state.StateLimits;
import io.sluice.testkit.LoadedClasses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Flink's jars hold libraries with known weaknesses; evaluating a job does not touch those. */
class LoadedClassesTest {
    private static final Path ADVISORIES = Path.of("../supply/known-vulnerabilities.yaml");

    /** Evaluates a job until a scaling is proposed, with its memory tuned, and accepts that. */
    public static final class Scaling implements Runnable {
        private static final FlinkConfiguration OPTIONS =
                new FlinkConfiguration(
                        Map.of(
                                "job.autoscaler.enabled", "true",
                                "job.autoscaler.metrics.window", "500 ms",
                                "job.autoscaler.stabilization.interval", "0 s",
                                "job.autoscaler.scale-down.interval", "0 s",
                                "job.autoscaler.catch-up.duration", "0 s",
                                "job.autoscaler.utilization.target", "0.7",
                                "job.autoscaler.utilization.max", "0.8",
                                "job.autoscaler.memory.tuning.enabled", "true",
                                "taskmanager.memory.process.size", "4g"));

        @Override
        public void run() {
            try (var flink = new FlinkReplies();
                    var client = new EngineClient(Duration.ofSeconds(5))) {
                flink.load(1000, 990);
                Engine engine = new Engines(StateLimits.DEFAULT).create();
                Evaluation scaling =
                        await().pollInterval(Duration.ofMillis(100))
                                .until(
                                        () ->
                                                client.callAt(
                                                        flink.at(),
                                                        bound ->
                                                                engine.evaluate(
                                                                        new EngineJob(
                                                                                new JobKey(
                                                                                        "shop",
                                                                                        "orders",
                                                                                        "u-1"),
                                                                                JOB,
                                                                                EngineOptions.of(
                                                                                        OPTIONS),
                                                                                () -> bound))),
                                        evaluation -> !evaluation.proposed().isEmpty());
                engine.accept(scaling.proposed());
            }
        }
    }

    @Test
    void scalingLoadsNoClassThatAnAdvisoryIsArguedToBeOutOfReachBy() throws Exception {
        List<String> never = LoadedClasses.saidNeverToBeLoaded(ADVISORIES);
        Set<String> loaded = LoadedClasses.by(Scaling.class);

        assertThat(never).contains("org.apache.flink.shaded.netty4.io.netty.handler.ssl.");
        assertThat(loaded)
                .contains("org.apache.flink.autoscaler.ScalingExecutor")
                .noneMatch(name -> never.stream().anyMatch(name::startsWith));
    }
}
