// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.StateKind;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.upgrade.StopRequests;
import io.sluice.operator.model.Reason;
import io.sluice.operator.simulation.flaw.SessionFlaws;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.FlinkProcess;
import io.sluice.testkit.sim.Scenario;
import io.sluice.testkit.sim.SessionCluster;
import io.sluice.testkit.sim.World;
import io.sluice.testkit.sim.World.Resource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One user, one operator, and a session cluster that comes and goes under one FlinkSessionJob. */
final class SessionJobScenario implements Scenario {
    private static final int QUIET_ROUNDS = 5;

    /** A cluster that never comes. */
    private static final String ELSEWHERE = "elsewhere";

    private final World world;
    private final Environment environment;
    private final SessionCluster sessionCluster;
    private final SimulatedSessionOperator operator;
    private final List<Move> moves;
    private ObjectNode good;
    private int nonces;
    private int redeployments;
    private int longestQuiet;
    private int quiet;

    SessionJobScenario(Environment environment, Set<SessionFlaws> flaws) {
        this(environment, flaws, SimulatedLeadership.alone(environment));
    }

    /**
     * @param leadership of the operator's processes
     */
    SessionJobScenario(
            Environment environment, Set<SessionFlaws> flaws, SimulatedLeadership leadership) {
        this.environment = environment;
        world = new World(environment);
        sessionCluster = new SessionCluster(environment, environment.dice().chance(50));
        operator = new SimulatedSessionOperator(world, sessionCluster, flaws, leadership);
        good = newSpec();
        create(good);
        moves = leadership.with(everything());
    }

    @Override
    public List<Move> moves() {
        return moves;
    }

    private List<Move> everything() {
        return List.of(
                new Move("pass", 40, operator::pass),
                new Move("tick", 40, this::tick),
                new Move(
                        "restart it", 2, () -> edit(good.deepCopy().put("restartNonce", ++nonces))),
                new Move("suspend", 1, () -> edit(Specs.withState(good, "suspended"))),
                new Move("resume", 2, () -> edit(Specs.withState(good, "running"))),
                new Move("break the spec", 1, () -> world.edit(broken())),
                new Move("name another cluster", 1, () -> world.edit(elsewhere())),
                new Move("mend the spec", 2, () -> world.edit(good)),
                new Move("delete", 1, () -> sometimes(world::delete)),
                new Move("create", 3, this::createAgain),
                new Move("JobManager restarts", 1, sessionCluster::restart),
                new Move("cluster goes away", 1, () -> sometimes(sessionCluster::goAway)),
                new Move("cluster is to be replaced", 1, sessionCluster::announceReplacement),
                new Move("job fails", 1, () -> sessionCluster.endJobs("FAILED")),
                new Move(
                        "job finishes",
                        1,
                        () -> sometimes(() -> sessionCluster.endJobs("FINISHED"))),
                new Move("ask for a savepoint", 3, () -> ask(StateKind.SAVEPOINT)),
                new Move("ask for a checkpoint", 1, () -> ask(StateKind.CHECKPOINT)),
                new Move("redeploy from a savepoint", 1, () -> sometimes(this::redeploy)));
    }

    private void tick() {
        world.tick();
        operator.tick();
        sessionCluster.tick(world.resource().latest().filter(Specs::isStateful).isPresent());
    }

    private void create(ObjectNode spec) {
        world.create(spec);
        sessionCluster.storage().begin();
    }

    private void createAgain() {
        if (world.resource().latest().isEmpty()) {
            good = newSpec();
            create(good);
        }
    }

    private void edit(ObjectNode spec) {
        good = spec;
        world.edit(spec);
    }

    private ObjectNode broken() {
        ObjectNode spec = good.deepCopy();
        spec.withObject("/job").put("parallelism", "many");
        return spec;
    }

    /** No webhook refuses it. */
    private ObjectNode elsewhere() {
        return good.deepCopy().put("deploymentName", ELSEWHERE);
    }

    private void sometimes(Runnable move) {
        if (environment.dice().chance(30)) {
            move.run();
        }
    }

    private void redeploy() {
        List<String> paths =
                sessionCluster.storage().savepoints().stream()
                        .filter(path -> !operator.isDeleting(path))
                        .toList();
        if (!paths.isEmpty()) {
            edit(Specs.redeployed(good, environment.dice().pick(paths), ++redeployments));
        }
    }

    private void ask(StateKind kind) {
        edit(Specs.withNonce(good, kind, ++nonces));
    }

    private ObjectNode newSpec() {
        ObjectNode spec =
                Specs.saving(
                        SessionSnapshots.sessionJob(
                                environment
                                        .dice()
                                        .pick(List.of("stateless", "savepoint", "last-state"))));
        return environment.dice().chance(30)
                ? Specs.configured(spec, DeploymentScenario.PERIODIC, "90 s")
                : spec;
    }

