// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.habits;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.operator.world.JobUser;
import io.sluice.testkit.sim.Dice;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** What the user of one resource asks for by habit, beside what every {@link JobUser} does. */
public final class UserHabits {
    public static final String MAX_AGE =
            "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age";
    public static final String PERIODIC_SAVEPOINT =
            "kubernetes.operator.periodic.savepoint.interval";
    public static final String PERIODIC_CHECKPOINT =
            "kubernetes.operator.periodic.checkpoint.interval";
    public static final String MOST_SAVEPOINTS = "kubernetes.operator.savepoint.history.max.count";
    public static final String OLDEST_SAVEPOINT = "kubernetes.operator.savepoint.history.max.age";
    private static final String RESTART_FAILED = "kubernetes.operator.job.restart.failed";
    private static final String ROLLBACK = "kubernetes.operator.deployment.rollback.enabled";
    private static final String AVAILABILITY = "high-availability.type";
    private static final String INTERVAL = "execution.checkpointing.interval";
    private static final List<String> SCHEDULES =
            List.of("90 s", "4 min", "0 */2 * * * ?", "30 1/5 * * * ?");
    private static final List<String> NONCES =
            List.of(
                    "initialSavepointPath",
                    "savepointRedeployNonce",
                    "savepointTriggerNonce",
                    "checkpointTriggerNonce");
    private static final int OFTEN = 6;

    private final Dice dice;
    private final Set<Habit> habits;
    private final JobUser user;
    private final Consumer<ObjectNode> changeVersion;
    private final Consumer<ObjectNode> useImage;
    private final List<Runnable> edits = new ArrayList<>();
    private int nonces;

    /**
     * @param allowed of which some are taken; none throws no dice
     * @param changeVersion what becomes of a spec when its user wants another Flink
     * @param useImage gives a spec the image of its version
     */
    public UserHabits(
            Dice dice,
            Set<Habit> allowed,
            JobUser user,
            Consumer<ObjectNode> changeVersion,
            Consumer<ObjectNode> useImage) {
        this.dice = dice;
        this.useImage = useImage;
        this.user = user;
        this.changeVersion = changeVersion;
        Set<Habit> users = EnumSet.copyOf(allowed);
        users.removeAll(Habit.ofPlatform());
        habits = Habit.some(users, dice);
        habits.forEach(this::add);
    }

    public boolean has(Habit habit) {
        return habits.contains(habit);
    }

    public Dice dice() {
        return dice;
    }

    private void add(Habit habit) {
        switch (habit) {
            case SAVES_BY_SCHEDULE -> {
                edits.add(() -> user.edit(this::reschedule));
                edits.add(this::askForCheckpoint);
                edits.add(user::askForSavepoint);
            }
            case KEEPS_FEW_SAVEPOINTS -> {
                edits.add(user::askForSavepoint);
                edits.add(user::askForSavepoint);
            }
            case REVERTS -> edits.add(() -> revert(false));
            case REVERTS_NONCES -> edits.add(() -> revert(true));
            case CHANGES_AVAILABILITY -> edits.add(() -> user.edit(UserHabits::changeAvailability));
            case CHANGES_VERSION_WITH_MODE ->
                    edits.add(() -> user.edit(this::changeVersionAndMode));
            case CHANGES_TO_STATELESS -> edits.add(() -> user.edit(this::changeStateless));
            case BREAKS_SPEC -> {
                edits.add(() -> user.edit(spec -> spec.put("image", 7)));
                edits.add(this::mend);
                edits.add(this::mend);
            }
            case ROLLS_BACK -> {
                edits.add(() -> user.changeArguments(dice.chance(50) ? "bad" : "good"));
                edits.add(() -> revert(true));
                edits.add(this::goBack);
            }
            case LIMITS_CHECKPOINT_AGE,
                    STALLS_CHECKPOINTS,
                    MAKES_NO_CHECKPOINTS,
                    FINISHES_JOBS,
                    RESTARTS_FAILED_JOBS,
                    CUTS_STATUS,
                    LACKS_ROOM,
                    LACKS_IMAGES,
                    IS_KILLED,
                    HANGS,
                    HAS_VALIDATORS,
                    MEETS_OBJECTS,
                    CHANGES_FORMAT,
                    LABELS_CANARY,
                    HAS_SLOW_MAIN,
                    HAS_TYPOS -> {}
        }
    }

