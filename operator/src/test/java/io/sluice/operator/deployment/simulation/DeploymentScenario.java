// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.deployment.simulation.habits.Habit;
import io.sluice.operator.model.Reason;
import io.sluice.operator.world.Disturbances;
import io.sluice.operator.world.JobUser;
import io.sluice.operator.world.Settling;
import io.sluice.operator.world.Steadiness;
import io.sluice.testkit.sim.Dice;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.Scenario;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One user of one FlinkDeployment. In the end the user wants something, nothing fails any more, and
 * that has to come about, or a condition has to say who must act.
 */
final class DeploymentScenario implements Scenario {
    private static final Duration ROUND = Duration.ofSeconds(15);

    private final Environment environment;
    private final Disturbances disturbances;
    private final DeploymentWorld world;
    private final ClusterDice cluster;
    private final ScaledRun scaled;
    private final Hands hands;
    private final Habits habits;
    private final JobUser user;
    private final Settling settling = new Settling();
    private final Steadiness questions = new Steadiness();

    DeploymentScenario(
            Environment environment, Set<DeploymentFlaws> flaws, Disturbances disturbances) {
        this(environment, flaws, disturbances, false, Habit.none());
    }

    /**
     * @param isScaled whether there is an autoscaler, and options change
     */
    DeploymentScenario(
            Environment environment,
            Set<DeploymentFlaws> flaws,
            Disturbances disturbances,
            boolean isScaled) {
        this(environment, flaws, disturbances, isScaled, Habit.none());
    }

    /**
     * @param allowed what users and the cluster may do by habit
     */
    DeploymentScenario(
            Environment environment,
            Set<DeploymentFlaws> flaws,
            Disturbances disturbances,
            Set<Habit> allowed) {
        this(environment, flaws, disturbances, false, allowed);
    }

    private DeploymentScenario(
            Environment environment,
            Set<DeploymentFlaws> flaws,
            Disturbances disturbances,
            boolean isScaled,
            Set<Habit> allowed) {
        this.environment = environment;
        this.disturbances = disturbances;
        world = new DeploymentWorld(environment, disturbances, flaws, isScaled);
        cluster = new ClusterDice(environment.besides());
        hands = new Hands(world, environment.diceOf("hands"));
        scaled = world.scaled();
        user = new JobUser(dice(), world.states(), world::edit);
        habits = new Habits(world, environment.diceOf("habits"), allowed, user, cluster);
        world.platform().allow(allowed);
        create();
        world.operators().besides(this::besidesTheOperator);
    }

    private Dice dice() {
        return environment.dice();
    }

    private ObjectNode spec() {
        String mode = user.anyMode();
        ObjectNode made = JsonNodeFactory.instance.objectNode().put("serviceAccount", "flink");
        made.putObject("job")
                .put("jarURI", "local:///opt/flink/usrlib/a.jar")
                .put("parallelism", 1)
                .put("state", "running")
                .put("upgradeMode", mode)
                .putArray("args")
                .add("v0");
        for (String component : List.of("jobManager", "taskManager")) {
            made.putObject(component).putObject("resource").put("cpu", 0.1).put("memory", "1g");
        }
        ObjectNode options = made.putObject("flinkConfiguration");
        options.put("execution.checkpointing.savepoint-dir", DeploymentWorld.SAVEPOINTS)
                .put("execution.checkpointing.dir", "s3://c");
        boolean isHighlyAvailable = dice().chance(mode.equals("last-state") ? 70 : 60);
        if (isHighlyAvailable) {
            options.put("high-availability.type", "kubernetes")
                    .put("high-availability.storageDir", "s3://h");
        }
        user.chooseState(made);
        cluster.choose(made);
        hands.choose(made);
        scaled.choose(made);
        habits.choose(made);
        world.platform().create(made);
        return made;
    }

    @Override
    public List<Move> moves() {
        return List.of(
                new Move("the operator takes a turn", 60, world.operator()::pass),
                new Move("the node and Flink take a turn", 60, this::turn),
                new Move("time passes", 10, () -> pass(dice().below(40))),
                new Move("much time passes", 1, () -> pass(400)),
                new Move("late calls arrive", 2, world::carryOutLateCalls),
                new Move("an edit", 4, disturbing(user::changeArguments)),
                new Move("suspend", 2, disturbing(() -> user.changeState("suspended"))),
                new Move("resume", 4, disturbing(() -> user.changeState("running"))),
                new Move("a savepoint by nonce", 2, disturbing(user::askForSavepoint)),
                new Move("edit back", 2, disturbing(user::editBack)),
                new Move("another upgrade mode", 1, disturbing(user::changeMode)),
                new Move("restart by nonce", 1, disturbing(user::askForRestart)),
                new Move("redeploy by nonce", 2, disturbing(user::redeploy)),
                new Move("delete", 1, disturbing(this::delete)),
                new Move("create again", 10, this::createAgain),
                new Move("a container restarts", 2, disturbing(world.node()::restartProcess)),
                new Move("a pod is evicted", 1, disturbing(world.node()::evict)),
                new Move("the operator is killed", 2, disturbing(this::kill)));
    }

