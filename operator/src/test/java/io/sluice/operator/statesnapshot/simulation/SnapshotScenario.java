// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.status.Condition;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The snapshots of a job, its users, and an operator that may end between any two effects. In the
 * end the job runs, is suspended, or is gone for good, and the world is calm.
 */
final class SnapshotScenario implements Scenario {
    /** What becomes of the job in the end. */
    private enum End {
        RUNS,
        SUSPENDED,
        GONE
    }

    private static final Duration ROUND = Duration.ofSeconds(20);
    private static final int MOST_SNAPSHOTS = 8;

    /** After so many rounds nothing is written any more. */
    private static final int STEADY_ROUND = 145;

    private final Environment environment;
    private final SnapshotWorld world;
    private final SimulatedSnapshotOperator operator;
    private final End end;
    private final boolean terminates;
    private int rounds;
    private int cost;

    SnapshotScenario(Environment environment, Set<SnapshotFlaws> flaws) {
        this.environment = environment;
        world = new SnapshotWorld(environment);
        operator = new SimulatedSnapshotOperator(world, flaws);
        end = environment.dice().pick(List.of(End.RUNS, End.RUNS, End.SUSPENDED, End.GONE));
        terminates = environment.dice().chance(10);
    }

    @Override
    public List<Move> moves() {
        return List.of(
                new Move("the operator takes a turn", 60, operator::pass),
                new Move("Flink and the job take a turn", 30, this::job),
                new Move("time passes", 14, this::passTime),
                new Move("much time passes", 2, () -> pass(Duration.ofMinutes(6))),
                new Move("late calls arrive", 2, world.api()::carryOutLateCalls),
                new Move("a savepoint", 4, this::savepoint),
                new Move("a checkpoint", 2, this::checkpoint),
                new Move("a registration", 1, this::registration),
                new Move("a savepoint of the operator's", 3, this::periodic),
                new Move("a snapshot that makes no sense", 1, this::senseless),
                new Move("files stay or go", 5, this::editDisposal),
                new Move("another limit", 3, this::editLimit),
                new Move("a snapshot is deleted", 4, () -> any(world::delete)),
                new Move("what the job was restored from is deleted", 4, this::deleteRestored),
                new Move("the job restarts", 2, world.job()::restart),
                new Move("its JobManager is replaced", 2, world.job()::replaceProcess),
                new Move("the job is upgraded", 2, world.job()::upgrade),
                new Move("the job is suspended", 1, world.job()::suspend),
                new Move("the job is to run", 3, world.job()::run),
                new Move("the job ends", 1, world.job()::end),
                new Move("the job goes on from a savepoint", 3, this::redeploy),
                new Move("the savepoint is not named any more", 6, world.job()::forgetInitialPath),
                new Move("the job is deleted", 1, this::deleteJob),
                new Move("another job from a savepoint", 1, this::copy),
                new Move("no other job", 1, world::removeCopy),
                new Move("the namespace is deleted", 1, this::terminate));
    }

    private void job() {
        pass(Duration.ofSeconds(2));
        world.job().step();
        world.empty();
    }

    private void passTime() {
        pass(Duration.ofSeconds(environment.dice().below(40)));
    }

    private void pass(Duration time) {
        environment.clock().advance(time);
    }

    private Optional<String> create(ObjectNode spec, Map<String, String> labels) {
        return world.snapshots().size() < MOST_SNAPSHOTS
                ? world.create(spec, labels)
                : Optional.empty();
    }

    private void savepoint() {
        ObjectNode spec = world.ofJob();
        ObjectNode savepoint = spec.putObject("savepoint");
        if (environment.dice().chance(25)) {
            savepoint.put("disposeOnDelete", false);
        }
        if (environment.dice().chance(25)) {
            savepoint.put("path", "s3://mine");
        }
        limit(spec);
        if (environment.dice().chance(5)) {
            spec.withObject("/jobReference").put("name", "nobody");
        }
        create(spec, Map.of()).ifPresent(this::poison);
    }

    private void limit(ObjectNode spec) {
        spec.put("backoffLimit", environment.dice().pick(List.of(-1, -1, 0, 1, 3)));
    }

    private void poison(String uid) {
        if (environment.dice().chance(12)) {
            world.poison(uid);
        }
    }

    private void checkpoint() {
        ObjectNode spec = world.ofJob();
        spec.putObject("checkpoint");
        limit(spec);
        create(
                        spec,
                        environment.dice().chance(40)
                                ? world.labels("PERIODIC", "CHECKPOINT")
                                : Map.of())
                .ifPresent(this::poison);
    }