    /** Fills in a new spec. */
    public void choose(ObjectNode spec) {
        ObjectNode options = spec.withObject("/flinkConfiguration");
        if (has(Habit.SAVES_BY_SCHEDULE)) {
            reschedule(spec);
        }
        if (has(Habit.KEEPS_FEW_SAVEPOINTS)) {
            options.put(dice.chance(70) ? MOST_SAVEPOINTS : OLDEST_SAVEPOINT, "");
            if (options.has(MOST_SAVEPOINTS)) {
                options.put(MOST_SAVEPOINTS, Integer.toString(1 + dice.below(3)));
            } else {
                options.put(OLDEST_SAVEPOINT, "10 min");
            }
        }
        if (has(Habit.LIMITS_CHECKPOINT_AGE)) {
            options.put(MAX_AGE, "60 s");
        }
        if (has(Habit.RESTARTS_FAILED_JOBS) && dice.chance(60)) {
            options.put(RESTART_FAILED, "true");
        }
        if (has(Habit.ROLLS_BACK)) {
            options.put(AVAILABILITY, "kubernetes")
                    .put("high-availability.storageDir", "s3://h")
                    .put(ROLLBACK, "true")
                    .put("kubernetes.operator.deployment.readiness.timeout", "60 s");
        }
        if (has(Habit.MAKES_NO_CHECKPOINTS) && dice.chance(60)) {
            options.remove(INTERVAL);
        }
    }

    /** An edit by habit, or nothing. */
    public boolean acts() {
        return !edits.isEmpty() && dice.chance(OFTEN);
    }

    public void act() {
        dice.pick(edits).run();
    }

    /**
     * In the end the user wants something that is not refused, and not rolled back: a spec that was
     * is tried again only when it changes.
     */
    public void mend() {
        boolean mayBeRolledBack = user.spec().path("flinkConfiguration").has(ROLLBACK);
        user.edit(
                spec -> {
                    if (isBroken(spec)) {
                        useImage.accept(spec);
                    }
                    spec.withObject("/flinkConfiguration").remove(ROLLBACK);
                });
        if (isBad(user.spec())) {
            user.changeArguments("good");
        } else if (mayBeRolledBack) {
            user.askForRestart();
        }
    }

    /** To the last spec that is not bad: that may be the one that a rollback has deployed. */
    private void goBack() {
        user.written().reversed().stream()
                .filter(spec -> !isBad(spec))
                .filter(spec -> !spec.equals(user.spec()))
                .findFirst()
                .ifPresent(user::goBackTo);
    }

    /** Whether a job of the spec never comes up. */
    public static boolean isBad(JsonNode spec) {
        return spec.at("/job/args/0").asText().startsWith("bad");
    }

    public static boolean isBroken(JsonNode spec) {
        return !spec.path("image").isTextual();
    }

    /** Whether the spec asks for something that is done again and again. */
    public static boolean recurs(JsonNode spec) {
        return spec.path("flinkConfiguration").has(PERIODIC_SAVEPOINT)
                || spec.path("flinkConfiguration").has(PERIODIC_CHECKPOINT);
    }

    public static boolean restartsFailed(JsonNode spec) {
        return spec.path("flinkConfiguration").path(RESTART_FAILED).asBoolean();
    }

    private void reschedule(ObjectNode spec) {
        ObjectNode options = spec.withObject("/flinkConfiguration");
        String key = dice.chance(60) ? PERIODIC_SAVEPOINT : PERIODIC_CHECKPOINT;
        if (dice.chance(80)) {
            options.put(key, dice.pick(SCHEDULES));
        } else {
            options.remove(key);
        }
    }

    private void askForCheckpoint() {
        user.edit(it -> it.withObject("/job").put("checkpointTriggerNonce", ++nonces));
    }

    private void revert(boolean withNonces) {
        ObjectNode former = dice.pick(user.written()).deepCopy();
        if (!withNonces) {
            keepNonces(user.spec(), former);
        }
        user.goBackTo(former);
    }

    private static void keepNonces(ObjectNode of, ObjectNode spec) {
        ObjectNode job = spec.withObject("/job");
        for (String field : NONCES) {
            job.remove(field);
            if (of.path("job").has(field)) {
                job.set(field, of.path("job").get(field));
            }
        }
    }

    private static void changeAvailability(ObjectNode spec) {
        ObjectNode options = spec.withObject("/flinkConfiguration");
        if (options.has(AVAILABILITY)) {
            options.remove(AVAILABILITY);
        } else {
            options.put(AVAILABILITY, "kubernetes").put("high-availability.storageDir", "s3://h");
        }
    }

    private void changeVersionAndMode(ObjectNode spec) {
        if (!isBroken(spec)) {
            changeVersion.accept(spec);
        }
        spec.withObject("/job").put("upgradeMode", user.anyMode());
    }

    private void changeStateless(ObjectNode spec) {
        boolean isStateless = spec.at("/job/upgradeMode").asText().equals("stateless");
        spec.withObject("/job")
                .put(
                        "upgradeMode",
                        isStateless ? dice.pick(List.of("savepoint", "last-state")) : "stateless");
    }
}
