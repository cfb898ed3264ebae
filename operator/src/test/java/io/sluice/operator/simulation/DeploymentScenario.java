// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.StateKind;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.simulation.flaw.Flaws;
import io.sluice.testkit.sim.Cluster;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.Scenario;
import io.sluice.testkit.sim.World;
import io.sluice.testkit.sim.World.Resource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One user, one operator and the rest of the world around one FlinkDeployment. A resource keeps its
 * upgrade mode for life, so that what may be restarted is plain.
 */
final class DeploymentScenario implements Scenario {
    private static final int QUIET_ROUNDS = 5;

    /** By then a job runs again that can. */
    private static final int RUNS = 20;

    /** By then a JobManager that is silent during a stop has not been waited for any longer. */
    private static final int ANSWERS = 100;

    /** So long a user who goes back to a bad spec waits for what undoes it. */
    private static final int MOST_BAD_ROUNDS = 50;

    private static final List<String> VERSIONS = List.of("v1_19", "v1_20", "v2_0", "v2_3");
    static final String PERIODIC = "kubernetes.operator.periodic.savepoint.interval";

    /** Each is in some specs; in the order of the keys, so that a seed stays the same. */
    private static final SortedMap<String, String> OPTIONS =
            new TreeMap<>(
                    Map.of(
                            PERIODIC,
                            "90 s",
                            "kubernetes.operator.job.savepoint-on-deletion",
                            "true",
                            SimulatedSavings.MAX_AGE,
                            SimulatedSavings.LIMIT.toSeconds() + " s"));

    /** A part of the world that only some simulations have. */
    enum Variation {
        /** The autoscaler asks for another parallelism from time to time. */
        AUTOSCALED,
        /** JobManagers may hang, for longer than anybody waits. */
        HANGS,
        /** Flink may keep its metadata in ZooKeeper, too. */
        ZOOKEEPER,
        /** An image is pulled before a job is stopped for it. */
        PULLS
    }

    private final World world;
    private final Environment environment;
    private final SimulatedAutoscaler autoscaler = new SimulatedAutoscaler();
    private final Set<Variation> variations;
    private final SimulatedPulls pulls;
    private final SimulatedOperator operator;
    private final List<Move> moves;
    private final SimulatedHabits habits;
    private final DeploymentOutcome outcome;
    private ObjectNode good;
    private int images;
    private int redeployments;
    private int nonces;
    private int longestQuiet;
    private int writesBefore;
    private int quiet;
    private int rounds;

    DeploymentScenario(Environment environment, Set<Flaws> flaws) {
        this(environment, flaws, Habit.none());
    }

    DeploymentScenario(Environment environment, Set<Flaws> flaws, Set<Habit> habits) {
        this(
                environment,
                flaws,
                SimulatedLeadership.alone(environment),
                EnumSet.noneOf(Variation.class),
                habits);
    }

    /** A world with one variation. */
    DeploymentScenario(Environment environment, Set<Flaws> flaws, Variation variation) {
        this(environment, flaws, variation, Habit.none());
    }

    /** A world with one variation, whose users have {@code habits}. */
    DeploymentScenario(
            Environment environment, Set<Flaws> flaws, Variation variation, Set<Habit> habits) {
        this(
                environment,
                flaws,
                SimulatedLeadership.alone(environment),
                EnumSet.of(variation),
                habits);
    }

    /**
     * @param leadership of the operator's processes
     */
    DeploymentScenario(Environment environment, Set<Flaws> flaws, SimulatedLeadership leadership) {
        this(environment, flaws, leadership, EnumSet.noneOf(Variation.class), Habit.none());
    }

    private DeploymentScenario(
            Environment environment,
            Set<Flaws> flaws,
            SimulatedLeadership leadership,
            Set<Variation> variations,
            Set<Habit> habits) {
        this.environment = environment;
        this.variations = variations;
        world = new World(environment);
        var defaults = new SimulatedDefaults(has(Variation.PULLS));
        pulls = new SimulatedPulls(environment, has(Variation.PULLS));
        operator = new SimulatedOperator(world, autoscaler, defaults, flaws, leadership, pulls);
        this.habits =
                new SimulatedHabits(
                        world,
                        habits,
                        defaults,
                        operator,
                        () -> good,
                        spec -> edit(perhapsInZooKeeper(spec)));
        outcome = new DeploymentOutcome(world, autoscaler, operator, this.habits);
        good = newSpec();
        this.habits.wrote(good);
        world.create(good);
        List<Move> usual =
                has(Variation.AUTOSCALED) ? everythingAutoscaled() : everythingOfAnyVersion();
        List<Move> pulling = has(Variation.PULLS) ? andPulling(usual) : usual;
        moves = leadership.with(has(Variation.HANGS) ? andHanging(pulling) : pulling);
    }

