// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.deployment.simulation.habits.Habit;
import io.sluice.operator.deployment.simulation.habits.UserHabits;
import io.sluice.operator.model.Reason;
import io.sluice.operator.world.JobUser;
import io.sluice.testkit.sim.Dice;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The habits of one run, and what comes of them in the world. */
final class Habits {
    private static final int LONGEST_STALL_SECONDS = 600;

    private final DeploymentWorld world;
    private final JobUser user;
    private final UserHabits habits;
    private final Dice dice;
    private final boolean isOn;

    /** Deployments whose jobs have come to their end by themselves. */
    private final Set<String> finished = new HashSet<>();

    /**
     * @param allowed of which some are taken; without any nothing is thrown, and nothing happens
     */
    Habits(
            DeploymentWorld world,
            Dice dice,
            Set<Habit> allowed,
            JobUser user,
            ClusterDice cluster) {
        this.world = world;
        this.dice = dice;
        this.user = user;
        isOn = !allowed.isEmpty();
        habits = new UserHabits(dice, allowed, user, cluster::changeVersion, ClusterDice::useImage);
        Stream.of(Habit.LACKS_ROOM, Habit.LACKS_IMAGES, Habit.IS_KILLED)
                .filter(habits::has)
                .forEach(world.troubles()::allow);
    }

    /** Fills in a new spec. */
    void choose(ObjectNode spec) {
        if (isOn) {
            habits.choose(spec);
        }
    }

    /** What somebody does now, if anybody does. */
    Optional<Runnable> move() {
        if (!isOn) {
            return Optional.empty();
        }
        if (habits.has(Habit.STALLS_CHECKPOINTS) && dice.chance(1)) {
            return Optional.of(this::stall);
        }
        if (habits.has(Habit.FINISHES_JOBS) && dice.chance(1)) {
            return Optional.of(this::finish);
        }
        if (habits.has(Habit.CUTS_STATUS) && dice.chance(1)) {
            return Optional.of(this::cut);
        }
        if (habits.has(Habit.IS_KILLED) && dice.chance(2)) {
            return Optional.of(() -> world.node().killProcess(dice));
        }
        if (habits.has(Habit.HANGS) && dice.chance(2)) {
            return Optional.of(this::hang);
        }
        return habits.acts() ? Optional.of(habits::act) : Optional.empty();
    }

    /** Whether nobody edits the resource for a while now. */
    boolean waits() {
        return isOn && habits.has(Habit.ROLLS_BACK) && dice.chance(4);
    }

    private void stall() {
        int seconds = 60 + dice.below(LONGEST_STALL_SECONDS);
        world.trace("checkpoints do not complete for " + seconds + " s");
        world.stallsUntil(world.now().plusSeconds(seconds));
    }

    private void hang() {
        if (dice.chance(50)) {
            world.hangs().await();
        } else {
            world.node().answering(false).ifPresent(it -> world.hangs().begin(it, dice));
        }
    }

    private void finish() {
        world.node()
                .answering(false)
                .filter(FlinkProcess::tasksUp)
                .ifPresent(
                        it -> {
                            it.launch().history().isDone();
                            finished.add(it.launch().deployment());
                            it.end("FINISHED");
                        });
    }

    private void cut() {
        world.resource()
                .filter(it -> it.getStatus() != null)
                .ifPresent(
                        it -> {
                            ObjectNode status = it.getStatus().deepCopy();
                            String field = cut(status);
                            if (!status.equals(it.getStatus())) {
                                world.trace("somebody removes " + field + " from the status");
                                world.losesStatus();
                                world.replaceStatus(it, status);
                            }
                        });
    }

    private String cut(ObjectNode status) {
        String field =
                dice.pick(
                        List.of(
                                "/attempt",
                                "/jobStatus/state",
                                "/jobStatus/startTime",
                                "/jobStatus/upgradeSavepointPath",
                                "/attempt/stop",
                                "/reconciliationStatus/lastStableSpec",
                                "/reconciliationStatus/lastReconciledSpec",
                                "/observedGeneration",
                                "/conditions"));
        int last = field.lastIndexOf('/');
        if (status.at(field.substring(0, last)) instanceof ObjectNode of) {
            of.remove(field.substring(last + 1));
        }
        return field;
    }

    /** In the orderly rounds nothing keeps what the user wants from coming about. */
    void round() {
        if (isOn) {
            world.troubles().end();
            world.hangs().end();
            world.stallsUntil(Instant.EPOCH);
            habits.mend();
        }
    }

    /** Whether something is written again and again. */
    boolean recurs() {
        return isOn && UserHabits.recurs(user.spec());
    }

    /** Whether the status says that the job runs, or that what recurs is just being made. */
    boolean isReady(Optional<Reason> reason) {
        return reason.equals(Optional.of(Reason.JOB_RUNNING))
                || (recurs() && reason.equals(Optional.of(Reason.SAVING_STATE)));
    }

    /** Whether the job has come to its end by itself, and that is what the status says. */
    boolean isFinished(Optional<FlinkProcess> process, Reason reason) {
        return reason == Reason.JOB_FINISHED
                && process.filter(it -> it.state().equals(Optional.of("FINISHED")))
                        .filter(it -> finished.contains(it.launch().deployment()))
                        .isPresent();
    }

    /** What a job that runs as wanted lacks. */
    Optional<String> unsettled(FlinkDeployment resource) {
        JsonNode status = resource.getStatus();
        return isOn
                ? world.node()
                        .answering(false)
                        .filter(FlinkProcess::tasksUp)
                        .filter(
                                _ ->
                                        status.at("/conditions/1/reason")
                                                .asText()
                                                .equals("JobRunning"))
                        .flatMap(
                                it ->
                                        world.saved()
                                                .unsettled(
                                                        it.launch().generation(),
                                                        it.overview()
                                                                .lastChange()
                                                                .plus(Duration.ofMinutes(1)),
                                                        path ->
                                                                world.states()
                                                                        .find(path)
                                                                        .isPresent()))
                : Optional.empty();
    }
}