    @Override
    public void besides() {
        if (scaled.acts()) {
            disturbing(() -> scaled.act(user)).run();
        }
        if (cluster.changesVersion()) {
            disturbing(() -> user.edit(cluster::changeVersion)).run();
        }
        if (cluster.changesSize()) {
            disturbing(() -> user.edit(this::resize)).run();
        }
        if (cluster.endsTaskManager(user.spec())) {
            disturbing(() -> world.node().endTaskManager(cluster.dice())).run();
        }
        if (cluster.losesNode()) {
            disturbing(() -> world.node().loseNode(cluster.dice())).run();
        }
        hands.move().ifPresent(move -> disturbing(move).run());
        habits.move().ifPresent(move -> disturbing(move).run());
        if (habits.waits()) {
            disturbing(this::waitForDeadline).run();
        }
        world.platform()
                .move(user, () -> world.label(true))
                .ifPresent(move -> disturbing(move).run());
    }

    /** Three minutes in which the operator, the node and Flink do what they would do anyway. */
    private void waitForDeadline() {
        for (int turn = 0; turn < 9; turn++) {
            world.operator().pass();
            turn();
            pass(16);
            turn();
        }
    }

    private void resize(ObjectNode next) {
        cluster.resize(next);
        scaled.fit(next);
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
        world.node().step();
        world.look();
    }

    private void pass(int seconds) {
        environment.clock().advance(Duration.ofSeconds(seconds));
    }

    private void kill() {
        world.operator().close();
    }

    /** Between two calls of the operator. */
    private void besidesTheOperator() {
        if (scaled.betweenCalls(user)) {
            return;
        }
        switch (dice().below(18)) {
            case 0, 1, 2 -> user.changeArguments();
            case 3, 4, 5 -> user.changeState(dice().chance(50) ? "suspended" : "running");
            case 6, 7 -> user.editBack();
            case 8 -> user.changeMode();
            case 9 -> user.askForRestart();
            case 10 -> user.redeploy();
            case 11 -> world.carryOutLateCalls();
            default -> turn();
        }
    }

    private void delete() {
        if (world.resource().isPresent()) {
            world.delete(dice().pick(List.of(DeletionPropagation.values())));
        }
    }

    private void createAgain() {
        hands.removeLeft();
        if (world.resource().isEmpty()) {
            hands.takeRestored().ifPresentOrElse(this::restore, this::create);
        }
    }

    private void create() {
        ObjectNode spec = spec();
        user.begins(spec);
        world.create(spec);
    }

    private void restore(Hands.Backup backup) {
        user.begins(backup.spec());
        world.restore(backup);
    }

    @Override
    public Optional<String> violation() {
        world.operators().restartIfDead();
        return world.oracle().violation().or(() -> scaled.violation(user.spec()));
    }

    @Override
    public void round() {
        world.refusals().end();
        hands.removeLeft();
        if (scaled.isOn()) {
            createAgain();
            scaled.round(user);
        }
        habits.round();
        world.platform().round(user);
        world.carryOutLateCalls();
        passAll();
        world.operators().restartIfDead();
        for (int turn = 0; turn < 3; turn++) {
            turn();
        }
        pass((int) ROUND.toSeconds());
        passAll();
        settling.round(world.operators().writes());
        questions.round(world.questions());
    }

    private void passAll() {
        if (!world.operators().passAll()) {
            world.oracle().violated("the operator does not come to rest");
        }
    }

    @Override
    public Optional<String> unsettled() {
        return world.resource().isEmpty()
                ? Optional.of(world.node()).filter(it -> !it.isEmpty()).map(it -> "left: " + it)
                : world.resource().flatMap(this::unsettled);
    }

    private Optional<String> unsettled(FlinkDeployment resource) {
        String text =
                Optional.ofNullable(resource.getStatus()).flatMap(Settling::reason)
                        + " of "
                        + user.spec().path("job")
                        + " is "
                        + resource.getStatus()
                        + " with "
                        + world.node();
        boolean recurs = habits.recurs() || scaled.isRecurring(user.spec());
        int writes = recurs ? 0 : world.operators().writes();
        return settling.unsettled(resource, writes, text, this::isAsWanted)
                .or(() -> scaled.unsettled(resource.getStatus(), user.spec()))
                .or(() -> questions.unsettled(resource, recurs || scaled.isOn(), world.questions()))
                .or(() -> habits.unsettled(resource).map(what -> what + ": " + text));
    }

