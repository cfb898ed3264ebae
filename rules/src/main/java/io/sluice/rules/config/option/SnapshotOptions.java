// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.DURATION;
import static io.sluice.rules.config.option.OptionType.FLAG;
import static io.sluice.rules.config.option.OptionType.NUMBER;
import static io.sluice.rules.config.option.OptionType.SCHEDULE;
import static io.sluice.rules.config.option.OptionType.oneOf;

import io.sluice.api.spec.StateKind;
import io.sluice.rules.config.value.Schedule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Which savepoints and checkpoints the operator triggers, and which savepoints it keeps. */
public final class SnapshotOptions {
    private static final OptionGroup OPTIONS = new OptionGroup();

    public static final Option<String> SAVEPOINT_FORMAT =
            OPTIONS.option("savepoint.format.type", oneOf("CANONICAL", "NATIVE"), "CANONICAL")
                    .ofResourcesToo()
                    .now("The format of savepoints.");

    public static final Option<String> CHECKPOINT_TYPE =
            OPTIONS.option("checkpoint.type", oneOf("FULL", "INCREMENTAL"), "FULL")
                    .ofResourcesToo()
                    .now("The type of triggered checkpoints.");

    public static final Option<Integer> HISTORY_MAX_COUNT =
            OPTIONS.option("savepoint.history.max.count", NUMBER, "10")
                    .ofResourcesToo()
                    .now("How many savepoints are kept.");

    public static final Option<Duration> HISTORY_MAX_AGE =
            OPTIONS.option("savepoint.history.max.age", DURATION, "24 h")
                    .ofResourcesToo()
                    .now("How long savepoints are kept.");

    public static final Option<Optional<Integer>> HISTORY_MAX_COUNT_THRESHOLD =
            OPTIONS.option("savepoint.history.max.count.threshold", NUMBER)
                    .now("The largest savepoint.history.max.count that a resource may set.");

    public static final Option<Optional<Duration>> HISTORY_MAX_AGE_THRESHOLD =
            OPTIONS.option("savepoint.history.max.age.threshold", DURATION)
                    .now("The largest savepoint.history.max.age that a resource may set.");

    public static final Option<Boolean> CLEANUP =
            OPTIONS.option("savepoint.cleanup.enabled", FLAG, "true")
                    .ofResourcesToo()
                    .now("Whether old savepoints are deleted.");

    public static final Option<Optional<Schedule>> PERIODIC_SAVEPOINT_INTERVAL =
            OPTIONS.option("periodic.savepoint.interval", SCHEDULE)
                    .ofResourcesToo()
                    .now("When savepoints are triggered: a duration or a Quartz cron expression.");

    public static final Option<Optional<Schedule>> PERIODIC_CHECKPOINT_INTERVAL =
            OPTIONS.option("periodic.checkpoint.interval", SCHEDULE)
                    .ofResourcesToo()
                    .now("When checkpoints are triggered: a duration or a Quartz cron expression.");

    public static final Option<Duration> SAVEPOINT_GRACE_PERIOD =
            OPTIONS.option("savepoint.trigger.grace-period", DURATION, "1 min")
                    .formerly("observer.savepoint.trigger.grace-period")
                    .ofResourcesToo()
                    .now(
                            "A savepoint that fails within this time after its trigger is triggered"
                                    + " again, up to five times in all. A later failure is final.");

    public static final Option<Duration> CHECKPOINT_GRACE_PERIOD =
            OPTIONS.option("checkpoint.trigger.grace-period", DURATION, "1 min")
                    .ofResourcesToo()
                    .now(
                            "A checkpoint that fails within this time after its trigger is"
                                    + " triggered again, up to five times in all. A later failure"
                                    + " is final.");

    public static final Option<Boolean> RESOURCE_ENABLED =
            OPTIONS.option("snapshot.resource.enabled", FLAG, "true")
                    .ofResourcesToo()
                    .now(
                            "Whether nonces, schedules and stops with a savepoint are recorded as"
                                    + " FlinkStateSnapshots; otherwise they are in"
                                    + " status.jobStatus. Without the CRD they are always there.");

    public static final Option<Boolean> DISPOSE_ON_DELETE =
            OPTIONS.option("savepoint.dispose-on-delete", FLAG, "false")
                    .ofResourcesToo()
                    .now(
                            "Whether the savepoint of a FlinkStateSnapshot that the operator"
                                    + " creates is deleted together with it.");

    public static final Option<Duration> JOB_WAIT =
            OPTIONS.option("snapshot.job-wait", DURATION, "10 min")
                    .where(wait -> !wait.isNegative())
                    .now(
                            "How long a FlinkStateSnapshot waits for a job that does not run, from"
                                    + " its creation or its last try, before it is abandoned.");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private SnapshotOptions() {}

    /** When savepoints or checkpoints are triggered. */
    public static Option<Optional<Schedule>> interval(StateKind kind) {
        return switch (kind) {
            case SAVEPOINT -> PERIODIC_SAVEPOINT_INTERVAL;
            case CHECKPOINT -> PERIODIC_CHECKPOINT_INTERVAL;
        };
    }
}
