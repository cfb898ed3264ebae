// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkConfiguration;
import io.sluice.api.ParallelismOverrides;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.StateKind;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.upgrade.StopRequests;
import io.sluice.operator.model.Reason;
import io.sluice.operator.simulation.flaw.Flaws;
import io.sluice.testkit.sim.Cluster;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.FlinkProcess;
import io.sluice.testkit.sim.Scenario;
import io.sluice.testkit.sim.World;
import io.sluice.testkit.sim.World.Resource;
import java.time.Instant;
import java.util.Arrays;
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

    private final World world;
    private final Environment environment;
    private final SimulatedAutoscaler autoscaler = new SimulatedAutoscaler();
    private final boolean autoscaled;
    private final boolean hangs;
    private final SimulatedOperator operator;
    private final List<Move> moves;
    private final SimulatedHabits habits;
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
        this(environment, flaws, SimulatedLeadership.alone(environment), false, false, habits);
    }

    /**
     * @param leadership of the operator's processes
     * @param autoscaled the autoscaler asks for another parallelism from time to time
     */
    DeploymentScenario(
            Environment environment,
            Set<Flaws> flaws,
            SimulatedLeadership leadership,
            boolean autoscaled) {
        this(environment, flaws, leadership, autoscaled, false, Habit.none());
    }

    /** With JobManagers that may hang, for longer than anybody waits. */
    static DeploymentScenario hanging(Environment environment, Set<Flaws> flaws) {
        return new DeploymentScenario(
                environment,
                flaws,
                SimulatedLeadership.alone(environment),
                false,
                true,
                Habit.none());
    }

    private DeploymentScenario(
            Environment environment,
            Set<Flaws> flaws,
            SimulatedLeadership leadership,
            boolean autoscaled,
            boolean hangs,
            Set<Habit> habits) {
        this.environment = environment;
        this.autoscaled = autoscaled;
        this.hangs = hangs;
        world = new World(environment);
        var defaults = new SimulatedDefaults();
        operator = new SimulatedOperator(world, autoscaler, defaults, flaws, leadership);
        this.habits =
                new SimulatedHabits(world, habits, defaults, operator, () -> good, this::edit);
        good = newSpec();
        this.habits.wrote(good);
        world.create(good);
        List<Move> usual = autoscaled ? everythingAutoscaled() : everythingOfAnyVersion();
        moves = leadership.with(hangs ? andHanging(usual) : usual);
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
        spec = hangs ? Specs.configured(spec, "execution.checkpointing.timeout", "1 min") : spec;
        return habits.begun(
                autoscaled ? Specs.configured(spec, SimulatedAutoscaler.ENABLED, "true") : spec);
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
        if (hangs && rounds == RUNS) {
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
                                        isOfNoUse(recorded(resource, "lastStableSpec"), resource))
                        .isPresent();
        boolean brokenAfterABadOne =
                now.filter(Specs::isBroken)
                        .map(resource -> recorded(resource, "lastReconciledSpec"))
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

    private static String recorded(Resource resource, String spec) {
        return resource.status().path("reconciliationStatus").path(spec).asText();
    }

    @Override
    public Optional<String> unsettled() {
        boolean recurs = good.path("flinkConfiguration").has(PERIODIC);
        return (recurs ? longestQuiet : quiet) < QUIET_ROUNDS
                ? Optional.of("the status is still being written: " + world.describe())
                : world.resource().latest().flatMap(this::unsettled).or(this::leftover);
    }

    private Optional<String> leftover() {
        boolean left =
                world.resource().latest().isEmpty()
                        && !world.cluster().objects().latest().isEmpty();
        return left ? Optional.of("left behind: " + world.describe()) : Optional.empty();
    }

    private Optional<String> unsettled(Resource resource) {
        if (resource.deleting()) {
            return Optional.of("its deletion does not end: " + world.describe());
        }
        long observed = resource.status().path("observedGeneration").asLong();
        if (observed != resource.generation() || resource.status().path("conditions").isEmpty()) {
            return Optional.of(
                    "generation "
                            + resource.generation()
                            + " is not reported: "
                            + resource.status());
        }
        return isAsWanted(resource)
                ? Optional.empty()
                : Optional.of("not as wanted: " + world.describe());
    }

    /** Running, suspended, or standing still with a reason that the world confirms. */
    private boolean isAsWanted(Resource resource) {
        boolean stalled = condition(resource, "Stalled");
        if (Specs.isBroken(resource)) {
            return stalled;
        }
        if (Specs.isSuspended(resource)) {
            return isAtRest(resource)
                    || (stalled && (isNotToBeStopped(resource) || isHeld(resource)));
        }
        if (stalled) {
            return habits.isEmpty() ? standsStill(resource) : waitsForHuman(resource);
        }
        if (hasFinished(resource)) {
            return true;
        }
        boolean up =
                world.cluster()
                        .answering()
                        .filter(FlinkProcess::tasksUp)
                        .filter(process -> !process.isIll() || !asksForHealth(resource))
                        .filter(process -> isNoLossUntold(process, resource))
                        .isPresent();
        return up
                && isScaled(resource)
                && isSaved(resource)
                && isTold(resource)
                && condition(resource, "Ready")
                && resource.status().path("lifecycleState").asText().equals("STABLE");
    }

    /** What runs is not known any more, as somebody has removed it from the status. */
    private static boolean isHeld(Resource resource) {
        return reason(resource).equals(Reason.STATUS_LOST.wire());
    }

    /** What else may be edited makes more reasons true; that nothing is done by itself is all. */
    private static boolean waitsForHuman(Resource resource) {
        return !reason(resource).equals(Reason.POD_PROBLEM.wire())
                && !reason(resource).equals(Reason.REMOVAL_OVERDUE.wire());
    }

    /**
     * Where the user keeps state, a job that a JobManager has begun from nothing is no job that
     * does as it should.
     */
    private boolean isNoLossUntold(FlinkProcess process, Resource resource) {
        boolean isTold = !operator.warnedAt().isBefore(process.startTime());
        return habits.isEmpty()
                || !Specs.isStateful(resource)
                || !(process.hasLostState() || process.runsAgain())
                || isTold;
    }

    private boolean isAtRest(Resource resource) {
        return world.cluster().objects().latest().isEmpty()
                && resource.status().path("lifecycleState").asText().matches("SUSPENDED|CREATED");
    }

    /** Its savepoint failed as often as it may be tried, and it runs on. */
    private boolean isNotToBeStopped(Resource resource) {
        return reason(resource).equals(Reason.UPGRADE_SAVEPOINT_FAILED.wire())
                && resource.status().at("/attempt/stop/tries").asInt() == StopRequests.MOST_TRIES
                && world.cluster().answering().filter(it -> !it.hasEnded()).isPresent();
    }

    /** Whether it is so that nothing can go on: whatever is not listed here has to. */
    private boolean standsStill(Resource resource) {
        Optional<FlinkProcess> process = world.cluster().answering();
        boolean runs = process.filter(FlinkProcess::tasksUp).isPresent();
        boolean hasEnded = process.filter(it -> it.state().isPresent() && !it.hasEnded()).isEmpty();
        boolean isLost =
                Specs.isStateful(resource)
                        && !world.cluster()
                                .storage()
                                .recoverable()
                                .contains(resource.status().at("/jobStatus/jobId").asText());
        return switch (reasonOf(resource)) {
            case UPGRADE_SAVEPOINT_FAILED -> isNotToBeStopped(resource);
            case STATE_LOST, RESTORE_FAILED, JOB_MANAGER_MISSING, CHECKPOINT_NOT_FOUND ->
                    isLost && hasEnded;
            case STATE_IN_DOUBT, JOB_BEGAN_ANEW, NO_CHECKPOINT -> isLost;
            case LAST_STATE_UNUSABLE -> hasEnded && !isLost && isOfAnotherVersion(resource);
            case JOB_NOT_FOUND -> process.filter(it -> it.state().isPresent()).isEmpty();
            case JOB_FAILED, JOB_CANCELED -> hasEnded;
            case JOB_UNHEALTHY -> isLost && process.filter(FlinkProcess::isIll).isPresent();
            case ROLLED_BACK -> runs && hasAnotherToGoBackTo(resource);
            case ROLLBACK_UNAVAILABLE -> isLost;
            default -> false;
        };
    }

    /** Metadata are of no use to another version than the one that was taken up. */
    private static boolean isOfAnotherVersion(Resource resource) {
        return !recorded(resource)
                .path("flinkVersion")
                .equals(resource.spec().path("flinkVersion"));
    }

    /** What was taken up last is another spec than the one that was stable. */
    private static boolean hasAnotherToGoBackTo(Resource resource) {
        return !recorded(resource, "lastStableSpec")
                .equals(recorded(resource, "lastReconciledSpec"));
    }

    static Reason reasonOf(Resource resource) {
        return Arrays.stream(Reason.values())
                .filter(it -> it.wire().equals(reason(resource)))
                .findFirst()
                .orElseThrow();
    }

    private static String reason(Resource resource) {
        return resource.status().at("/conditions/1/reason").asText();
    }

    /** What the job threw last, and what its cluster runs, is on record. */
    private boolean isTold(Resource resource) {
        Instant told =
                Instant.ofEpochMilli(
                        resource.status().at("/jobStatus/lastExceptionTimestamp").asLong());
        boolean missed =
                world.cluster().answering().stream()
                        .flatMap(process -> process.exceptions().stream())
                        .anyMatch(thrown -> thrown.at().isAfter(told));
        return !missed
                && resource.status()
                        .at("/clusterInfo/flink-version")
                        .asText()
                        .equals(SimulatedRun.VERSION);
    }

    /** What runs was started with what is asked for. */
    private boolean isScaled(Resource resource) {
        return ParallelismOverrides.in(
                        FlinkConfiguration.of(recorded(resource).path("flinkConfiguration")))
                .equals(autoscaler.asked());
    }

    private static boolean asksForHealth(Resource resource) {
        return Specs.asks(resource.spec(), Specs.HEALTH);
    }

    /** Every nonce has been answered, with a savepoint or in words. */
    static boolean isSaved(Resource resource) {
        return Stream.of(StateKind.values())
                .map(StateKind::nonce)
                .filter(nonce -> resource.spec().path("job").has(nonce))
                .allMatch(
                        nonce ->
                                resource.spec()
                                        .path("job")
                                        .path(nonce)
                                        .asText()
                                        .equals(
                                                recorded(resource)
                                                        .path("job")
                                                        .path(nonce)
                                                        .asText()));
    }

    private static ObjectNode recorded(Resource resource) {
        return ReconciledSpec.decode(
                        resource.status().at("/reconciliationStatus/lastReconciledSpec").asText())
                .map(ReconciledSpec::spec)
                .orElseThrow();
    }

    /** A job that is done waits for a change. */
    private static boolean hasFinished(Resource resource) {
        return resource.status().at("/jobStatus/state").asText().equals("FINISHED")
                && resource.status().at("/conditions/1/reason").asText().equals("JobFinished");
    }

    private static boolean condition(Resource resource, String type) {
        for (var condition : resource.status().path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }
}
