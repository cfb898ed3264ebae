// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.model.Reason;
import io.sluice.testkit.sim.Dice;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One user of one FlinkDeployment. In the end the user wants something, nothing fails any more, and
 * that has to come about, or a condition has to say who must act.
 */
final class DeploymentScenario implements Scenario {
    private static final Duration ROUND = Duration.ofSeconds(15);
    private static final List<String> MODES = List.of("savepoint", "last-state", "stateless");

    /** After so many rounds nothing is written any more. */
    private static final int STEADY_ROUND = 140;

    private final Environment environment;
    private final Disturbances disturbances;
    private final DeploymentWorld world;
    private final ClusterDice cluster;
    private final Hands hands;

    /** All that the user of this resource has asked for so far. */
    private final List<ObjectNode> written = new ArrayList<>();

    private ObjectNode spec;
    private ObjectNode before;
    private int versions;
    private int nonces;
    private int rounds;
    private int cost;

    DeploymentScenario(
            Environment environment, Set<DeploymentFlaws> flaws, Disturbances disturbances) {
        this.environment = environment;
        this.disturbances = disturbances;
        world = new DeploymentWorld(environment, disturbances, flaws);
        cluster = new ClusterDice(environment.besides());
        hands = new Hands(world, environment.diceOf("hands"));
        spec = spec();
        before = spec;
        written.add(spec);
        world.create(spec);
        world.besides(this::besidesTheOperator);
    }

    private Dice dice() {
        return environment.dice();
    }

    private ObjectNode spec() {
        String mode = dice().pick(MODES);
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
        options.put("execution.checkpointing.savepoint-dir", "s3://s")
                .put("execution.checkpointing.dir", "s3://c");
        boolean isHighlyAvailable = dice().chance(mode.equals("last-state") ? 70 : 60);
        if (isHighlyAvailable) {
            options.put("high-availability.type", "kubernetes")
                    .put("high-availability.storageDir", "s3://h");
        }
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
        cluster.choose(made);
        hands.choose(made);
        return made;
    }

    @Override
    public List<Move> moves() {
        return List.of(
                new Move("the operator takes a turn", 60, world.operator()::pass),
                new Move("the node and Flink take a turn", 60, this::turn),
                new Move("time passes", 10, () -> pass(dice().below(40))),
                new Move("much time passes", 1, () -> pass(400)),
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
                new Move("a container restarts", 2, disturbing(world.node()::restartProcess)),
                new Move("a pod is evicted", 1, disturbing(world.node()::evict)),
                new Move("the operator is killed", 2, disturbing(this::kill)));
    }

    @Override
    public void besides() {
        if (cluster.changesVersion()) {
            disturbing(() -> edit(cluster::changeVersion)).run();
        }
        if (cluster.changesSize()) {
            disturbing(() -> edit(cluster::resize)).run();
        }
        if (cluster.endsTaskManager(spec)) {
            disturbing(() -> world.node().endTaskManager(cluster.dice())).run();
        }
        if (cluster.losesNode()) {
            disturbing(() -> world.node().loseNode(cluster.dice())).run();
        }
        hands.move().ifPresent(move -> disturbing(move).run());
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

    private void carryOutLateCalls() {
        world.quietly(
                () -> {
                    world.api().carryOutLateCalls();
                    return true;
                });
    }

    private void kill() {
        world.operator().close();
    }

    /** Between two calls of the operator. */
    private void besidesTheOperator() {
        switch (dice().below(18)) {
            case 0, 1, 2 -> change();
            case 3, 4, 5 -> edit(withState(dice().chance(50) ? "suspended" : "running"));
            case 6, 7 -> edit(before);
            case 8 -> changeMode();
            case 9 -> askForRestart();
            case 10 -> redeploy();
            case 11 -> carryOutLateCalls();
            default -> turn();
        }
    }

    private void edit(Consumer<ObjectNode> change) {
        ObjectNode next = spec.deepCopy();
        change.accept(next);
        edit(next);
    }

    private void edit(ObjectNode next) {
        if (!next.equals(spec)) {
            before = spec;
            spec = next;
            written.add(next);
            world.edit(next);
        }
    }

    private void change() {
        ObjectNode next = spec.deepCopy();
        next.withObject("/job").putArray("args").add("v" + ++versions);
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
            world.delete(dice().pick(List.of(DeletionPropagation.values())));
        }
    }