    @Override
    public Optional<String> violation() {
        return sessionCluster
                .doubleRun()
                .or(sessionCluster.storage()::violation)
                .or(operator::wrong);
    }

    @Override
    public void round() {
        int before = operator.statusWrites();
        operator.pass();
        tick();
        quiet = operator.statusWrites() == before ? quiet + 1 : 0;
        longestQuiet = Math.max(longestQuiet, quiet);
    }

    @Override
    public Optional<String> unsettled() {
        boolean recurs = good.path("flinkConfiguration").has(DeploymentScenario.PERIODIC);
        if ((recurs ? longestQuiet : quiet) < QUIET_ROUNDS) {
            return Optional.of("the status is still being written: " + sessionCluster);
        }
        return world.resource().latest().flatMap(this::unsettled).or(this::leftover);
    }

    private Optional<String> leftover() {
        return world.resource().latest().isEmpty() && !sessionCluster.live().isEmpty()
                ? Optional.of("left behind: " + sessionCluster)
                : Optional.empty();
    }

    private Optional<String> unsettled(Resource resource) {
        if (resource.deleting()) {
            return Optional.of("its deletion does not end: " + resource + sessionCluster);
        }
        if (resource.status().path("observedGeneration").asLong() != resource.generation()) {
            return Optional.of("generation not reported: " + resource);
        }
        return isAsWanted(resource)
                ? Optional.empty()
                : Optional.of("not as wanted: " + resource + " " + sessionCluster);
    }

    private boolean isAsWanted(Resource resource) {
        boolean stalled = condition(resource, "Stalled");
        if (!resource.spec().at("/job/parallelism").isInt()) {
            return stalled;
        }
        if (resource.spec().path("deploymentName").asText().equals(ELSEWHERE)) {
            return stalled || isWaitingForItsCluster(resource);
        }
        String lifecycle = resource.status().path("lifecycleState").asText();
        if (Specs.isSuspended(resource)) {
            boolean atRest =
                    sessionCluster.live().isEmpty() && lifecycle.matches("SUSPENDED|CREATED");
            return atRest || (stalled && isNotToBeStopped(resource));
        }
        if (stalled) {
            return standsStill(resource);
        }
        if (resource.status().at("/jobStatus/state").asText().equals("FINISHED")) {
            return true;
        }
        boolean up =
                sessionCluster
                        .job(resource.status().at("/jobStatus/jobId").asText())
                        .filter(FlinkProcess::tasksUp)
                        .isPresent();
        return up
                && DeploymentOutcome.isSaved(resource)
                && condition(resource, "Ready")
                && lifecycle.equals("STABLE");
    }

    /** Before the first deployment it may name any. */
    private static boolean isWaitingForItsCluster(Resource resource) {
        return resource.status().at("/reconciliationStatus/lastReconciledSpec").isMissingNode()
                && (Specs.isSuspended(resource)
                        || DeploymentOutcome.reasonOf(resource)
                                == Reason.WAITING_FOR_SESSION_CLUSTER);
    }

    /** Its savepoint failed as often as it may be tried, and it runs on. */
    private boolean isNotToBeStopped(Resource resource) {
        return DeploymentOutcome.reasonOf(resource) == Reason.UPGRADE_SAVEPOINT_FAILED
                && resource.status().at("/attempt/stop/tries").asInt() == StopRequests.MOST_TRIES
                && !sessionCluster.live().isEmpty();
    }

    /** Whether it is so that nothing can go on: whatever is not listed here has to. */
    private boolean standsStill(Resource resource) {
        boolean isLost = Specs.isStateful(resource) && sessionCluster.live().isEmpty();
        return switch (DeploymentOutcome.reasonOf(resource)) {
            case UPGRADE_SAVEPOINT_FAILED -> isNotToBeStopped(resource);
            // A stop wrote a savepoint and failed; the job went on, and ended by itself.
            case UPGRADE_FAILED, STATE_IN_DOUBT, RESTORE_FAILED, CHECKPOINT_NOT_FOUND -> isLost;
            case JOB_NOT_FOUND -> isLost || isNeverRunAgain(resource);
            case JOB_FAILED, JOB_CANCELED -> sessionCluster.live().isEmpty();
            default -> false;
        };
    }

    /**
     * Where results are kept, an attempt that was asked for and never listed may have come to its
     * end: a human is asked, even if it has no state (ADR 12).
     */
    private boolean isNeverRunAgain(Resource resource) {
        return sessionCluster.isHighlyAvailable()
                && sessionCluster.live().isEmpty()
                && resource.status().path("attempt").has("jar");
    }

    private static boolean condition(Resource resource, String type) {
        for (JsonNode condition : resource.status().path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }
}
