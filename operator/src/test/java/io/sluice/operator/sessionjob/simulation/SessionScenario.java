// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import io.sluice.operator.deployment.simulation.habits.Habit;
import io.sluice.operator.deployment.simulation.habits.UserHabits;
import io.sluice.operator.world.Disturbances;
import io.sluice.operator.world.JobUser;
import io.sluice.operator.world.Settling;
import io.sluice.testkit.sim.Dice;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.Scenario;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Users of FlinkSessionJobs, one each, on a session cluster that comes and goes. In the end each
 * wants something, nothing fails any more, and that has to come about, or a condition has to say
 * who must act.
 */
final class SessionScenario implements Scenario {
    private static final Duration ROUND = Duration.ofSeconds(15);

    private final Environment environment;
    private final Disturbances disturbances;
    private final SessionWorld world;
    private final boolean goesBack;
    private final List<SessionUser> users;
    private final Settling settling = new Settling();

    /**
     * @param shape of the world
     */
    SessionScenario(
            Environment environment,
            Set<SessionFlaws> flaws,
            Disturbances disturbances,
            SessionShape shape) {
        this.environment = environment;
        this.disturbances = disturbances;
        goesBack = shape.goesBack();
        boolean isHighlyAvailable = dice().chance(60) || shape.goesBack();
        var kind =
                new SessionMetadata.Kind(
                        isHighlyAvailable, isHighlyAvailable && dice().chance(50), shape.version());
        world = new SessionWorld(environment, disturbances, flaws, kind, shape);
        users = shape.names().stream().map(name -> user(name, shape.savesState())).toList();
        users.forEach(SessionUser::create);
        world.operators().besides(this::besidesTheOperator);
    }

    private SessionUser user(String name, boolean savesState) {
        Set<Habit> allowed =
                savesState
                        ? EnumSet.of(
                                Habit.SAVES_BY_SCHEDULE,
                                Habit.KEEPS_FEW_SAVEPOINTS,
                                Habit.LIMITS_CHECKPOINT_AGE)
                        : Habit.none();
        return new SessionUser(
                dice(), world, world.job(name), environment.diceOf("savings of " + name), allowed);
    }

    private Dice dice() {
        return environment.dice();
    }

    /** One of the users acts. */
    private SessionUser user() {
        return users.size() == 1 ? users.getFirst() : environment.besides().pick(users);
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
                new Move("an edit", 4, disturbing(() -> user().change())),
                new Move("suspend", 2, edits(it -> it.changeState("suspended"))),
                new Move("resume", 4, edits(it -> it.changeState("running"))),
                new Move("a savepoint by nonce", 2, edits(JobUser::askForSavepoint)),
                new Move("edit back", 2, edits(JobUser::editBack)),
                new Move("another upgrade mode", 1, edits(JobUser::changeMode)),
                new Move("restart by nonce", 1, edits(JobUser::askForRestart)),
                new Move("redeploy by nonce", 2, edits(JobUser::redeploy)),
                new Move("delete", 1, disturbing(() -> user().delete())),
                new Move("create again", 10, this::createAgain),
                new Move("the JobManager restarts", 2, disturbing(world.cluster()::restart)),
                new Move("the cluster goes away", 1, disturbing(world.cluster()::goAway)),
                new Move("a TaskManager is lost", 1, disturbing(world.cluster()::loseTaskManager)),
                new Move("the operator is killed", 2, disturbing(world.operator()::close)));
    }

    @Override
    public void besides() {
        world.deployed().ifPresent(this::besides);
        users.stream()
                .map(SessionUser::habits)
                .filter(UserHabits::acts)
                .forEach(habits -> disturbing(habits::act).run());
    }

    private void besides(DeployedCluster cluster) {
        ClusterUser clusterUser = cluster.user();
        Dice besides = clusterUser.dice();
        if (besides.chance(2)) {
            disturbing(clusterUser::change).run();
        }
        if (goesBack && besides.chance(3)) {
            disturbing(clusterUser::changeVersion).run();
        }
        if (besides.below(300) == 0) {
            disturbing(clusterUser::delete).run();
        }
        if (besides.below(300) == 0) {
            disturbing(cluster::evict).run();
        }
        if (besides.below(150) == 0) {
            disturbing(besides.pick(users)::changeCluster).run();
        }
        if (besides.chance(10)) {
            clusterUser.createAgain();
        }
        if (besides.chance(15)) {
            clusterUser.letGo();
        }
    }

    /** Those who know that the cluster is about to go wait for that. */
    private void createAgain() {
        boolean isGoing = world.deployed().filter(it -> it.user().isBeingDeleted()).isPresent();
        users.stream()
                .filter(_ -> !isGoing || world.deployed().orElseThrow().user().dice().chance(5))
                .forEach(SessionUser::createAgain);
    }

    private Runnable edits(Consumer<JobUser> edit) {
        return disturbing(() -> edit.accept(user().edits()));
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
        SessionUser user = user();
        switch (dice().below(20)) {
            case 0, 1, 2 -> user.change();
            case 3, 4, 5 -> user.edits().changeState(dice().chance(50) ? "suspended" : "running");
            case 6, 7 -> user.edits().editBack();
            case 8 -> user.edits().changeMode();
            case 9 -> user.edits().askForRestart();
            case 10 -> user.edits().redeploy();
            case 11 -> carryOutLateCalls();
            case 12 -> world.cluster().restart();
            default -> turn();
        }
    }

    @Override
    public Optional<String> violation() {
        world.operators().restartIfDead();
        return world.violation();
    }

    @Override
    public void round() {
        carryOutLateCalls();
        world.deployed().map(DeployedCluster::user).ifPresent(this::letGo);
        passAll();
        world.operators().restartIfDead();
        for (int turn = 0; turn < 3; turn++) {
            turn();
        }
        pass((int) ROUND.toSeconds());
        passAll();
        settling.round(world.operators().writes());
    }

    private void letGo(ClusterUser user) {
        users.forEach(SessionUser::changeClusterBack);
        user.letGo();
        user.createAgain();
    }

    private void passAll() {
        if (!world.operators().passAll()) {
            world.violated("the operator does not come to rest");
        }
    }

    @Override
    public Optional<String> unsettled() {
        boolean isHeld = users.stream().anyMatch(SessionUser::isLeftToHuman);
        boolean recurs = users.stream().anyMatch(SessionUser::recurs);
        return world.deployed()
                .flatMap(it -> it.user().unsettled(settling, isHeld, recurs))
                .or(
                        () ->
                                users.stream()
                                        .flatMap(user -> user.unsettled(settling, recurs).stream())
                                        .findFirst());
    }
}