    /** A job that is scaled by overrides keeps its version: Flink 2 has no use for them. */
    private List<Move> everythingOfAnyVersion() {
        return Stream.concat(
                        everything().stream(),
                        Stream.of(new Move("change the Flink version", 1, this::changeVersion)))
                .toList();
    }

    private List<Move> andHanging(List<Move> usual) {
        return Stream.concat(
                        usual.stream(),
                        Stream.of(
                                new Move(
                                        "JobManager will hang",
                                        4,
                                        world.cluster()::hangWhenStopped),
                                new Move("JobManager answers again", 1, world.cluster()::wake)))
                .toList();
    }

    @Override
    public void besides() {
        habits.besides();
    }

    private void changeVersion() {
        if (habits.has(Habit.CHANGES_TO_STATELESS)
                && !habits.has(Habit.CHANGES_VERSION_WITH_MODE)) {
            return;
        }
        List<String> others =
                VERSIONS.stream().filter(it -> !it.equals(Specs.version(good))).toList();
        edit(Specs.withVersion(good, environment.dice().pick(others)));
    }

    private List<Move> andPulling(List<Move> usual) {
        return Stream.concat(
                        usual.stream(),
                        Stream.of(
                                new Move("change to a bad image again", 4, this::spoil),
                                new Move("somebody deletes pull pods", 1, pulls::loseAll)))
                .toList();
    }

    private List<Move> everythingAutoscaled() {
        return Stream.concat(
                        everything().stream(),
                        Stream.of(
                                new Move("ask for another parallelism", 3, autoscaler::ask),
                                new Move("ask for no parallelism", 1, autoscaler::forget)))
                .toList();
    }

    @Override
    public List<Move> moves() {
        return moves;
    }

    private List<Move> everything() {
        return List.of(
                new Move("pass", 40, operator::pass),
                new Move("tick", 40, world::tick),
                new Move(
                        "change the image",
                        2,
                        () -> edit(Specs.withImage(good, "image-" + ++images))),
                new Move("change to a bad image", 2, this::spoil),
                new Move("job falls ill", 1, world.cluster()::fallIll),
                new Move("suspend", 1, () -> edit(Specs.withState(good, "suspended"))),
                new Move("resume", 2, () -> edit(Specs.withState(good, "running"))),
                new Move("break the spec", 1, () -> world.edit(Specs.broken(good))),
                new Move("mend the spec", 2, () -> world.edit(good)),
                new Move("delete", 1, this::delete),
                new Move("create", 3, this::create),
                new Move("JobManager restarts", 2, world.cluster()::restartJobManager),
                new Move("job fails", 1, () -> world.cluster().endJob("FAILED")),
                new Move(
                        "job finishes",
                        1,
                        () -> sometimes(() -> world.cluster().endJob("FINISHED"))),
                new Move("ask for a savepoint", 3, () -> ask(StateKind.SAVEPOINT)),
                new Move("ask for a checkpoint", 1, () -> ask(StateKind.CHECKPOINT)),
                new Move("redeploy from a savepoint", 1, () -> sometimes(this::redeploy)),
                new Move("somebody deletes metadata", 1, () -> sometimes(this::loseMetadata)),
                new Move("somebody deletes the Deployment", 1, this::deleteBehindTheBack),
                new Move(
                        "somebody scales the Deployment up",
                        1,
                        world.cluster()::scaleUpBehindTheBack));
    }

    private void deleteBehindTheBack() {
        world.cluster().deleteBehindTheBack();
        renounceIfTamperedWith();
    }

    /**
     * Of a status that was tampered with, the Deployment or the metadata may have been the last
     * trace.
     */
    private void renounceIfTamperedWith() {
        if (operator.hasNotWrittenSince() || habits.isWiped()) {
            habits.renounceUnlessTraced();
        }
    }

    /** Only where something undoes it. */
    private void spoil() {
        if (Specs.asks(good, Specs.ROLLBACK)) {
            edit(Specs.withImage(good, Cluster.BAD + "image-" + ++images));
        }
    }

    private void edit(ObjectNode spec) {
        good = spec;
        habits.wrote(spec);
        world.edit(spec);
    }

    private void delete() {
        if (environment.dice().chance(40)) {
            world.delete();
        }
    }

    private void create() {
        if (world.resource().latest().isEmpty()) {
            good = newSpec();
            habits.wrote(good);
            world.create(good);
        }
    }

    private void sometimes(Runnable move) {
        if (environment.dice().chance(30)) {
            move.run();
        }
    }

    private void redeploy() {
        List<String> paths =
                world.cluster().storage().savepoints().stream()
                        .filter(path -> !operator.isDeleting(path))
                        .toList();
        if (!paths.isEmpty()) {
            edit(Specs.redeployed(good, environment.dice().pick(paths), ++redeployments));
        }
    }

