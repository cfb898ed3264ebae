// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SimulationTest {
    @Test
    void findsTheWriterThatTrustsItsStaleRead() {
        var finding = new Simulation(200, 5, env -> new Counter(env, false)).firstOf(20);

        assertThat(finding).isPresent();
        assertThat(finding.get().problem()).contains("counted");
        assertThat(finding.get().toString()).contains("seed " + finding.get().seed());
    }

    @Test
    void leavesTheCarefulWriterAlone() {
        assertThat(new Simulation(200, 5, env -> new Counter(env, true)).firstOf(50)).isEmpty();
    }

    @Test
    void runsTheSameSeedTheSameWay() {
        var simulation = new Simulation(200, 5, env -> new Counter(env, false));
        long seed = simulation.firstOf(20).orElseThrow().seed();

        assertThat(simulation.run(seed)).isEqualTo(simulation.run(seed));
    }

    @Test
    void bringsAClusterUpAndDownAgain() {
        var cluster = new World(Environment.of(1)).cluster();
        cluster.create(Launch.stateless("a"), 1, "");
        IntStream.range(0, 50).forEach(_ -> cluster.tick());
        assertThat(cluster.answering())
                .hasValueSatisfying(process -> assertThat(process.tasksUp()).isTrue());

        cluster.delete(cluster.objects().latest().deployment().orElseThrow().uid());
        assertThat(cluster.objects().latest().isEmpty()).isFalse();
        IntStream.range(0, 50).forEach(_ -> cluster.tick());
        assertThat(cluster.objects().latest().isEmpty()).isTrue();
    }

    @Test
    void noticesAStartFromLessThanWhatWasThere() {
        var cluster = running(new Launch("a", "a", Optional.empty(), true, false));
        cluster.delete(cluster.objects().latest().deployment().orElseThrow().uid());
        IntStream.range(0, 50).forEach(_ -> cluster.tick());
        cluster.storage().clearGraphs();

        cluster.create(new Launch("b", "b", Optional.empty(), true, false), 2, "");
        IntStream.range(0, 50).forEach(_ -> cluster.tick());

        assertThat(cluster.storage().violation())
                .contains("a job whose state was known is started afresh");
    }

    @Test
    void goesOnFromItsMetadataUnderTheSameId() {
        var cluster = running(new Launch("a", "a", Optional.empty(), true, false));
        cluster.delete(cluster.objects().latest().deployment().orElseThrow().uid());
        IntStream.range(0, 50).forEach(_ -> cluster.tick());
        cluster.storage().clearGraphs();

        cluster.create(new Launch("b", "a", Optional.of("no such path"), true, false), 2, "");
        IntStream.range(0, 50).forEach(_ -> cluster.tick());

        assertThat(cluster.storage().violation()).isEmpty();
        assertThat(cluster.answering().flatMap(process -> process.told().restored())).isPresent();
    }

    @Test
    void leavesAnEndedJobEndedWhereItsResultIsKept() {
        var kept = running(new Launch("a", "a", Optional.empty(), true, false));
        var forgotten = running(new Launch("a", "a", Optional.empty(), false, false));
        for (var cluster : List.of(kept, forgotten)) {
            cluster.endJob("CANCELED");
            cluster.restartJobManager();
            IntStream.range(0, 50).forEach(_ -> cluster.tick());
        }

        assertThat(kept.answering().flatMap(FlinkProcess::state)).isEmpty();
        assertThat(forgotten.answering().flatMap(FlinkProcess::state)).contains("RUNNING");
    }

    @Test
    void stopsAJobWithASavepointAndForgetsTheTriggerOnARestart() {
        var cluster = running(new Launch("a", "a", Optional.empty(), true, false));
        var process = cluster.answering().orElseThrow();

        process.askToStop("a", "t");
        assertThat(process.stop("t")).contains(new FlinkProcess.Stop.InProgress());
        IntStream.range(0, 100).forEach(_ -> cluster.tick());

        assertThat(process.stop("t").orElseThrow())
                .isNotInstanceOf(FlinkProcess.Stop.InProgress.class);
        cluster.restartJobManager();
        assertThat(cluster.answering().flatMap(it -> it.stop("t"))).isEmpty();
    }

    private static Cluster running(Launch launch) {
        var cluster = new World(Environment.of(1)).cluster();
        cluster.create(launch, 1, "");
        IntStream.range(0, 100).forEach(_ -> cluster.tick());
        return cluster;
    }

    @Test
    void noticesTwoJobsAtOnce() {
        assertThat(LongStream.range(0, 50).mapToObj(SimulationTest::overlapping))
                .anyMatch(Optional::isPresent);
    }

    private static Optional<String> overlapping(long seed) {
        var cluster = new World(Environment.of(seed)).cluster();
        cluster.create(Launch.stateless("a"), 1, "");
        IntStream.range(0, 50).forEach(_ -> cluster.tick());
        cluster.deleteBehindTheBack();
        cluster.create(Launch.stateless("b"), 2, "");
        IntStream.range(0, 5).forEach(_ -> cluster.tick());
        return cluster.doubleRun();
    }

    @Test
    void refusesAWriteBasedOnAnOldVersion() {
        var world = new World(Environment.of(1));
        var json = JsonNodeFactory.instance;
        world.create(json.objectNode());
        var read = world.resource().latest().orElseThrow();

        assertThat(world.replaceStatus(read, json.objectNode().put("a", 1)))
                .isEqualTo(World.Written.DONE);
        assertThat(world.replaceStatus(read, json.objectNode().put("a", 2)))
                .isEqualTo(World.Written.CONFLICT);
    }

    @Test
    void keepsADeletedResourceUntilItsFinalizerIsGone() {
        var world = new World(Environment.of(1));
        world.create(JsonNodeFactory.instance.objectNode());
        world.setFinalizer(world.resource().latest().orElseThrow(), true);

        world.delete();
        assertThat(world.resource().latest()).isPresent();
        world.setFinalizer(world.resource().latest().orElseThrow(), false);
        assertThat(world.resource().latest()).isEmpty();
    }

    /** Counts to the number of its moves; a lost reply makes a careless writer count twice. */
    private static final class Counter implements Scenario {
        private final Environment environment;
        private final boolean careful;
        private final History<Integer> stored = new History<>(0);
        private final History.LateReader<Integer> reader = stored.watch();
        private int wanted;

        Counter(Environment environment, boolean careful) {
            this.environment = environment;
            this.careful = careful;
        }

        @Override
        public List<Move> moves() {
            return List.of(new Move("want", 1, () -> wanted++), new Move("count", 3, this::count));
        }

        private void count() {
            int seen =
                    careful
                            ? stored.latest()
                            : reader.read(environment.faults(), environment.dice(), 30);
            try {
                if (seen < wanted) {
                    environment.faults().effect("add", () -> stored.add(stored.latest() + 1));
                }
            } catch (SimulatedFault again) {
                environment.trace().add(again.getMessage());
            }
        }

        @Override
        public Optional<String> violation() {
            return stored.latest() > wanted
                    ? Optional.of("counted " + stored.latest() + " instead of " + wanted)
                    : Optional.empty();
        }

        @Override
        public void round() {
            count();
        }

        @Override
        public Optional<String> unsettled() {
            return Optional.empty();
        }
    }
}
