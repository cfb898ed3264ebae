// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkSessionJob;
import io.sluice.operator.deployment.simulation.Disturbances;
import io.sluice.operator.model.Reason;
import io.sluice.testkit.sim.Dice;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.Scenario;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One user of one FlinkSessionJob on a session cluster that comes and goes. In the end the user
 * wants something, nothing fails any more, and that has to come about, or a condition has to say
 * who must act.
 */
final class SessionScenario implements Scenario {
    private static final Duration ROUND = Duration.ofSeconds(15);
    private static final List<String> MODES = List.of("savepoint", "last-state", "stateless");

    /** After so many rounds nothing is written any more. */
    private static final int STEADY_ROUND = 140;

    private final Environment environment;
    private final Disturbances disturbances;
    private final SessionWorld world;
    private ObjectNode spec;
    private ObjectNode before;
    private int versions;
    private int nonces;
    private int rounds;
    private int cost;

    SessionScenario(Environment environment, Set<SessionFlaws> flaws, Disturbances disturbances) {
        this.environment = environment;
        this.disturbances = disturbances;
        boolean isHighlyAvailable = dice().chance(60);
        var kind =
                new SessionMetadata.Kind(isHighlyAvailable, isHighlyAvailable && dice().chance(50));
        world = new SessionWorld(environment, disturbances, flaws, kind);
        spec = spec();
        before = spec;
        world.create(spec);
        world.besides(this::besidesTheOperator);
    }

    private Dice dice() {
        return environment.dice();
    }

    private ObjectNode spec() {
        String mode = dice().pick(MODES);
        ObjectNode made =
                JsonNodeFactory.instance.objectNode().put("deploymentName", SessionCluster.NAME);
        made.putObject("job")
                .put("jarURI", jar())
                .put("parallelism", 1)
                .put("state", "running")
                .put("upgradeMode", mode)
                .putArray("args")
                .add("v0");
        ObjectNode options = made.putObject("flinkConfiguration");
        if (mode.equals("last-state") || dice().chance(80)) {
            options.put("execution.checkpointing.interval", "10 s");
        }
        if (dice().chance(50)) {
            options.put(
                    "execution.checkpointing.externalized-checkpoint-retention",
                    dice().chance(50) ? "RETAIN_ON_CANCELLATION" : "DELETE_ON_CANCELLATION");
        }
        if (dice().chance(30)) {
            options.put("kubernetes.operator.job.savepoint-on-deletion", "true");
        }
        if (!world.states().paths().isEmpty() && dice().chance(30)) {
            made.withObject("/job")
                    .put("initialSavepointPath", dice().pick(world.states().paths()));
        }
        return made;
    }

    private String jar() {
        return "https://repo.example.org/report-" + versions + ".jar";
    }

    @Override
    public List<Move> moves() {
        return List.of(
                new Move("the operator takes a turn", 60, world.operator()::pass),
                new Move("a thread of the operator takes a turn", 20, world.operator()::work),
                new Move("the cluster takes a turn", 60, this::turn),
                new Move("time passes", 10, () -> pass(dice().below(40))),
                new Move("much time passes", 1, this::passMuch),
                new Move("late calls arrive", 2, this::carryOutLateCalls),
                new Move("an edit", 4, disturbing(this::change)),
                new Move("suspend", 2, disturbing(() -> edit(withState("suspended")))),
                new Move("resume", 4, disturbing(() -> edit(withState("running")))),
                new Move("a savepoint by nonce", 2, disturbing(this::askForSavepoint)),
                new Move("edit back", 2, disturbing(() -> edit(before))),
                new Move("another upgrade mode", 1, disturbing(this::changeMode)),
                new Move("restart by nonce", 1, disturbing(this::askForRestart)),
                new Move("redeploy by nonce", 2, disturbing(this::redeploy)),
                new Move("delete", 1, disturbing(this::delete)),
                new Move("create again", 10, this::createAgain),
                new Move("the JobManager restarts", 2, disturbing(world.cluster()::restart)),
                new Move("the cluster goes away", 1, disturbing(world.cluster()::goAway)),
                new Move("a TaskManager is lost", 1, disturbing(world.cluster()::loseTaskManager)),
                new Move("the operator is killed", 2, disturbing(world.operator()::close)));
    }

    private Runnable disturbing(Runnable move) {
        return () -> {
            if (disturbances.happens()) {
                move.run();
            }
        };
    }

    private void turn() {
        pass(2);
        world.cluster().step();
        world.look();
    }

    private void pass(int seconds) {
        environment.clock().advance(Duration.ofSeconds(seconds));
        world.cluster().finishOverdue();
    }

    private void passMuch() {
        for (int turn = 0; turn < 20; turn++) {
            pass(20);
            turn();
        }
    }

    private void carryOutLateCalls() {
        world.quietly(
                () -> {
                    world.api().carryOutLateCalls();
                    return true;
                });
    }

    /** Between two calls of the operator. */
    private void besidesTheOperator() {
        switch (dice().below(20)) {
            case 0, 1, 2 -> change();
            case 3, 4, 5 -> edit(withState(dice().chance(50) ? "suspended" : "running"));
            case 6, 7 -> edit(before);
            case 8 -> changeMode();
            case 9 -> askForRestart();
            case 10 -> redeploy();
            case 11 -> carryOutLateCalls();
            case 12 -> world.cluster().restart();
            default -> turn();
        }
    }

