// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.upgrade.StopRequests;
import io.sluice.operator.model.Reason;
import io.sluice.testkit.sim.FlinkProcess;
import io.sluice.testkit.sim.World;
import io.sluice.testkit.sim.World.Resource;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether a simulated FlinkDeployment has come to what its user wants. */
final class DeploymentOutcome {
    private final World world;
    private final SimulatedAutoscaler autoscaler;
    private final SimulatedOperator operator;
    private final SimulatedHabits habits;

    DeploymentOutcome(
            World world,
            SimulatedAutoscaler autoscaler,
            SimulatedOperator operator,
            SimulatedHabits habits) {
        this.world = world;
        this.autoscaler = autoscaler;
        this.operator = operator;
        this.habits = habits;
    }

    /** Why it is not, if it is not yet. */
    Optional<String> unsettled(Resource resource) {
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
                    || (stalled
                            && (isNotToBeStopped(resource)
                                    || isNotToBeCancelled(resource)
                                    || isHeld(resource)));
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
    private boolean isHeld(Resource resource) {
        return reason(resource).equals(Reason.STATUS_LOST.wire())
                || (habits.has(Habit.CUTS_STATUS)
                        && reason(resource).equals(Reason.STATE_IN_DOUBT.wire()));
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

    /** It has no folder for a savepoint, and a cancellation would leave nothing of its state. */
    private boolean isNotToBeCancelled(Resource resource) {
        boolean isSaid =
                reason(resource).equals(Reason.CHECKPOINTS_NOT_RETAINED.wire())
                        || reason(resource).equals(Reason.NO_CHECKPOINT.wire());
        return isSaid
                && world.cluster()
                        .answering()
                        .filter(process -> !process.hasEnded())
                        .map(process -> process.launch().saving())
                        .filter(it -> !it.folder())
                        .filter(it -> !(it.checkpoints() && it.afterCancellation()))
                        .isPresent();
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
            case UPGRADE_FAILED, RESTORE_FAILED, JOB_MANAGER_MISSING, CHECKPOINT_NOT_FOUND ->
                    isLost && hasEnded;
            case STATE_IN_DOUBT, STATE_LOST, NO_CHECKPOINT -> isLost;
            case LAST_STATE_UNUSABLE -> hasEnded && !isLost && isOfAnotherVersion(resource);
            case JOB_NOT_FOUND -> process.filter(it -> it.state().isPresent()).isEmpty();
            case JOB_FAILED, JOB_CANCELED -> hasEnded;
            case JOB_UNHEALTHY -> isLost && process.filter(FlinkProcess::isIll).isPresent();
            case ROLLED_BACK -> runs && hasAnotherToGoBackTo(resource);
            case ROLLBACK_UNAVAILABLE -> isLost;
            case IMAGE_NOT_PULLED -> runs && Specs.isBad(resource.spec());
            default -> false;
        };
    }

    /** Whether it is as its user wants it, so that no image has to be pulled any more. */
    static boolean isReady(Optional<Resource> resource) {
        return resource.isEmpty() || condition(resource.get(), "Ready");
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

    /** One of the specs that the status has. */
    static String recorded(Resource resource, String spec) {
        return resource.status().path("reconciliationStatus").path(spec).asText();
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
