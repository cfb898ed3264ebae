// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.Handover;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A pair, its user, and an operator that may end between any two effects. */
final class PairScenario implements Scenario {
    private static final Duration ROUND = Duration.ofSeconds(20);

    private final Environment environment;
    private final SimulatedPair pair;
    private final SimulatedPairOperator operator;
    private final boolean redeploys;
    private int edits;
    private boolean isFinal;

    PairScenario(Environment environment, Set<PairFlaws> flaws) {
        this(environment, true, flaws);
    }

    /** Without snapshots and analyses: as the scenario was before there were any. */
    static PairScenario former(Environment environment) {
        return new PairScenario(environment, false, PairFlaws.none());
    }

    private PairScenario(Environment environment, boolean isWhole, Set<PairFlaws> flaws) {
        this.environment = environment;
        pair =
                new SimulatedPair(
                        environment,
                        environment.dice().chance(50) ? Handover.OVERLAP : Handover.STOP_FIRST,
                        environment.dice().chance(75),
                        Duration.ofSeconds(environment.dice().pick(List.of(0, 0, 60, 300))),
                        isWhole,
                        flaws);
        if (environment.dice().chance(10)) {
            occupy();
        }
        redeploys = environment.dice().chance(30);
        operator = new SimulatedPairOperator(pair, flaws);
    }

    /** What the analyses have come to. */
    Set<SimulatedAnalysis.Verdict> verdicts() {
        return pair.analysis().verdicts();
    }

    @Override
    public List<Move> moves() {
        return List.of(
                new Move("the operator takes a turn", 40, operator::pass),
                new Move("the halves take a turn", 40, this::halves),
                new Move("time passes", 14, this::passTime),
                new Move("much time passes", 1, () -> pass(Duration.ofMinutes(11))),
                new Move("an image that works", 2, () -> image("good-")),
                new Move("an image that never comes up", 1, () -> image("bad-")),
                new Move("an image that fails", 1, () -> image("broken-")),
                new Move("suspend or resume", 1, this::toggle),
                new Move("a field that restarts nothing", 1, this::nothing),
                new Move("redeploy", 1, this::redeploy),
                new Move("the name is free again", 2, this::free),
                new Move("the quota is full", 1, () -> pair.fills(true)),
                new Move("the quota is raised", 2, () -> pair.fills(false)));
    }

    private void halves() {
        pass(Duration.ofSeconds(2));
        pair.step();
    }

    private void passTime() {
        pass(Duration.ofSeconds(environment.dice().below(30)));
    }

    private void pass(Duration time) {
        environment.clock().advance(time);
    }

    private void image(String kind) {
        ObjectNode next = pair.spec().deepCopy();
        next.withObject("/template/spec").put("image", kind + ++edits);
        pair.edit(next);
    }

    private void toggle() {
        ObjectNode next = pair.spec().deepCopy();
        ObjectNode job = next.withObject("/template/spec/job");
        boolean runs = job.path("state").asText().equals("running");
        job.put("state", runs ? "suspended" : "running");
        pair.wishesSuspension();
        pair.edit(next);
    }

    private void nothing() {
        ObjectNode next = pair.spec().deepCopy();
        next.withObject("/template/spec/flinkConfiguration")
                .put("kubernetes.operator.reconcile.interval", ++edits + " s");
        pair.edit(next);
    }

    private void redeploy() {
        pair.anyPath()
                .filter(_ -> redeploys)
                .ifPresent(
                        path -> {
                            ObjectNode next = pair.spec().deepCopy();
                            next.withObject("/template/spec/job")
                                    .put("initialSavepointPath", path)
                                    .put("savepointRedeployNonce", ++edits);
                            pair.edit(next);
                        });
    }

    /** Somebody else has a FlinkDeployment of the name of a half. */
    private void occupy() {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.put("image", "good-0").putObject("job").put("upgradeMode", "savepoint");
        pair.halves()
                .put(
                        HalfColor.GREEN,
                        new SimulatedHalf(pair, "foreign", false, spec, Optional.empty()));
    }

    private void free() {
        pair.halves().values().removeIf(half -> !half.isOurs());
    }

    @Override
    public void besides() {
        pair.happens();
    }

    @Override
    public Optional<String> violation() {
        return pair.violation();
    }

    /** The user's last wish is one that works. */
    @Override
    public void round() {
        if (!isFinal) {
            isFinal = true;
            pair.calm();
            free();
            pair.fills(false);
            ObjectNode next = SimulatedAnalysis.withoutLag(pair.spec());
            next.withObject("/template/spec").put("image", "good-final");
            next.withObject("/template/spec/job").put("state", "running");
            pair.edit(next);
        }
        operator.pass();
        pass(ROUND);
        pair.step();
        operator.pass();
    }

    @Override
    public Optional<String> unsettled() {
        var status = FlinkBlueGreenDeploymentStatus.of(pair.status());
        boolean isReady =
                status.conditions().stream()
                        .anyMatch(
                                it ->
                                        it.reason().equals("JobRunning")
                                                && it.observedGeneration()
                                                        .equals(Optional.of(pair.generation())));
        if (!isReady || pair.transition().isPresent()) {
            return Optional.of("the pair is " + pair.status());
        }
        SimulatedHalf active =
                status.blueGreenState()
                        .flatMap(state -> state.half())
                        .map(pair.halves()::get)
                        .orElseThrow();
        if (!active.isSteady() || !active.image().equals("good-final")) {
            return Optional.of("the active half runs " + active.image());
        }
        boolean isAlone =
                pair.halves().values().stream().filter(SimulatedHalf::isLive).count() == 1;
        if (status.registration().isPresent()) {
            return Optional.of("a savepoint is not registered yet: " + status.registration());
        }
        return isAlone
                ? pair.snapshots().unregistered().or(pair.told()::untold)
                : Optional.of("the other half runs, too");
    }
}