    private void edit(ObjectNode next) {
        if (!next.equals(spec)) {
            before = spec;
            spec = next;
            world.edit(next);
        }
    }

    private void change() {
        ObjectNode next = spec.deepCopy();
        versions++;
        if (dice().chance(30)) {
            next.withObject("/job").put("jarURI", jar());
        } else {
            next.withObject("/job").putArray("args").add("v" + versions);
        }
        edit(next);
    }

    private ObjectNode withState(String state) {
        ObjectNode next = spec.deepCopy();
        next.withObject("/job").put("state", state);
        return next;
    }

    private void askForSavepoint() {
        ObjectNode next = spec.deepCopy();
        next.withObject("/job").put("savepointTriggerNonce", ++nonces);
        edit(next);
    }

    private void changeMode() {
        ObjectNode next = spec.deepCopy();
        next.withObject("/job").put("upgradeMode", dice().pick(MODES));
        edit(next);
    }

    private void askForRestart() {
        edit(spec.deepCopy().put("restartNonce", ++nonces));
    }

    /** From anything there is; sometimes without the nonce, which is to change nothing. */
    private void redeploy() {
        List<String> paths = world.states().paths();
        if (paths.isEmpty()) {
            return;
        }
        ObjectNode next = spec.deepCopy();
        ObjectNode job = next.withObject("/job").put("initialSavepointPath", dice().pick(paths));
        if (dice().chance(80)) {
            job.put("savepointRedeployNonce", ++nonces);
        }
        edit(next);
    }

    private void delete() {
        if (world.resource().isPresent()) {
            world.delete();
        }
    }

    private void createAgain() {
        if (world.resource().isEmpty()) {
            spec = spec();
            before = spec;
            world.create(spec);
        }
    }

    @Override
    public Optional<String> violation() {
        world.restartIfDead();
        return world.oracle().violation();
    }

    @Override
    public void round() {
        carryOutLateCalls();
        world.operator().passAll();
        world.restartIfDead();
        for (int turn = 0; turn < 3; turn++) {
            turn();
        }
        pass((int) ROUND.toSeconds());
        world.operator().passAll();
        if (++rounds == STEADY_ROUND) {
            cost = world.writes();
        }
    }

    @Override
    public Optional<String> unsettled() {
        return world.resource().isEmpty()
                ? Optional.of(world.cluster())
                        .filter(_ -> world.hasLeftovers())
                        .map(it -> "left: " + it)
                : world.resource().flatMap(this::unsettled);
    }

    private Optional<String> unsettled(FlinkSessionJob resource) {
        String text = spec.path("job") + " is " + resource.getStatus() + " with " + world.cluster();
        if (resource.getMetadata().getDeletionTimestamp() != null) {
            return Optional.of("its deletion does not end: " + text);
        }
        if (resource.getStatus() == null
                || resource.getStatus().path("observedGeneration").asLong()
                        != resource.getMetadata().getGeneration()) {
            return Optional.of("the generation is not reported: " + text);
        }
        if (world.writes() > cost) {
            return Optional.of("it is written although nothing changes: " + text);
        }
        return isAsWanted(resource.getStatus()) ? Optional.empty() : Optional.of(text);
    }

    private boolean isAsWanted(JsonNode status) {
        Optional<Reason> reason = reason(status);
        if (reason.filter(it -> it.outlook() == Reason.Outlook.STALLED).isPresent()) {
            return mayStall(reason.orElseThrow());
        }
        if (spec.at("/job/state").asText().equals("suspended")) {
            return !world.hasLeftovers();
        }
        return world.lastRun()
                .filter(SessionRun::tasksUp)
                .filter(run -> run.job().content().equals(SessionWorld.content(spec)))
                .filter(_ -> reason.filter(SessionScenario::isRunning).isPresent())
                .isPresent();
    }

    /** Also one of which a savepoint by nonce has failed. */
    private static boolean isRunning(Reason reason) {
        return reason == Reason.JOB_RUNNING || reason == Reason.SAVING_FAILED;
    }

    /** Whether it is so that somebody has to act. */
    private boolean mayStall(Reason reason) {
        return switch (reason) {
            case JOB_FAILED -> world.hasEndedItself("FAILED");
            case JOB_CANCELED -> world.hasEndedItself("CANCELED");
            case UPGRADE_SAVEPOINT_FAILED ->
                    world.lastRun()
                            .filter(SessionRun::tasksUp)
                            .filter(run -> run.requests().failedStops() > 0)
                            .isPresent();
            case STATE_LOST,
                    STATE_IN_DOUBT,
                    UPGRADE_FAILED,
                    JOB_NOT_FOUND,
                    CHECKPOINT_NOT_FOUND,
                    RESTORE_FAILED ->
                    !world.tellsState();
            case CHECKPOINTS_NOT_RETAINED ->
                    world.lastRun()
                            .filter(run -> !run.job().retainsCheckpoints())
                            .filter(run -> path().contains("/" + run.job().id() + "/chk-"))
                            .isPresent();
            default -> false;
        };
    }

    private String path() {
        return spec.at("/job/initialSavepointPath").asText();
    }

    private static Optional<Reason> reason(JsonNode status) {
        String word = status.at("/conditions/1/reason").asText();
        return Arrays.stream(Reason.values()).filter(it -> it.wire().equals(word)).findFirst();
    }
}