    private boolean isAsWanted(JsonNode status) {
        ObjectNode spec = user.spec();
        Optional<Reason> reason = Settling.reason(status);
        if (reason.filter(it -> habits.isFinished(world.node().answering(false), it)).isPresent()) {
            return true;
        }
        if (reason.filter(it -> it.outlook() == Reason.Outlook.STALLED).isPresent()) {
            return mayStall(reason.orElseThrow()) || scaled.mayStall(reason.orElseThrow());
        }
        if (spec.at("/job/state").asText().equals("suspended")) {
            return world.node().isEmpty();
        }
        Optional<FlinkProcess> process = world.node().answering(false);
        if (reason.equals(Optional.of(Reason.JOB_FINISHED))) {
            return isEndedByOthers(process);
        }
        return process.filter(FlinkProcess::tasksUp)
                .filter(it -> it.content().contains(spec.at("/job/args/0").asText()))
                .filter(it -> it.launch().version().equals(ClusterDice.version(spec)))
                .filter(this::isSized)
                .filter(it -> scaled.isScaled(it, spec))
                .filter(_ -> scaled.isReady(reason, spec) || habits.isReady(reason))
                .isPresent();
    }

    private boolean isSized(FlinkProcess process) {
        FlinkLaunch launch = process.launch();
        int wanted = ClusterDice.size(user.spec());
        return launch.isReactive()
                ? world.node().taskManagersUp(DeploymentWorld.NAME) == widest(user.spec(), wanted)
                : launch.parallelism() == wanted
                        || (scaled.isOn() && !launch.overrides().isEmpty());
    }

    /**
     * How many TaskManagers a reactive job has: as many as the widest of the vertices that the spec
     * or the autoscaler names, unless the spec says how many there are.
     */
    private int widest(ObjectNode spec, int otherwise) {
        Map<String, Integer> vertices = scaled.overrides(spec).byVertex();
        return spec.at("/taskManager/replicas").isNumber() || vertices.isEmpty()
                ? otherwise
                : Collections.max(vertices.values());
    }

    /**
     * Whether the state is in metadata that another Flink wrote, and may not be touched by this
     * one: the job was suspended with its last state, be it because it could not be saved.
     */
    private boolean isHeldByOtherVersion() {
        ObjectNode spec = user.spec();
        return isNamedByOtherVersion()
                || (!spec.at("/job/upgradeMode").asText().equals("stateless")
                        && user.written().stream()
                                .filter(it -> it.at("/job/state").asText().equals("suspended"))
                                .filter(this::isAtRestWithoutSavepoint)
                                .anyMatch(it -> !it.path("image").equals(spec.path("image"))));
    }

    private boolean isAtRestWithoutSavepoint(ObjectNode suspended) {
        return switch (suspended.at("/job/upgradeMode").asText()) {
            case "last-state" -> true;
            case "savepoint" ->
                    world.oracle()
                            .best()
                            .filter(it -> it.path().startsWith(DeploymentWorld.SAVEPOINTS))
                            .isEmpty();
            default -> false;
        };
    }

    private boolean isNamedByOtherVersion() {
        return world.keepsMetadata() && world.ranOnOther(ClusterDice.version(user.spec()));
    }

    /** Whether it is so that somebody has to act. */
    private boolean mayStall(Reason reason) {
        Optional<FlinkProcess> process = world.node().answering(false);
        return switch (reason) {
            case JOB_FAILED -> hasEndedItself(process, "FAILED");
            case JOB_NOT_FOUND -> !world.tellsState() || hasEndedItself(process, "FAILED");
            case REDEPLOYMENT_REVERTED -> world.oracle().isRedeploymentReverted();
            case JOB_CANCELED -> hasEndedItself(process, "CANCELED") || isEndedByOthers(process);
            case UPGRADE_SAVEPOINT_FAILED ->
                    process.filter(FlinkProcess::tasksUp)
                            .filter(it -> it.requests().failedStops() > 0)
                            .isPresent();
            case STATUS_LOST -> world.hasLostStatus();
            case UPGRADE_FAILED -> !world.tellsState() || hasEndedItself(process, "FAILED");
            case STATE_LOST,
                    STATE_IN_DOUBT,
                    JOB_MANAGER_MISSING,
                    CHECKPOINT_NOT_FOUND,
                    RESTORE_FAILED ->
                    !world.tellsState();
            case JOB_MANAGER_SILENT -> process.isEmpty();
            case MANIFESTS_REFUSED -> world.keepsMetadata();
            case SPEC_INVALID -> isHeldByOtherVersion();
            case LAST_STATE_UNUSABLE -> world.ranOnOther(ClusterDice.version(user.spec()));
            default -> false;
        };
    }

    private static boolean isEndedByOthers(Optional<FlinkProcess> process) {
        return process.filter(it -> it.launch().history().isEndedByOthers()).isPresent();
    }

    /** The job that was tried last, whether its process still tells of it or is gone. */
    private boolean hasEndedItself(Optional<FlinkProcess> process, String how) {
        return process.map(it -> it.launch().history())
                .or(world::lastTried)
                .filter(it -> it.endedItself(how))
                .isPresent();
    }
}
