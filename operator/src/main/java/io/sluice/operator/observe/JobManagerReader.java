// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.model.AttemptHistory;
import io.sluice.operator.model.ClusterHealth;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.RunView;
import io.sluice.operator.model.ScalingView;
import io.sluice.operator.model.StateView;
import io.sluice.operator.model.StateView.StopView;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.Jobs;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Asks the JobManager of one resource, only where there is one that can answer. */
final class JobManagerReader {
    private final KnownResource known;
    private final ChildReader children;
    private final JobManagerRest rest;
    private final HealthMonitor health;
    private final ObservationMemory memory;

    JobManagerReader(
            KnownResource known,
            ChildReader children,
            JobManagerRest rest,
            HealthMonitor health,
            ObservationMemory memory) {
        this.known = known;
        this.children = children;
        this.rest = rest;
        this.health = health;
        this.memory = memory;
    }

    /** Asked before the job: an end that is told is not taken for one that is still to come. */
    StopView stopped() {
        return known.stop()
                .map(it -> StateReader.stop(rest, known.at(), known.jobId().orElseThrow(), it))
                .orElseGet(StopView.NotAsked::new);
    }

    JobView job() {
        return known.jobId()
                .map(id -> JobReader.job(rest, known.at(), id))
                .orElseGet(JobView.NotAsked::new);
    }

    /** A job that was started without state goes by the name of its attempt. */
    JobView former() {
        boolean discards =
                known.lastReconciled()
                        .flatMap(taken -> taken.spec().job())
                        .filter(job -> job.upgradeMode() == UpgradeMode.STATELESS)
                        .isPresent();
        return discards
                        && known.cluster().jobManager()
                                instanceof JobManagerView.Present(_, var attempt, var available, _)
                        && available
                        && !attempt.equals(known.status().attempt().id())
                ? attempt.map(id -> JobReader.job(rest, known.at(), id))
                        .orElseGet(JobView.NotAsked::new)
                : new JobView.NotAsked();
    }

    ScalingView scaling(JobView job) {
        if (known.isStandalone()) {
            return new ScalingView.TaskManagers(known.taskManagers());
        }
        boolean inPlace =
                known.running()
                        .isScaledInPlace(known.runs().flatMap(it -> it.spec().flinkVersion()));
        return known.jobId()
                .filter(_ -> !known.deleting())
                .map(id -> JobReader.scaling(rest, known.at(), id, known.overrides(), inPlace, job))
                .orElseGet(ScalingView.NotAsked::new);
    }

    Optional<ClusterHealth> health(JobView job, ScalingView scaling) {
        return health.judge(
                new HealthMonitor.Subject(
                        known.resource().getMetadata().getUid(),
                        known.status(),
                        ClusterHealth.Thresholds.of(known.running()),
                        job,
                        scaling),
                names -> rest.metrics(known.at(), known.jobId().orElse(""), names),
                known.now());
    }

    Target target() {
        if (!SessionClusterLinks.isSession(known.resource(), known.lastReconciled())) {
            return new Target.Application();
        }
        Jobs jobs = known.isAvailable() ? JobReader.jobs(rest, known.at()) : new Jobs.NotAsked();
        return new Target.SessionCluster(
                sessionJobs().stream().map(SessionClusterLinks::sessionJob).toList(),
                jobs,
                memory.silentSince(known.resource().getMetadata().getUid(), jobs, known.now()));
    }

    /**
     * Once it is on record that the cluster goes, those that began to end before have to be seen.
     */
    private List<FlinkSessionJob> sessionJobs() {
        boolean goes =
                !known.deleting()
                        && known.cluster().jobManager() instanceof JobManagerView.Present
                        && known.isUnderWay();
        return goes ? children.sessionJobs(known.resource()) : known.found().sessionJobs();
    }

    StateView state(StopView stopped, JobView job, boolean restarting) {
        boolean matters = restarting || known.hasEndedBeforeItRan(job);
        return new StateView(
                (known.deleting() ? AttemptHistory.neverBegan(known.status()) : matters)
                        ? children.recoverable(known.resource())
                        : Set.of(),
                stopped,
                StateReader.lastIfItMatters(
                        rest,
                        known.at(),
                        job,
                        restarting,
                        known.running(),
                        memory,
                        known.resource().getMetadata().getUid()),
                StateReader.retentionIfItMatters(rest, known.at(), job, known.mayCancel()));
    }

    /**
     * @param state what {@link #state} has read
     */
    RunView run(Target target, JobView job, StateView state) {
        var metadata = known.resource().getMetadata();
        Instant created = created(metadata).orElse(known.now());
        var reading = new RunReader(rest, known.at(), metadata.getUid(), memory, known.now());
        FlinkDeploymentStatus status = known.status();
        if (target instanceof Target.SessionCluster(_, Jobs.Listed jobs, _)) {
            return known.deleting() ? RunView.none(created) : reading.of(created, status, jobs);
        }
        return job instanceof JobView.NotAsked
                ? reading.unasked(created, status.jobStatus(), state)
                : reading.of(
                        created,
                        status.jobStatus(),
                        job,
                        RunView.ClusterFacts.areRecorded(status),
                        state);
    }

    private static Optional<Instant> created(ObjectMeta metadata) {
        return Optional.ofNullable(metadata.getCreationTimestamp()).map(Instant::parse);
    }
}
