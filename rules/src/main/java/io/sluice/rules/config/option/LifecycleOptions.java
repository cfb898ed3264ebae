// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.DURATION;
import static io.sluice.rules.config.option.OptionType.FLAG;
import static io.sluice.rules.config.option.OptionType.NUMBER;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How jobs are upgraded, restarted, rolled back and removed, and when one counts as unhealthy. */
public final class LifecycleOptions {
    private static final OptionGroup OPTIONS = new OptionGroup();

    public static final Option<Boolean> ROLLBACK =
            OPTIONS.option("deployment.rollback.enabled", FLAG, "false")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now("go back to the last stable spec");

    public static final Option<Duration> READINESS_TIMEOUT =
            OPTIONS.option("deployment.readiness.timeout", DURATION, "5 min")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now("until a spec has to be stable");

    public static final Option<Duration> SHUTDOWN_TTL =
            OPTIONS.option("jm-deployment.shutdown-ttl", DURATION, "1 d")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now("until the JobManager of a job that has ended is removed");

    public static final Option<Boolean> JOB_MANAGER_RECOVERY =
            OPTIONS.option("jm-deployment-recovery.enabled", FLAG, "true")
                    .formerly("reconciler.jm-deployment-recovery.enabled")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now("make a lost JobManager anew");

    public static final Option<Boolean> STARTUP_PROBE =
            OPTIONS.option("jm-deployment.startup.probe.enabled", FLAG, "true")
                    .ofResourcesToo()
                    .now(
                            "a JobManager counts as started once its REST API answers; a"
                                    + " startupProbe of its pod template goes before");

    public static final Option<Boolean> LAST_STATE_FALLBACK =
            OPTIONS.option("job.upgrade.last-state-fallback.enabled", FLAG, "true")
                    .ofResourcesToo()
                    .now("last state where a savepoint can't be made");

    public static final Option<Optional<Duration>> MAX_CHECKPOINT_AGE =
            OPTIONS.option("job.upgrade.last-state.max.allowed.checkpoint.age", DURATION)
                    .ofResourcesToo()
                    .checkedInResources()
                    .now("else a savepoint is made");

    public static final Option<Boolean> LAST_STATE_BY_CANCEL =
            OPTIONS.option("job.upgrade.last-state.job-cancel.enabled", FLAG, "false")
                    .ofResourcesToo()
                    .now("cancel the job for its last state");

    public static final Option<Boolean> IGNORE_PENDING_SAVEPOINT =
            OPTIONS.option("job.upgrade.ignore-pending-savepoint", FLAG, "false")
                    .ofResourcesToo()
                    .now("do not wait for one");

    public static final Option<Boolean> RESTART_FAILED =
            OPTIONS.option("job.restart.failed", FLAG, "false")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now("start a failed job again");

    public static final Option<Boolean> RESTART_LOST_STATE =
            OPTIONS.option("job.restart.lost-state", FLAG, "false")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now(
                            "start a job again from its last known state when a JobManager without"
                                    + " high availability restarted and began it anew");

    public static final Option<Boolean> SAVEPOINT_ON_DELETION =
            OPTIONS.option("job.savepoint-on-deletion", FLAG, "false")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now("stop with a savepoint when the resource goes");

    public static final Option<Boolean> DRAIN =
            OPTIONS.option("job.drain-on-savepoint-deletion", FLAG, "false")
                    .ofResourcesToo()
                    .now(
                            "drain the job whenever it is stopped with a savepoint, for an upgrade"
                                    + " or a suspension too: its windows and timers fire before"
                                    + " the savepoint as if nothing more came");

    public static final Option<Boolean> HEALTH_CHECK =
            OPTIONS.option("cluster.health-check.enabled", FLAG, "false")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now("start an unhealthy job again");

    public static final Option<Duration> RESTARTS_WINDOW =
            OPTIONS.option("cluster.health-check.restarts.window", DURATION, "2 min")
                    .ofResourcesToo()
                    .now("in which restarts are counted");

    public static final Option<Integer> RESTARTS_THRESHOLD =
            OPTIONS.option("cluster.health-check.restarts.threshold", NUMBER, "64")
                    .ofResourcesToo()
                    .now("so many are too many");

    public static final Option<Boolean> CHECKPOINT_PROGRESS =
            OPTIONS.option("cluster.health-check.checkpoint-progress.enabled", FLAG, "true")
                    .ofResourcesToo()
                    .now("a job without new checkpoints is unhealthy");

    public static final Option<Optional<Duration>> CHECKPOINT_PROGRESS_WINDOW =
            OPTIONS.option("cluster.health-check.checkpoint-progress.window", DURATION)
                    .ofResourcesToo()
                    .now("for how long");

    public static final Option<Duration> CLEANUP_TIMEOUT =
            OPTIONS.option("resource.cleanup.timeout", DURATION, "5 min")
                    .formerly("reconciler.flink.cluster.shutdown.timeout")
                    .checkedInResources()
                    .now(
                            "for a last savepoint when a resource is deleted; other removals are"
                                    + " not waited for");

    public static final Option<Boolean> BLOCK_ON_SESSION_JOBS =
            OPTIONS.option("session.deletion.block-on-session-jobs", FLAG, "true")
                    .ofResourcesToo()
                    .now("keep a session cluster that has session jobs");

    public static final Option<Boolean> BLOCK_ON_UNMANAGED_JOBS =
            OPTIONS.option("session.deletion.block-on-unmanaged-jobs", FLAG, "true")
                    .formerly("session.block-on-unmanaged-jobs")
                    .ofResourcesToo()
                    .now("and one that has other jobs");

    public static final Option<Boolean> IN_PLACE_SCALING =
            OPTIONS.option("job.upgrade.inplace-scaling.enabled", FLAG, "true")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now(
                            "whether another parallelism may be brought about while the job runs;"
                                    + " else it takes an upgrade");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private LifecycleOptions() {}
}