    private void createAgain() {
        hands.removeLeft();
        if (world.resource().isEmpty()) {
            Optional<Hands.Backup> backup = hands.takeRestored();
            spec = backup.map(Hands.Backup::spec).orElseGet(this::spec);
            before = spec;
            written.clear();
            written.add(spec);
            backup.ifPresentOrElse(world::restore, () -> world.create(spec));
        }
    }

    @Override
    public Optional<String> violation() {
        world.restartIfDead();
        return world.oracle().violation();
    }

    @Override
    public void round() {
        world.refusals().end();
        hands.removeLeft();
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
                ? Optional.of(world.node()).filter(it -> !it.isEmpty()).map(it -> "left: " + it)
                : world.resource().flatMap(this::unsettled);
    }

    private Optional<String> unsettled(FlinkDeployment resource) {
        String text = spec.path("job") + " is " + resource.getStatus() + " with " + world.node();
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
                .filter(_ -> reason.equals(Optional.of(Reason.JOB_RUNNING)))
                .isPresent();
    }

    private boolean isSized(FlinkProcess process) {
        int size =
                process.launch().isReactive()
                        ? world.node().taskManagersUp(DeploymentWorld.NAME)
                        : process.launch().parallelism();
        return size == ClusterDice.size(spec);
    }

    /**
     * Whether the state is in metadata that another Flink wrote, and may not be touched by this
     * one: the job was suspended with its last state.
     */
    private boolean isHeldByOtherVersion() {
        return isNamedByOtherVersion()
                || (!spec.at("/job/upgradeMode").asText().equals("stateless") && written.stream()
                        .filter(it -> it.at("/job/state").asText().equals("suspended"))
                        .filter(it -> it.at("/job/upgradeMode").asText().equals("last-state"))
                        .anyMatch(it -> !it.path("image").equals(spec.path("image"))));
    }

    private boolean isNamedByOtherVersion() {
        return world.keepsMetadata() && world.ranOnOther(ClusterDice.version(spec));
    }

    /** Whether it is so that somebody has to act. */
    private boolean mayStall(Reason reason) {
        Optional<FlinkProcess> process = world.node().answering(false);
        return switch (reason) {
            case JOB_FAILED -> hasEndedItself(process, "FAILED");
            case JOB_NOT_FOUND -> !world.tellsState() || hasEndedItself(process, "FAILED");
            case REDEPLOYMENT_REVERTED -> world.oracle().isRedeploymentReverted();
            case JOB_CANCELED ->
                    hasEndedItself(process, "CANCELED") || isEndedByOthers(process);
            case UPGRADE_SAVEPOINT_FAILED ->
                    process.filter(FlinkProcess::tasksUp)
                            .filter(it -> it.requests().failedStops() > 0)
                            .isPresent();
            case STATUS_LOST -> world.hasLostStatus();
            case STATE_LOST,
                    STATE_IN_DOUBT,
                    UPGRADE_FAILED,
                    JOB_MANAGER_MISSING,
                    CHECKPOINT_NOT_FOUND,
                    RESTORE_FAILED ->
                    !world.tellsState();
            case MANIFESTS_REFUSED -> world.keepsMetadata();
            case SPEC_INVALID -> isHeldByOtherVersion();
            case LAST_STATE_UNUSABLE -> world.ranOnOther(ClusterDice.version(spec));
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

    private static Optional<Reason> reason(JsonNode status) {
        String word = status.at("/conditions/1/reason").asText();
        return Arrays.stream(Reason.values()).filter(it -> it.wire().equals(word)).findFirst();
    }
}
