// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.operator.world.Disturbances;
import io.sluice.testkit.sim.Dice;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A pair and its user. In the end the user wants something that works, nothing fails any more, and
 * that has to come about.
 */
final class PairScenario implements Scenario {
    private static final Duration ROUND = Duration.ofSeconds(20);

    private static final int TURNS = 3;

    private static final int BROKEN_ROUND = 30;
    private static final int LAST_ROUND = 70;

    /** After so many rounds nothing is written any more. */
    private static final int STEADY_ROUND = 140;

    private final Environment environment;
    private final Disturbances disturbances;
    private final PairWorld world;
    private final boolean redeploys;
    private int edits;
    private int rounds;
    private int cost;

    PairScenario(Environment environment, Disturbances disturbances, Set<PairFlaws> flaws) {
        this.environment = environment;
        this.disturbances = disturbances;
        world = new PairWorld(environment, disturbances, flaws);
        world.create();
        if (dice().chance(25)) {
            world.occupy();
        }
        redeploys = dice().chance(30);
        world.processes().besides(this::besidesTheOperator);
    }

    private Dice dice() {
        return environment.dice();
    }

    /** What the analyses have come to. */
    Set<PairAnalysis.Verdict> verdicts() {
        return world.analysis().verdicts();
    }

    @Override
    public List<Move> moves() {
        return List.of(
                new Move("the operator takes a turn", 120, operator()::pass),
                new Move("the halves take a turn", 80, this::halves),
                new Move("time passes", 14, () -> world.pass(Duration.ofSeconds(dice().below(30)))),
                new Move("much time passes", 1, () -> world.pass(Duration.ofMinutes(11))),
                new Move("late calls arrive", 4, world::carryOutLateCalls),
                new Move("an image that works", 2, disturbing(() -> image("good-"))),
                new Move("an image that never comes up", 1, disturbing(() -> image("bad-"))),
                new Move("an image that fails", 1, disturbing(() -> image("broken-"))),
                new Move("suspend or resume", 1, disturbing(this::toggle)),
                new Move("a field that restarts nothing", 1, disturbing(this::nothing)),
                new Move("redeploy", 1, disturbing(this::redeploy)),
                new Move("the name is free again", 1, world::free),
                new Move("the quota is full", 2, disturbing(() -> world.quota().fills(true))),
                new Move("the quota is raised", 4, () -> world.quota().fills(false)),
                new Move(
                        "a snapshot is deleted",
                        6,
                        disturbing(() -> world.snapshots().deleteOne())),
                new Move(
                        "no snapshot can be created",
                        1,
                        disturbing(() -> world.snapshots().refuses(true))),
                new Move("snapshots can be created", 2, () -> world.snapshots().refuses(false)),
                new Move("the operator is killed", 2, disturbing(this::kill)));
    }

    private PairOperator operator() {
        return world.processes().leading();
    }

    private Runnable disturbing(Runnable move) {
        return () -> {
            if (disturbances.happens()) {
                move.run();
            }
        };
    }

    private void kill() {
        world.told().mishap();
        operator().close();
    }

    /** A cluster takes some turns to come up. */
    private void halves() {
        for (int turn = 0; turn < TURNS; turn++) {
            world.pass(Duration.ofSeconds(2));
            world.step();
        }
    }

    /** Between two calls of the operator. */
    private void besidesTheOperator() {
        switch (dice().below(40)) {
            case 0 -> image("good-");
            case 1 -> image(dice().chance(50) ? "bad-" : "broken-");
            case 2 -> toggle();
            case 3 -> nothing();
            case 4 -> world.quota().fills(dice().chance(30));
            case 5 -> world.carryOutLateCalls();
            case 6, 7 -> world.snapshots().deleteOne();
            default -> halves();
        }
    }

    private void image(String kind) {
        ObjectNode next = world.spec().deepCopy();
        PairHalves.use(next.withObject("/template/spec"), kind + ++edits);
        world.edit(next);
    }

    private void toggle() {
        ObjectNode next = world.spec().deepCopy();
        ObjectNode job = next.withObject("/template/spec/job");
        boolean runs = job.path("state").asText().equals("running");
        job.put("state", runs ? "suspended" : "running");
        world.promises().wishesSuspension();
        world.edit(next);
    }

    private void nothing() {
        ObjectNode next = world.spec().deepCopy();
        next.withObject("/template/spec/flinkConfiguration")
                .put("kubernetes.operator.reconcile.interval", ++edits + " s");
        world.edit(next);
    }

    private void redeploy() {
        world.anyPath()
                .filter(_ -> redeploys)
                .ifPresent(
                        path -> {
                            ObjectNode next = world.spec().deepCopy();
                            next.withObject("/template/spec/job")
                                    .put("initialSavepointPath", path)
                                    .put("savepointRedeployNonce", ++edits);
                            world.edit(next);
                        });
    }

    @Override
    public Optional<String> violation() {
        world.receive();
        world.processes().restartIfDead();
        return world.violation();
    }

    /** The user's last wish is one that works, and the one before it is not. */
    @Override
    public void round() {
        switch (rounds++) {
            case 0 -> {
                world.calm();
                world.quota().fills(false);
                wish("good-" + ++edits);
            }
            case BROKEN_ROUND -> {
                world.free();
                wish("broken-" + ++edits);
            }
            case LAST_ROUND -> wish("good-final");
            default -> {}
        }
        world.carryOutLateCalls();
        passAll();
        world.processes().restartIfDead();
        world.pass(ROUND);
        world.step();
        passAll();
        if (rounds == STEADY_ROUND) {
            cost = world.processes().writes();
        }
    }

    private void wish(String image) {
        ObjectNode next = PairAnalysis.lenient(world.spec());
        PairHalves.use(next.withObject("/template/spec"), image);
        next.withObject("/template/spec/job").put("state", "running");
        world.edit(next);
    }

    private void passAll() {
        if (!world.processes().passAll()) {
            world.violated("the operator does not come to rest");
        }
    }

    @Override
    public Optional<String> unsettled() {
        ObjectNode stored = world.promises().status();
        var status = FlinkBlueGreenDeploymentStatus.of(stored);
        boolean isReady =
                status.conditions().stream()
                        .anyMatch(
                                it ->
                                        it.reason().equals("JobRunning")
                                                && it.observedGeneration().equals(generation()));
        if (!isReady || world.promises().transition().isPresent()) {
            return Optional.of("the pair is " + stored);
        }
        Half active =
                status.blueGreenState()
                        .flatMap(state -> state.half())
                        .flatMap(world::half)
                        .orElseThrow();
        if (!active.isSteady() || !active.image().startsWith("good-final")) {
            return Optional.of("the active half runs " + active.image());
        }
        if (status.registration().isPresent()) {
            return Optional.of("a savepoint is not registered yet: " + status.registration());
        }
        if (world.processes().writes() > cost) {
            return Optional.of("it is written although nothing changes: " + stored);
        }
        boolean isAlone = world.halves().stream().filter(Half::isLive).count() == 1;
        return isAlone
                ? world.snapshots().unregistered().or(world.told()::untold)
                : Optional.of("the other half runs, too");
    }

    private Optional<Long> generation() {
        return world.resource().map(it -> it.getMetadata().getGeneration());
    }
}
