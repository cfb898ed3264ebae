// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairHalf;
import io.sluice.autoscaler.collect.EngineClient;
import io.sluice.autoscaler.collect.Footprint;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.JobKind;
import io.sluice.autoscaler.collect.JobManagerLimits;
import io.sluice.autoscaler.decide.EngineEvent;
import io.sluice.autoscaler.decide.Engines;
import io.sluice.autoscaler.flink.FlinkReplies;
import io.sluice.autoscaler.govern.Allowance;
import io.sluice.autoscaler.jobs.Pairs;
import io.sluice.autoscaler.publish.JobEvents;
import io.sluice.autoscaler.publish.MemoryStates;
import io.sluice.autoscaler.publish.Realizer;
import io.sluice.autoscaler.publish.Stored;
import io.sluice.autoscaler.state.StateLimits;
import io.sluice.flink.rest.http.HttpJobManagerRest;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a half of a blue/green pair begins with. */
class JobMemoryTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobKey BLUE = half(HalfColor.BLUE);
    private static final JobKey GREEN = half(HalfColor.GREEN);
    private static final String OVERRIDES = FlinkReplies.LOAD + ":1," + FlinkReplies.WORK + ":2";
    private static final String OWN = FlinkReplies.LOAD + ":1," + FlinkReplies.WORK + ":3";

    private final HttpJobManagerRest http = new HttpJobManagerRest(JobManagerLimits.DEFAULT);
    private final EngineClient client = new EngineClient(Duration.ofSeconds(5));
    private final MemoryStates states = new MemoryStates();
    private Optional<JobKey> former = Optional.of(BLUE);
    private Map<String, String> started = Map.of();

    @AfterEach
    void close() {
        client.close();
        http.close();
    }

    @Test
    void isThatOfTheFormerHalfButForWhatIsTrueOfThatAlone() {
        states.save(
                BLUE,
                Map.of(
                        "parallelismOverrides",
                        OVERRIDES,
                        "governorResetNonce",
                        "7",
                        "governorHold",
                        "DAY_BUDGET_SPENT: 1 -> 2",
                        "somebodyElses",
                        "x".repeat(500)),
                Stored.NOTHING);

        var memory = new JobMemory(GREEN, world());
        assertThat(memory.takeOver(NOW)).isEmpty();

        assertThat(stored())
                .containsEntry("parallelismOverrides", OVERRIDES)
                .containsEntry("governorResetNonce", "7")
                .doesNotContainKeys("governorHold", "somebodyElses", "collectedMetrics");
        memory.recall(Optional.of(7L), NOW);
        assertThat(memory.overrides()).containsEntry(FlinkReplies.WORK, 2);
    }

    @Test
    void isItsOwnAsSoonAsItHasOne() {
        states.save(BLUE, Map.of("parallelismOverrides", OVERRIDES), Stored.NOTHING);
        states.save(GREEN, Map.of("parallelismOverrides", OWN), Stored.NOTHING);

        var memory = new JobMemory(GREEN, world());
        memory.takeOver(NOW);
        memory.recall(Optional.empty(), NOW);

        assertThat(memory.overrides()).containsEntry(FlinkReplies.WORK, 3);
        assertThat(states.load(BLUE).data()).isEqualTo(Map.of("parallelismOverrides", OVERRIDES));
    }

    @Test
    void isNothingIfTheUserAsksForThatWithTheEdit() {
        states.save(
                BLUE,
                Map.of("parallelismOverrides", OVERRIDES, "governorResetNonce", "7"),
                Stored.NOTHING);

        var memory = new JobMemory(GREEN, world());
        memory.takeOver(NOW);
        memory.recall(Optional.of(8L), NOW);

        assertThat(memory.overrides()).isEmpty();
        assertThat(stored()).doesNotContainKey("parallelismOverrides");
    }

    @Test
    void beginsWithTheSizeThatTheHalfWasStartedWithIfTheFormerOneIsGone() {
        former = Optional.empty();
        started = Map.of("parallelismOverrides", OWN);

        var memory = new JobMemory(GREEN, world());
        memory.recall(Optional.empty(), NOW);

        assertThat(memory.overrides()).containsEntry(FlinkReplies.WORK, 3);
        assertThat(stored()).containsEntry("parallelismOverrides", OWN);
    }

    /** Of a former half that was never scaled, for instance. */
    @Test
    void isStoredOnlyIfThereIsSomethingToStore() {
        var memory = new JobMemory(GREEN, world());

        memory.takeOver(NOW);
        memory.recall(Optional.empty(), NOW);

        assertThat(stored()).isEmpty();
    }

    private Map<String, String> stored() {
        return states.load(GREEN).data();
    }

    private static JobKey half(HalfColor color) {
        var half = new PairHalf("orders", "u-pair", color);
        return new JobKey(
                JobKind.FLINK_DEPLOYMENT,
                "shop",
                half.name(),
                "u-" + color.word(),
                Optional.of(half));
    }

    private CycleDependencies world() {
        return new CycleDependencies(
                (_, _) -> URI.create("http://localhost"),
                http,
                client,
                new Engines(StateLimits.DEFAULT),
                states,
                new JobEvents() {
                    @Override
                    public void publish(JobKey key, EngineEvent event) {}

                    @Override
                    public void leave(JobKey key) {}
                },
                new Pairs() {
                    @Override
                    public Optional<JobKey> formerHalf(JobKey job) {
                        return former;
                    }

                    @Override
                    public Map<String, String> startOverrides(JobKey job) {
                        return started;
                    }

                    @Override
                    public boolean isBetweenHalves(JobKey job) {
                        return false;
                    }
                },
                Realizer.OPERATOR,
                new Rescaling(() -> 1, _ -> Footprint.NOTHING, _ -> Allowance.UNLIMITED),
                Duration.ZERO,
                () -> NOW,
                () -> NOW);
    }
}
