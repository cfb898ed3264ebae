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
                    .now(
                            "Whether the last stable spec is deployed if the current one does not"
                                    + " become stable.");

    public static final Option<Duration> READINESS_TIMEOUT =
            OPTIONS.option("deployment.readiness.timeout", DURATION, "5 min")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now("How long a spec may take until it is stable.");

    public static final Option<Boolean> PULL_IMAGE_FIRST =
            OPTIONS.option("deployment.pull-image-first", FLAG, "true")
                    .ofResourcesToo()
                    .checkedInResources()
                    .addedBySluice()
                    .now(
                            "Whether a kubelet has to pull a changed image before a running job, or"
                                    + " session cluster, is stopped for it. As long as the image"
                                    + " can't be pulled, the former spec runs on.");

    public static final Option<Duration> SHUTDOWN_TTL =
            OPTIONS.option("jm-deployment.shutdown-ttl", DURATION, "1 d")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now("How long the JobManager of a job that has ended is kept.");

    public static final Option<Boolean> JOB_MANAGER_RECOVERY =
            OPTIONS.option("jm-deployment-recovery.enabled", FLAG, "true")
                    .formerly("reconciler.jm-deployment-recovery.enabled")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now("Whether a lost JobManager is created again.");

    public static final Option<Boolean> STARTUP_PROBE =
            OPTIONS.option("jm-deployment.startup.probe.enabled", FLAG, "true")
                    .ofResourcesToo()
                    .now(
                            "Whether a JobManager counts as started only when its REST API answers."
                                    + " A startupProbe in the pod template has priority.");

    public static final Option<Boolean> LAST_STATE_FALLBACK =
            OPTIONS.option("job.upgrade.last-state-fallback.enabled", FLAG, "true")
                    .ofResourcesToo()
                    .now("Whether the last state is used if a savepoint can't be made.");

    public static final Option<Optional<Duration>> MAX_CHECKPOINT_AGE =
            OPTIONS.option("job.upgrade.last-state.max.allowed.checkpoint.age", DURATION)
                    .ofResourcesToo()
                    .checkedInResources()
                    .now(
                            "The greatest age of a checkpoint that a last-state upgrade uses. If it"
                                    + " is older, a savepoint is made.");

    public static final Option<Boolean> LAST_STATE_BY_CANCEL =
            OPTIONS.option("job.upgrade.last-state.job-cancel.enabled", FLAG, "false")
                    .ofResourcesToo()
                    .now("Whether a last-state upgrade cancels the job.");

    public static final Option<Boolean> IGNORE_PENDING_SAVEPOINT =
            OPTIONS.option("job.upgrade.ignore-pending-savepoint", FLAG, "false")
                    .ofResourcesToo()
                    .now("Whether an upgrade does not wait for a savepoint in progress.");

    public static final Option<Boolean> RESTART_FAILED =
            OPTIONS.option("job.restart.failed", FLAG, "false")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now("Whether a failed job is started again.");

    public static final Option<Boolean> RESTART_LOST_STATE =
            OPTIONS.option("job.restart.lost-state", FLAG, "false")
                    .ofResourcesToo()
                    .checkedInResources()
                    .addedBySluice()
                    .now(
                            "Whether a job is started again from its last known state if a"
                                    + " JobManager without high availability has restarted and"
                                    + " started it without state.");

    public static final Option<Boolean> SAVEPOINT_ON_DELETION =
            OPTIONS.option("job.savepoint-on-deletion", FLAG, "false")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now(
                            "Whether the job is stopped with a savepoint when its resource is"
                                    + " deleted.");

    public static final Option<Boolean> DRAIN =
            OPTIONS.option("job.drain-on-savepoint-deletion", FLAG, "false")
                    .ofResourcesToo()
                    .now(
                            "Whether the job is drained each time it is stopped with a savepoint,"
                                    + " also for an upgrade or a suspension. Its windows and"
                                    + " timers then fire before the savepoint, as if its input"
                                    + " had ended.");

    public static final Option<Boolean> HEALTH_CHECK =
            OPTIONS.option("cluster.health-check.enabled", FLAG, "false")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now("Whether an unhealthy job is started again.");

    public static final Option<Duration> RESTARTS_WINDOW =
            OPTIONS.option("cluster.health-check.restarts.window", DURATION, "2 min")
                    .ofResourcesToo()
                    .now("The window in which restarts are counted.");

    public static final Option<Integer> RESTARTS_THRESHOLD =
            OPTIONS.option("cluster.health-check.restarts.threshold", NUMBER, "64")
                    .ofResourcesToo()
                    .now("A job with more restarts in that window is unhealthy.");

    public static final Option<Boolean> CHECKPOINT_PROGRESS =
            OPTIONS.option("cluster.health-check.checkpoint-progress.enabled", FLAG, "true")
                    .ofResourcesToo()
                    .now("Whether a job without new checkpoints is unhealthy.");

    public static final Option<Optional<Duration>> CHECKPOINT_PROGRESS_WINDOW =
            OPTIONS.option("cluster.health-check.checkpoint-progress.window", DURATION)
                    .ofResourcesToo()
                    .now("The window in which a checkpoint has to be completed.");

    public static final Option<Duration> CLEANUP_TIMEOUT =
            OPTIONS.option("resource.cleanup.timeout", DURATION, "5 min")
                    .formerly("reconciler.flink.cluster.shutdown.timeout")
                    .checkedInResources()
                    .now(
                            "How long the deletion of a resource waits for its last savepoint, and"
                                    + " the deletion of a FlinkStateSnapshot for that of its"
                                    + " files. Other removals are not waited for.");

    public static final Option<Boolean> BLOCK_ON_SESSION_JOBS =
            OPTIONS.option("session.deletion.block-on-session-jobs", FLAG, "true")
                    .ofResourcesToo()
                    .now(
                            "Whether a session cluster with session jobs is kept when its resource"
                                    + " is deleted.");

    public static final Option<Boolean> BLOCK_ON_UNMANAGED_JOBS =
            OPTIONS.option("session.deletion.block-on-unmanaged-jobs", FLAG, "true")
                    .formerly("session.block-on-unmanaged-jobs")
                    .ofResourcesToo()
                    .now(
                            "Whether a session cluster with other jobs is kept when its resource is"
                                    + " deleted.");

    public static final Option<Boolean> IN_PLACE_SCALING =
            OPTIONS.option("job.upgrade.inplace-scaling.enabled", FLAG, "true")
                    .ofResourcesToo()
                    .checkedInResources()
                    .now(
                            "Whether the parallelism is changed while the job runs, if possible."
                                    + " Otherwise the job is upgraded.");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private LifecycleOptions() {}
}