    private void registration() {
        String path = world.files().write("s3://former", "a former job");
        boolean isOfJob = environment.dice().chance(50);
        ObjectNode spec = world.ofJob();
        if (!isOfJob) {
            spec.remove("jobReference");
        }
        spec.putObject("savepoint")
                .put("path", path)
                .put("alreadyExists", true)
                .put("disposeOnDelete", environment.dice().chance(70));
        create(spec, Map.of()).ifPresent(uid -> world.register(uid, path));
    }

    private void periodic() {
        ObjectNode spec = world.ofJob();
        spec.put("backoffLimit", 4)
                .putObject("savepoint")
                .put("disposeOnDelete", environment.dice().chance(50));
        create(spec, world.labels("PERIODIC", "SAVEPOINT"));
    }

    private void senseless() {
        ObjectNode spec = world.ofJob();
        spec.putObject("savepoint");
        spec.putObject("checkpoint");
        create(spec, Map.of());
    }

    private void any(Consumer<FlinkStateSnapshot> move) {
        List<FlinkStateSnapshot> all = world.snapshots();
        if (!all.isEmpty()) {
            move.accept(environment.dice().pick(all));
        }
    }

    private void deleteRestored() {
        world.job()
                .restored()
                .ifPresent(
                        path ->
                                world.snapshots().stream()
                                        .filter(each -> isAt(each, path))
                                        .forEach(world::delete));
    }

    private static boolean isAt(FlinkStateSnapshot snapshot, String path) {
        return Optional.ofNullable(snapshot.getStatus())
                .filter(status -> status.path("path").asText("").equals(path))
                .isPresent();
    }

    private void editDisposal() {
        any(
                each ->
                        world.edit(
                                each,
                                spec -> {
                                    if (spec.get("savepoint") instanceof ObjectNode savepoint) {
                                        savepoint.put(
                                                "disposeOnDelete", environment.dice().chance(50));
                                    }
                                }));
    }

    private void editLimit() {
        any(each -> world.edit(each, this::limit));
    }

    /** From a savepoint of a snapshot, more often than not. */
    private void redeploy() {
        List<String> paths = world.files().savepoints();
        List<String> own =
                world.snapshots().stream()
                        .flatMap(each -> Optional.ofNullable(each.getStatus()).stream())
                        .map(status -> status.path("path").asText(""))
                        .filter(paths::contains)
                        .toList();
        List<String> choice = own.isEmpty() ? paths : own;
        if (!choice.isEmpty()) {
            world.job().redeploy(environment.dice().pick(choice));
        }
    }

    private void copy() {
        List<String> paths = world.files().savepoints();
        if (!paths.isEmpty()) {
            world.copy(environment.dice().pick(paths));
        }
    }

    private void deleteJob() {
        world.job().delete();
    }

    private void terminate() {
        if (terminates && environment.dice().chance(50)) {
            world.terminate();
        }
    }

    @Override
    public Optional<String> violation() {
        return world.promises().violation();
    }

    @Override
    public void round() {
        world.api().carryOutLateCalls();
        settleJob();
        operator.passAll();
        pass(ROUND);
        job();
        operator.passAll();
        if (++rounds == STEADY_ROUND) {
            cost = operator.writes();
        }
    }

    /** Whatever becomes of the job, it stays so. */
    private void settleJob() {
        if (world.isTerminating()) {
            return;
        }
        switch (end) {
            case RUNS -> world.job().run();
            case SUSPENDED -> world.job().suspend();
            case GONE -> world.job().delete();
        }
    }

    @Override
    public Optional<String> unsettled() {
        if (operator.writes() > cost) {
            return Optional.of("a snapshot at rest is written");
        }
        return world.snapshots().stream().flatMap(each -> unsettled(each).stream()).findFirst();
    }

    private static Optional<String> unsettled(FlinkStateSnapshot snapshot) {
        String text =
                snapshot.getMetadata().getName()
                        + " "
                        + snapshot.getSpec()
                        + " is "
                        + snapshot.getStatus();
        if (snapshot.getMetadata().getDeletionTimestamp() != null) {
            return Optional.of("not deleted: " + text);
        }
        if (snapshot.getStatus() == null) {
            return Optional.of("not looked at: " + text);
        }
        var status = FlinkStateSnapshotStatus.of(snapshot.getStatus());
        Optional<Condition> ready = status.condition("Ready");
        boolean isHeld =
                ready.map(Condition::reason)
                        .filter(Set.of("SpecInvalid", "SnapshotUnsupported")::contains)
                        .isPresent();
        if (!status.state().isAtRest() && !isHeld) {
            return Optional.of("not at rest: " + text);
        }
        String label =
                Optional.ofNullable(snapshot.getMetadata().getLabels())
                        .map(labels -> labels.get(FlinkStateSnapshot.STATE_LABEL))
                        .orElse("");
        return label.equals(status.state().wire())
                ? Optional.empty()
                : Optional.of("labelled " + label + ": " + text);
    }
}
