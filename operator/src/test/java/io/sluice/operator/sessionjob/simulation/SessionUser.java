// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkSessionJob;
import io.sluice.operator.deployment.simulation.habits.Habit;
import io.sluice.operator.deployment.simulation.habits.UserHabits;
import io.sluice.operator.model.Reason;
import io.sluice.operator.world.JobUser;
import io.sluice.operator.world.Settling;
import io.sluice.testkit.sim.Dice;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The user of one FlinkSessionJob, and whether the user has what was asked for. */
final class SessionUser {
    private static final String CLUSTER = "deploymentName";
    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    private final Dice dice;
    private final SessionWorld world;
    private final ObservedJob job;
    private final JobUser user;
    private final UserHabits habits;

    /**
     * @param savings throws what the user does of {@code allowed}; not asked if that is nothing
     */
    SessionUser(Dice dice, SessionWorld world, ObservedJob job, Dice savings, Set<Habit> allowed) {
        this.dice = dice;
        this.world = world;
        this.job = job;
        user = new JobUser(dice, world.states(), job::edit);
        habits = new UserHabits(savings, allowed, user, _ -> {}, _ -> {});
    }

    UserHabits habits() {
        return habits;
    }

    /** Whether something is done for the resource again and again. */
    boolean recurs() {
        return UserHabits.recurs(user.spec());
    }

    JobUser edits() {
        return user;
    }

    private ObjectNode spec() {
        String mode = user.anyMode();
        ObjectNode made = JsonNodeFactory.instance.objectNode().put(CLUSTER, SessionCluster.NAME);
        made.putObject("job")
                .put("jarURI", jar())
                .put("parallelism", 1)
                .put("state", "running")
                .put("upgradeMode", mode)
                .putArray("args")
                .add("v0");
        user.chooseState(made);
        habits.choose(made);
        return made;
    }

    private String jar() {
        return "https://repo.example.org/" + job.name() + "-" + user.versions() + ".jar";
    }

    /** Another jar, or other arguments. */
    void change() {
        int version = user.newVersion();
        boolean isJar = dice.chance(30);
        user.edit(
                spec -> {
                    if (isJar) {
                        spec.withObject("/job").put("jarURI", jar());
                    } else {
                        spec.withObject("/job").putArray("args").add("v" + version);
                    }
                });
    }

    /** A job does not move: the former cluster is its own until this is taken back. */
    void changeCluster() {
        boolean isChanged = !user.spec().path(CLUSTER).asText().equals(SessionCluster.NAME);
        user.edit(spec -> spec.put(CLUSTER, isChanged ? SessionCluster.NAME : "elsewhere"));
    }

    void changeClusterBack() {
        user.edit(spec -> spec.put(CLUSTER, SessionCluster.NAME));
    }

    void create() {
        ObjectNode spec = spec();
        user.begins(spec);
        job.create(spec);
    }

    void createAgain() {
        if (job.resource().isEmpty()) {
            create();
        }
    }

    /** Whether the resource says that somebody has to act, and it is so. */
    boolean isLeftToHuman() {
        return job.resource()
                .flatMap(it -> Optional.ofNullable(it.getStatus()))
                .flatMap(Settling::reason)
                .filter(it -> it.outlook() == Reason.Outlook.STALLED)
                .filter(this::mayStall)
                .isPresent();
    }

    void delete() {
        if (job.resource().isPresent()) {
            job.delete();
        }
    }

    /**
     * @param recurs whether something is written again and again
     */
    Optional<String> unsettled(Settling settling, boolean recurs) {
        return job.resource().isEmpty()
                ? Optional.of(world.cluster())
                        .filter(_ -> job.hasLeftovers())
                        .map(it -> "left of " + job.name() + ": " + it)
                : job.resource().flatMap(it -> unsettled(it, settling, recurs));
    }

    private Optional<String> unsettled(
            FlinkSessionJob resource, Settling settling, boolean recurs) {
        String text =
                job.name()
                        + " "
                        + user.spec().path("job")
                        + " is "
                        + resource.getStatus()
                        + " with "
                        + world.cluster();
        int writes = recurs ? 0 : world.operators().writes();
        return settling.unsettled(resource, writes, text, this::isAsWanted)
                .or(() -> unsaved(resource.getStatus()).map(what -> what + ": " + text));
    }

    /** What a job that runs as wanted lacks. */
    private Optional<String> unsaved(JsonNode status) {
        return job.lastRun()
                .filter(_ -> habits.has(Habit.SAVES_BY_SCHEDULE))
                .filter(SessionRun::tasksUp)
                .filter(_ -> Settling.reason(status).equals(Optional.of(Reason.JOB_RUNNING)))
                .flatMap(
                        run ->
                                job.saved()
                                        .unsettled(
                                                run.job().generation(),
                                                run.overview().lastChange().plus(A_MINUTE),
                                                path -> world.states().find(path).isPresent()));
    }

    private boolean isAsWanted(JsonNode status) {
        Optional<Reason> reason = Settling.reason(status);
        if (reason.filter(it -> it.outlook() == Reason.Outlook.STALLED).isPresent()) {
            return mayStall(reason.orElseThrow());
        }
        if (user.spec().at("/job/state").asText().equals("suspended")) {
            return !job.hasLeftovers();
        }
        return job.lastRun()
                .filter(SessionRun::tasksUp)
                .filter(run -> run.job().content().equals(ObservedJob.content(user.spec())))
                .filter(_ -> reason.filter(this::isRunning).isPresent())
                .isPresent();
    }

    /** Also one of which a savepoint by nonce has failed, or one by its schedule is being made. */
    private boolean isRunning(Reason reason) {
        return reason == Reason.JOB_RUNNING
                || reason == Reason.SAVING_FAILED
                || (reason == Reason.SAVING_STATE && recurs());
    }

    /** Whether it is so that somebody has to act. */
    private boolean mayStall(Reason reason) {
        return switch (reason) {
            case JOB_FAILED -> job.hasEndedItself("FAILED");
            case JOB_CANCELED -> job.hasEndedItself("CANCELED");
            case UPGRADE_SAVEPOINT_FAILED ->
                    job.lastRun()
                            .filter(SessionRun::tasksUp)
                            .filter(run -> run.requests().failedStops() > 0)
                            .isPresent();
            case UPGRADE_FAILED, JOB_NOT_FOUND -> job.isInDoubt() || !job.tellsState();
            case STATE_LOST, STATE_IN_DOUBT, CHECKPOINT_NOT_FOUND, RESTORE_FAILED ->
                    !job.tellsState();
            case CHECKPOINTS_NOT_RETAINED ->
                    job.lastRun()
                            .filter(run -> !run.job().retainsCheckpoints())
                            .filter(run -> path().contains("/" + run.job().id() + "/chk-"))
                            .isPresent();
            default -> false;
        };
    }

    private String path() {
        return user.spec().at("/job/initialSavepointPath").asText();
    }
}