    /** Under a running Flink it would come back with the next checkpoint. */
    private void loseMetadata() {
        if (world.cluster().objects().latest().isEmpty()) {
            world.cluster().storage().clearMetadata(Optional.empty());
            renounceIfTamperedWith();
        }
    }

    private void ask(StateKind kind) {
        edit(Specs.withNonce(good, kind, ++nonces));
    }

    private ObjectNode newSpec() {
        ObjectNode spec =
                Specs.application(
                        "image-" + ++images,
                        environment.dice().pick(List.of("stateless", "savepoint", "last-state")));
        ObjectNode available = environment.dice().chance(50) ? Specs.highlyAvailable(spec) : spec;
        ObjectNode rolledBack =
                environment.dice().chance(40) ? Specs.rollingBack(available) : available;
        ObjectNode restarted =
                environment.dice().chance(30)
                        ? Specs.asking(rolledBack, Specs.RESTART_FAILED)
                        : rolledBack;
        spec =
                Specs.saving(
                        environment.dice().chance(30)
                                ? Specs.asking(restarted, Specs.HEALTH)
                                : restarted);
        for (var option : OPTIONS.entrySet()) {
            spec =
                    environment.dice().chance(30)
                            ? Specs.configured(spec, option.getKey(), option.getValue())
                            : spec;
        }
        if (has(Variation.HANGS)) {
            spec = Specs.configured(spec, "execution.checkpointing.timeout", "1 min");
        }
        if (has(Variation.AUTOSCALED)) {
            spec = Specs.configured(spec, SimulatedAutoscaler.ENABLED, "true");
        }
        return habits.begun(perhapsInZooKeeper(spec));
    }

    private ObjectNode perhapsInZooKeeper(ObjectNode spec) {
        boolean moves =
                has(Variation.ZOOKEEPER)
                        && Specs.isHighlyAvailable(spec)
                        && environment.dice().chance(70);
        return moves ? Specs.inZooKeeper(spec) : spec;
    }

    private boolean has(Variation variation) {
        return variations.contains(variation);
    }

    @Override
    public Optional<String> violation() {
        return world.cluster()
                .doubleRun()
                .or(() -> world.cluster().storage().violation())
                .or(operator::wrong);
    }

    @Override
    public void round() {
        rounds++;
        if (has(Variation.HANGS) && rounds == RUNS) {
            world.cluster().hangWhenStopped();
            edit(Specs.withImage(good, "image-" + ++images));
        } else if (rounds == ANSWERS) {
            world.cluster().wake();
        }
        mend();
        writesBefore = operator.statusWrites();
        operator.pass();
        world.tick();
        quiet = operator.statusWrites() == writesBefore ? quiet + 1 : 0;
        longestQuiet = Math.max(longestQuiet, quiet);
    }

    /**
     * A bad spec stays until its user mends it, if nothing else was stable before (one that was
     * suspended counts as stable), if that was for another Flink, or if the next one is broken.
     */
    private void mend() {
        Optional<Resource> now = world.resource().latest();
        boolean nothingToGoBackTo =
                now.filter(resource -> Specs.isBad(resource.spec()))
                        .filter(
                                resource ->
                                        isOfNoUse(
                                                DeploymentOutcome.recorded(
                                                        resource, "lastStableSpec"),
                                                resource))
                        .isPresent();
        boolean brokenAfterABadOne =
                now.filter(Specs::isBroken)
                        .map(resource -> DeploymentOutcome.recorded(resource, "lastReconciledSpec"))
                        .filter(taken -> Specs.isBad(good) || taken.contains(Cluster.BAD))
                        .isPresent();
        boolean staysBad = !habits.isEmpty() && Specs.isBad(good) && ++rounds > MOST_BAD_ROUNDS;
        if (nothingToGoBackTo || brokenAfterABadOne || staysBad) {
            edit(Specs.withImage(good, "image-" + ++images));
        }
    }

    private static boolean isOfNoUse(String stable, Resource resource) {
        return !stable.contains('"' + Specs.version(resource.spec()) + '"')
                || stable.contains(Cluster.BAD);
    }

    @Override
    public Optional<String> unsettled() {
        boolean recurs = good.path("flinkConfiguration").has(PERIODIC);
        return (recurs ? longestQuiet : quiet) < QUIET_ROUNDS
                ? Optional.of("the status is still being written: " + world.describe())
                : world.resource().latest().flatMap(outcome::unsettled).or(this::leftover);
    }

    private Optional<String> leftover() {
        boolean left =
                world.resource().latest().isEmpty()
                        && !world.cluster().objects().latest().isEmpty();
        boolean pullsOn = !pulls.isEmpty() && DeploymentOutcome.isReady(world.resource().latest());
        return left || pullsOn ? Optional.of("left behind: " + world.describe()) : Optional.empty();
    }
}
