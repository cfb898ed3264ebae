// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.testkit.sim.Dice;
import java.util.List;

/** Chooses options that decide what becomes of a job, for resources and for the defaults. */
public final class OptionDice {
    private static final String OPERATOR = "kubernetes.operator.";
    public static final String AUTOSCALER = "job.autoscaler.enabled";
    public static final String SCHEDULER = "jobmanager.scheduler";
    public static final String IN_PLACE = OPERATOR + "job.upgrade.inplace-scaling.enabled";
    public static final String ROLLBACK = OPERATOR + "deployment.rollback.enabled";
    public static final String HEALTH = OPERATOR + "cluster.health-check.enabled";
    public static final String RESTART_FAILED = OPERATOR + "job.restart.failed";
    public static final String PERIODIC_SAVEPOINT = OPERATOR + "periodic.savepoint.interval";
    public static final String PERIODIC_CHECKPOINT = OPERATOR + "periodic.checkpoint.interval";
    public static final String FALLBACK = OPERATOR + "job.upgrade.last-state-fallback.enabled";
    public static final String BY_CANCEL = OPERATOR + "job.upgrade.last-state.job-cancel.enabled";
    public static final String DEADLINE = OPERATOR + "deployment.readiness.timeout";
    private static final String AVAILABILITY = "high-availability.type";
    private static final String FOLDER = "execution.checkpointing.savepoint-dir";

    private record Choice(String key, String value) {}

    private static final List<Choice> OF_EITHER =
            List.of(
                    new Choice(IN_PLACE, "false"),
                    new Choice(ROLLBACK, "true"),
                    new Choice(HEALTH, "true"),
                    new Choice(RESTART_FAILED, "true"),
                    new Choice(PERIODIC_SAVEPOINT, "90 s"),
                    new Choice(PERIODIC_CHECKPOINT, "90 s"),
                    new Choice(FALLBACK, "false"),
                    new Choice(BY_CANCEL, "true"),
                    new Choice(OPERATOR + "job.restart.lost-state", "true"),
                    new Choice(OPERATOR + "job.savepoint-on-deletion", "true"),
                    new Choice(OPERATOR + "job.upgrade.ignore-pending-savepoint", "true"),
                    new Choice(
                            OPERATOR + "job.upgrade.last-state.max.allowed.checkpoint.age", "60 s"),
                    new Choice(OPERATOR + "jm-deployment.shutdown-ttl", "2 min"),
                    new Choice(OPERATOR + "savepoint.cleanup.enabled", "false"),
                    new Choice(OPERATOR + "savepoint.history.max.count", "2"),
                    new Choice(SCHEDULER, "adaptive"));

    private static final List<Choice> OF_DEFAULTS =
            List.of(
                    new Choice(AUTOSCALER, "true"),
                    new Choice(OPERATOR + "resource.cleanup.timeout", "1 min"),
                    new Choice(FOLDER, "s3://t"),
                    new Choice(AVAILABILITY, "kubernetes"),
                    new Choice(
                            "execution.checkpointing.externalized-checkpoint-retention",
                            "RETAIN_ON_CANCELLATION"));

    private final Dice dice;

    public OptionDice(Dice dice) {
        this.dice = dice;
    }

    /** Fills in a new spec. */
    public void choose(ObjectNode spec) {
        ObjectNode options = spec.withObject("/flinkConfiguration");
        options.put(OPERATOR + "cluster.health-check.restarts.threshold", "1")
                .put("high-availability.storageDir", "s3://h");
        if (dice.chance(60) && !options.has("scheduler-mode")) {
            options.put(AUTOSCALER, "true");
            spec.withObject("/taskManager").remove("replicas");
        }
        if (dice.chance(60) && !options.has("scheduler-mode")) {
            options.put(SCHEDULER, "adaptive");
        }
        if (dice.chance(30)) {
            options.remove(FOLDER);
        }
        if (dice.chance(15)) {
            options.put("pipeline.jobvertex-parallelism-overrides", "c2:" + (1 + dice.below(3)));
        }
        for (Choice each : OF_EITHER) {
            if (dice.chance(12) && mayHave(options, each)) {
                options.put(each.key(), each.value());
            }
        }
    }

    /** Nobody asks for a rollback without high availability, which is refused. */
    private static boolean mayHave(ObjectNode options, Choice choice) {
        boolean isReactive = options.has("scheduler-mode");
        return switch (choice.key()) {
            case ROLLBACK -> options.has(AVAILABILITY);
            case SCHEDULER -> !isReactive;
            default -> true;
        };
    }

    /** Whether the spec is refused, as an administrator has changed what it rests on. */
    public static boolean isRefused(JsonNode spec, SimulatedDefaults defaults) {
        return defaults.isOn(spec, ROLLBACK) && defaults.option(spec, AVAILABILITY).isEmpty();
    }

    /** The administrator and the user take away what is refused. */
    public static void mend(ObjectNode spec, SimulatedDefaults defaults) {
        defaults.remove(ROLLBACK);
        spec.withObject("/flinkConfiguration").remove(ROLLBACK);
    }

    /** Sets an option of a spec, or takes it away if it is set. */
    public void change(ObjectNode spec) {
        ObjectNode options = spec.withObject("/flinkConfiguration");
        Choice choice = dice.pick(OF_EITHER);
        if (options.has(choice.key())) {
            options.remove(choice.key());
        } else if (mayHave(options, choice)) {
            options.put(choice.key(), choice.value());
        }
    }

    /** Sets a default, or takes it away if it is set. */
    public String change(SimulatedDefaults defaults) {
        Choice choice = dice.pick(dice.chance(60) ? OF_EITHER : OF_DEFAULTS);
        if (!choice.key().equals(ROLLBACK) || dice.chance(30)) {
            defaults.toggle(choice.key(), choice.value());
        }
        return choice.toString();
    }
}
