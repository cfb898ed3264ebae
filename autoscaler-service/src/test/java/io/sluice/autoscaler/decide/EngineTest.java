// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import static io.sluice.autoscaler.flink.FlinkReplies.JOB;
import static io.sluice.autoscaler.flink.FlinkReplies.LOAD;
import static io.sluice.autoscaler.flink.FlinkReplies.WORK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.EngineClient;
import io.sluice.autoscaler.collect.EngineOptions;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.flink.FlinkReplies;
import io.sluice.autoscaler.state.StateLimits;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EngineTest {
    private static final JobKey KEY = new JobKey("shop", "orders", "u-1");

    private final FlinkReplies flink = new FlinkReplies();
    private final EngineClient client = new EngineClient(Duration.ofSeconds(5));
    private final Engine engine = new Engines(StateLimits.DEFAULT).create();

    @AfterEach
    void close() {
        client.close();
        flink.close();
    }

    @Test
    void proposesMoreForAVertexThatCanNotKeepUp() {
        flink.load(1000, 990);

        Evaluation evaluation = evaluateUntil(it -> !it.proposed().isEmpty());

        assertThat(evaluation.proposed()).containsEntry(WORK, 2).containsEntry(LOAD, 1);
        assertThat(evaluation.seen().get(WORK).get("true_processing_rate").value())
                .isBetween(900.0, 1100.0);
        assertThat(evaluation.events())
                .anySatisfy(event -> assertThat(event.announcesScaling()).isTrue());
        assertThat(engine.accept(evaluation.proposed()).message()).contains("1 -> 2");
        assertThat(engine.text())
                .containsKeys("parallelismOverrides", "scalingHistory", "collectedMetrics");
        assertThat(engine.lastScaling()).isPresent();
    }

    @Test
    void proposesLessForAVertexThatIdles() {
        flink.runsWith(4);
        flink.load(100, 30);

        Evaluation evaluation = evaluateUntil(it -> !it.proposed().isEmpty());

        assertThat(evaluation.proposed()).containsEntry(WORK, 2);
    }

    @Test
    void doubtsAVertexThatIsBusyWithNothing() {
        flink.runsWith(4);
        flink.load(0, 1000);

        Evaluation evaluation = evaluateUntil(Evaluation::windowFull);

        assertThat(evaluation.doubtful()).containsExactly(WORK);
    }

    @Test
    void proposesNothingForAVertexNearItsTarget() {
        flink.load(500, 700);

        Evaluation evaluation = evaluateUntil(Evaluation::windowFull);

        assertThat(evaluation.proposed()).isEmpty();
        assertThat(engine.balanced()).isPositive();
    }

    @Test
    void forgetsAProposalThatWasRejected() {
        flink.load(1000, 990);
        evaluateUntil(it -> !it.proposed().isEmpty());

        engine.reject();

        assertThat(engine.text()).containsOnlyKeys("collectedMetrics");
        assertThat(engine.overrides()).isEmpty();
        assertThat(engine.lastScaling()).isEmpty();
    }

    @Test
    void collectsAnewWhatItHasForgotten() {
        flink.load(500, 700);
        int before = evaluateUntil(Evaluation::windowFull).samples();

        engine.forgetSamples();

        assertThat(before).isGreaterThan(1);
        assertThat(evaluate().samples()).isOne();
    }

    @Test
    void goesOnWhereAnotherProcessStopped() {
        flink.load(1000, 990);
        engine.accept(evaluateUntil(it -> !it.proposed().isEmpty()).proposed());
        Engine next = new Engines(StateLimits.DEFAULT).create();

        assertThat(next.load(engine.text())).isEmpty();

        assertThat(next.overrides()).isEqualTo(engine.overrides());
        assertThat(next.lastScaling()).isEqualTo(engine.lastScaling());
    }

    @Test
    void publishesWhatItWasAmendedTo() {
        flink.load(1000, 990);
        Evaluation evaluation = evaluateUntil(it -> !it.proposed().isEmpty());
        var amended = new TreeMap<>(evaluation.proposed());
        amended.put(WORK, 3);

        assertThat(engine.accept(amended).message()).contains("1 -> 3");

        assertThat(engine.overrides()).containsEntry(WORK, 3);
        assertThat(engine.observations().get(WORK))
                .singleElement()
                .satisfies(seen -> assertThat(seen.parallelism()).isOne());
    }

    @Test
    void seesHowTheJobHangsTogether() {
        Evaluation evaluation = evaluateUntil(it -> it.samples() > 0);

        assertThat(evaluation.graph().isSource(LOAD)).isTrue();
        assertThat(evaluation.graph().inputs().get(WORK))
                .singleElement()
                .satisfies(input -> assertThat(input.from()).isEqualTo(LOAD));
    }

    @Test
    void tunesMemoryWhereThatIsOn() {
        flink.load(1000, 990);

        Evaluation evaluation = evaluateUntil(it -> !it.proposed().isEmpty(), tuned());
        engine.accept(evaluation.proposed());

        assertThat(engine.text().get("configOverrides"))
                .contains("taskmanager.memory.process.size", "taskmanager.memory.managed.fraction");
    }

    /** The engine asks for more of them, whose buffers take more of the memory. */
    @Test
    void tunesMemoryForTheParallelismThatIsPublished() {
        flink.load(1000, 990);
        Evaluation evaluation = evaluateUntil(it -> !it.proposed().isEmpty(), tuned());
        engine.accept(evaluation.proposed());
        String asProposed = engine.text().getOrDefault("configOverrides", "");
        engine.reject();
        evaluation = evaluateUntil(it -> !it.proposed().isEmpty(), tuned());
        var amended = new TreeMap<>(evaluation.proposed());
        amended.replaceAll((_, parallelism) -> parallelism + 40);

        engine.accept(amended);

        assertThat(engine.text().get("configOverrides"))
                .contains("taskmanager.memory.process.size", "taskmanager.memory.network.max")
                .isNotEqualTo(asProposed);
    }

    @Test
    void keepsPublishedMemoryWhereItIsNotTuned() {
        String published =
                "---\noverrides:\n  taskmanager.memory.network.max: \"1 mb\"\nremovals: []\n";
        assertThat(engine.load(Map.of("configOverrides", published))).isEmpty();
        flink.load(1000, 990);
        Evaluation evaluation = evaluateUntil(it -> !it.proposed().isEmpty());
        var amended = new TreeMap<>(evaluation.proposed());
        amended.put(WORK, 3);

        engine.accept(amended);

        assertThat(engine.text().get("configOverrides"))
                .contains("network.max: \"1 mb\"")
                .doesNotContain("process.size");
    }

    @Test
    void tellsOfAFailureTheEngineSwallows() {
        flink.goSilent();

        Evaluation evaluation = evaluate();

        assertThat(evaluation.failure()).isPresent();
        assertThat(evaluation.events())
                .singleElement()
                .satisfies(
                        event -> {
                            assertThat(event.reason()).isEqualTo("AutoscalerError");
                            assertThat(event.severity()).isEqualTo(EngineEvent.Severity.WARNING);
                        });
        assertThat(engine.errors()).isOne();
    }

    private Evaluation evaluateUntil(Predicate<Evaluation> reached) {
        return evaluateUntil(reached, options());
    }

    private Evaluation evaluateUntil(Predicate<Evaluation> reached, FlinkConfiguration options) {
        return await().pollInterval(Duration.ofMillis(100)).until(() -> evaluate(options), reached);
    }

    private Evaluation evaluate() {
        return evaluate(options());
    }

    private Evaluation evaluate(FlinkConfiguration options) {
        try {
            return client.callAt(
                    flink.at(),
                    bound ->
                            engine.evaluate(
                                    new EngineJob(
                                            KEY, JOB, EngineOptions.of(options), () -> bound)));
        } catch (Exception thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static FlinkConfiguration tuned() {
        return options()
                .with(
                        new FlinkConfiguration(
                                Map.of(
                                        "job.autoscaler.memory.tuning.enabled",
                                        "true",
                                        "taskmanager.memory.process.size",
                                        "4g")));
    }

    private static FlinkConfiguration options() {
        return new FlinkConfiguration(
                Map.of(
                        "job.autoscaler.enabled", "true",
                        "job.autoscaler.metrics.window", "500 ms",
                        "job.autoscaler.stabilization.interval", "0 s",
                        "job.autoscaler.scale-down.interval", "0 s",
                        "job.autoscaler.catch-up.duration", "0 s",
                        "job.autoscaler.utilization.target", "0.7",
                        "job.autoscaler.utilization.max", "0.8"));
    }
}
