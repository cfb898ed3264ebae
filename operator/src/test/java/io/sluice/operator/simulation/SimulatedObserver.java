// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.json.Parsed;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobState;
import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.model.ClusterHealth;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.ClusterView.PodFacts;
import io.sluice.operator.model.ClusterView.PodProblem;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.ObservedState.Identity;
import io.sluice.operator.model.ObservedState.Polls;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.RunView;
import io.sluice.operator.model.ScalingView;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.StartOptions;
import io.sluice.operator.model.StateView;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.StateView.Retention;
import io.sluice.operator.model.StateView.StopView;
import io.sluice.operator.model.Target;
import io.sluice.operator.observe.ApacheStatusMigration;
import io.sluice.operator.observe.CacheRule;
import io.sluice.operator.observe.JobManagerScaleDown;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.Observer;
import io.sluice.operator.observe.RejectedManifests;
import io.sluice.operator.observe.StateReader;
import io.sluice.operator.simulation.flaw.AssumedResource;
import io.sluice.operator.simulation.flaw.Flaws;
import io.sluice.operator.system.LastOf;
import io.sluice.rules.config.Options;
import io.sluice.testkit.sim.Cluster;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.FlinkProcess;
import io.sluice.testkit.sim.History;
import io.sluice.testkit.sim.Launch;
import io.sluice.testkit.sim.SimulatedPod;
import io.sluice.testkit.sim.World;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads a simulated world as informers do: Deployments and pods each late in their own way. */
final class SimulatedObserver implements Observer {
    /** How often in a hundred reads a cache is behind. */
    private static final int LAG = 20;

    /**
     * Where caches are to be found out: what an operator that trusts them does wrong needs several
     * reads in a row that are late.
     */
    private static final int SLOW_LAG = 90;

    private static final Polls POLLS = new Polls(Duration.ofSeconds(15), Duration.ofSeconds(2));

    private final Environment environment;
    private final World world;
    private final SimulatedAutoscaler autoscaler;
    private final SimulatedDefaults defaults;
    private final Set<Flaws> flaws;
    private final RejectedManifests rejectedManifests;
    private final ObservationMemory memory;
    private final SimulatedPulls pulls;
    private boolean sawJobUp;
    private final LastOf<ObjectNode, FlinkDeploymentStatus> statuses = new LastOf<>();
    private final LastOf<ObjectNode, Parsed<FlinkDeploymentSpec>> specs = new LastOf<>();
    private final History.LateReader<Cluster.Objects> deployments;
    private final History.LateReader<Cluster.Objects> pods;

    SimulatedObserver(
            World world,
            SimulatedAutoscaler autoscaler,
            SimulatedDefaults defaults,
            Set<Flaws> flaws,
            RejectedManifests rejectedManifests,
            ObservationMemory memory,
            SimulatedPulls pulls) {
        this.pulls = pulls;
        this.autoscaler = autoscaler;
        this.defaults = defaults;
        this.memory = memory;
        this.world = world;
        this.flaws = flaws;
        this.rejectedManifests = rejectedManifests;
        environment = world.environment();
        deployments = world.cluster().objects().watch();
        pods = world.cluster().objects().watch();
    }

    @Override
    public ObservedState observe(FlinkDeployment resource) {
        var metadata = resource.getMetadata();
        AssumedResource belief = AssumedResource.of(resource, isIll(), flaws);
        var status = status(belief.status(), metadata.getDeletionTimestamp() != null);
        var parsed = specs.get(belief.spec(), spec -> FlinkDeploymentSpec.parse(spec, "spec"));
        boolean deleting = metadata.getDeletionTimestamp() != null;
        SpecView spec =
                autoscaler.in(
                        parsed.isClean()
                                ? new SpecView.Valid(parsed.value(), resource.getSpec())
                                : SpecView.Invalid.of(
                                        belief.spec(),
                                        Reason.SPEC_INVALID,
                                        List.of(parsed.problems().getFirst().text())));
        boolean answers = !environment.faults().strikes(10);
        ClusterView cluster =
                answers || !flaws.contains(Flaws.UNREACHABLE_IS_GONE)
                        ? cluster(metadata.getUid(), status, spec, deleting)
                        : ClusterView.NONE;
        String jobId = status.jobStatus().jobId().orElse("");
        StopView stop = answers ? stop(status.attempt().stop()) : new StopView.Silent("timed out");
        JobView job = answers ? job(jobId, status) : new JobView.Unreachable("timed out");
        Optional<ClusterHealth> health = health(status, job);
        JobView asked =
                cluster.jobManager() instanceof JobManagerView.Present(_, _, var up, _) && up
                        ? job
                        : new JobView.NotAsked();
        Optional<LastReconciledSpec> lastReconciled =
                LastReconciledSpec.from(status.reconciliationStatus());
        Map<String, Integer> overrides = spec.parallelism(lastReconciled).byVertex();
        StateView state =
                new StateView(
                        recoverable(jobId, health),
                        stop,
                        answers ? last(job) : new LastCheckpoints.NotAsked(),
                        retention(answers));
        ObservedState observed =
                new ObservedState(
                        new Identity(
                                metadata.getNamespace(),
                                metadata.getName(),
                                metadata.getUid(),
                                metadata.getGeneration(),
                                deleting),
                        new Target.Application(),
                        spec,
                        status,
                        lastReconciled,
                        defaults.now(),
                        cluster.withImagePulls(pulls.read(metadata.getUid(), memory.imagePulls())),
                        asked,
                        overrides,
                        overrides.isEmpty() || !(asked instanceof JobView.Seen seen && seen.isUp())
                                ? new ScalingView.NotAsked()
                                : new ScalingView.ByRestart(),
                        state,
                        rejectedManifests.of(metadata.getUid(), status.attempt().id()),
                        health,
                        POLLS,
                        environment.clock().instant(),
                        new SimulatedRun(
                                        environment,
                                        memory,
                                        world.cluster().answering().filter(_ -> answers))
                                .of(
                                        metadata.getUid(),
                                        status.jobStatus(),
                                        asked,
                                        RunView.ClusterFacts.areRecorded(status))
                                .withFormer(
                                        answers ? former(cluster, status) : new JobView.NotAsked()),
                        Optional.empty());
        sawJobUp = observed.job() instanceof JobView.Seen seen && seen.isUp();
        return observed;
    }

    /** Ours, or in the words of whoever wrote it last. */
    private FlinkDeploymentStatus status(ObjectNode stored, boolean deleting) {
        boolean isOurs = deleting || stored.has("attempt") || !stored.has("reconciliationStatus");
        return isOurs
                ? statuses.get(stored, FlinkDeploymentStatus::of)
                : ApacheStatusMigration.read(stored, existing(), environment.clock().instant());
    }

    private Optional<Deployment> existing() {
        return world.cluster()
                .objects()
                .latest()
                .deployment()
                .filter(it -> !it.terminating())
                .map(
                        it ->
                                new DeploymentBuilder()
                                        .withNewMetadata()
                                        .addToAnnotations(
                                                ManifestRenderer.GENERATION_ANNOTATION,
                                                Long.toString(it.generation()))
                                        .addToAnnotations(
                                                ManifestRenderer.ATTEMPT_ANNOTATION, it.attempt())
                                        .endMetadata()
                                        .build());
    }

    /** Whether the last snapshot showed a job all of whose tasks run. */
    boolean sawJobUp() {
        return sawJobUp;
    }

    /** What a cancellation would leave, where it can be asked. */
    private Retention retention(boolean answers) {
        return answers
                ? new Retention.Known(
                        world.cluster()
                                .answering()
                                .map(process -> retention(process.launch().saving()))
                                .orElse(CheckpointRetention.RETAINED))
                : new Retention.Unread("timed out");
    }

    private static CheckpointRetention retention(Launch.StateSupport saving) {
        if (!saving.checkpoints()) {
            return CheckpointRetention.NO_CHECKPOINTS;
        }
        return saving.afterCancellation()
                ? CheckpointRetention.RETAINED
                : CheckpointRetention.DELETED;
    }

    private Set<String> recoverable(String jobId, Optional<ClusterHealth> health) {
        Set<String> recoverable = new HashSet<>(world.cluster().storage().recoverable());
        if (flaws.contains(Flaws.UNHEALTHY_WITHOUT_METADATA)
                && health.filter(it -> !it.isHealthy()).isPresent()) {
            recoverable.add(jobId);
        }
        return recoverable;
    }

    private boolean isIll() {
        return world.cluster().answering().filter(FlinkProcess::isIll).isPresent();
    }

    private Optional<ClusterHealth> health(FlinkDeploymentStatus status, JobView job) {
        boolean watched =
                LastReconciledSpec.running(status)
                        .map(runs -> new Options(runs.spec().flinkConfiguration()))
                        .filter(options -> ClusterHealth.Thresholds.of(options).enabled())
                        .isPresent();
        if (!watched || !(job instanceof JobView.Seen)) {
            return Optional.empty();
        }
        boolean ill = isIll();
        return Optional.of(
                new ClusterHealth(
                        Instant.EPOCH,
                        0,
                        Instant.EPOCH,
                        0,
                        Instant.EPOCH,
                        ill ? Optional.of("restarts all the time") : Optional.empty()));
    }

    private ClusterView cluster(
            String owner, FlinkDeploymentStatus status, SpecView spec, boolean deleting) {
        int lag = flaws.contains(Flaws.CACHE_IS_TRUTH) ? SLOW_LAG : LAG;
        Cluster.Objects late = deployments.read(environment.faults(), environment.dice(), lag);
        Cluster.Objects latePods = pods.read(environment.faults(), environment.dice(), lag);
        ClusterView cached = view(owner, late, latePods);
        boolean enough =
                CacheRule.isEnough(
                        cached,
                        status.attempt().id(),
                        () -> status,
                        deleting,
                        _ -> spec,
                        runs ->
                                new Options(
                                        StartOptions.running(
                                                runs.map(it -> defaults.effective(it.spec()))
                                                        .orElse(FlinkConfiguration.EMPTY),
                                                status.attempt().startedWith())),
                        environment.clock().instant());
        if (enough || flaws.contains(Flaws.CACHE_IS_TRUTH)) {
            return cached;
        }
        Cluster.Objects now = world.cluster().objects().latest();
        return view(owner, now, now);
    }

    /** All that there is belongs to the resource: the world has no other. */
    private ClusterView view(String owner, Cluster.Objects deployment, Cluster.Objects podList) {
        Optional<PodProblem> problem =
                podList.pods().stream()
                        .flatMap(pod -> pod.problem().stream())
                        .map(why -> new PodProblem(why, "flink-main-container: " + why))
                        .findFirst();
        int count = flaws.contains(Flaws.DELETION_NOT_AWAITED) ? 0 : podList.pods().size();
        return new ClusterView(
                jobManager(deployment, podList),
                count,
                problem,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                problem.isPresent(),
                deployment.deployment().isPresent() ? Set.of(owner) : Set.of(),
                new PodFacts(
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        podList.pods().stream().anyMatch(pod -> !pod.isJobManager())));
    }

    private static JobManagerView jobManager(Cluster.Objects objects, Cluster.Objects podList) {
        boolean available =
                podList.pods().stream()
                        .anyMatch(
                                pod ->
                                        pod.isJobManager()
                                                && pod.phase() == SimulatedPod.Phase.RUNNING);
        return objects.deployment()
                .<JobManagerView>map(
                        deployment ->
                                deployment.terminating() || deployment.isMarked()
                                        ? new JobManagerView.Terminating(next(deployment, podList))
                                        : new JobManagerView.Present(
                                                deployment.uid(),
                                                Optional.of(deployment.attempt()),
                                                available,
                                                deployment.everAvailable()))
                .orElseGet(JobManagerView.Absent::new);
    }

    /** As {@link JobManagerScaleDown#next}. */
    private static Optional<JobManagerView.Step> next(
            Cluster.JobManagerDeployment deployment, Cluster.Objects podList) {
        boolean isStopped = podList.pods().stream().noneMatch(SimulatedPod::isJobManager);
        boolean isUp = !deployment.isScaledDown();
        return !deployment.terminating() && (isStopped || isUp)
                ? Optional.of(new JobManagerView.Step(deployment.uid(), !isUp))
                : Optional.empty();
    }

    private JobView former(ClusterView cluster, FlinkDeploymentStatus status) {
        return cluster.jobManager() instanceof JobManagerView.Present(_, var attempt, var up, _)
                        && up
                        && !attempt.equals(status.attempt().id())
                ? job(attempt.orElse(""), status)
                : new JobView.NotAsked();
    }

    private JobView job(String jobId, FlinkDeploymentStatus status) {
        Optional<FlinkProcess> answering = world.cluster().answering();
        if (answering.isEmpty()) {
            return new JobView.Unreachable("connection refused");
        }
        return answering
                .filter(process -> process.jobId().equals(jobId))
                .flatMap(process -> process.state().map(state -> seen(process, state, status)))
                .orElseGet(JobView.NotListed::new);
    }

    private JobView seen(FlinkProcess process, String state, FlinkDeploymentStatus status) {
        var startTime =
                flaws.contains(Flaws.RESTART_NOT_NOTICED)
                        ? status.jobStatus().startTime().orElse(process.startTime())
                        : process.startTime();
        boolean misread = flaws.contains(Flaws.ANY_END_IS_FAILURE) && process.hasEnded();
        return new JobView.Seen(
                misread ? JobState.FAILED : JobState.valueOf(state),
                new JobOverview(
                        process.jobId(),
                        "orders",
                        state,
                        startTime,
                        process.endTime(),
                        new TaskCounts(2, process.tasksUp() ? 2 : 0, 0),
                        process.lastChange()));
    }

    /** Of the process that answers now; one that restarted knows of no stop. */
    private StopView stop(Optional<StopStatus> asked) {
        Optional<FlinkProcess> answering = world.cluster().answering();
        if (asked.isEmpty() || answering.isEmpty()) {
            return asked.isEmpty() ? new StopView.NotAsked() : new StopView.Silent("refused");
        }
        return new StopView.Known(
                answering
                        .flatMap(process -> process.stop(asked.get().triggerId()))
                        .map(this::told)
                        .orElseGet(SavepointStatus.Unknown::new));
    }

    private SavepointStatus told(FlinkProcess.Stop stop) {
        return switch (stop) {
            case FlinkProcess.Stop.InProgress() -> new SavepointStatus.InProgress();
            case FlinkProcess.Stop.Completed(var path) -> new SavepointStatus.Completed(path);
            case FlinkProcess.Stop.Failed(var path) ->
                    flaws.contains(Flaws.PATH_OF_A_FAILED_STOP) && path.isPresent()
                            ? new SavepointStatus.Completed(path.get())
                            : new SavepointStatus.Failed("failed", path);
        };
    }

    private LastCheckpoints last(JobView job) {
        boolean matters =
                job instanceof JobView.Seen(var state, _)
                        && (state.isTerminal() || state == JobState.RUNNING);
        if (!matters || !(job instanceof JobView.Seen seen)) {
            return new LastCheckpoints.NotAsked();
        }
        boolean stale =
                seen.state().isTerminal()
                        && StateReader.mayBeStale(
                                memory.sinceEnd("", seen.overview()), FlinkProcess.CACHED);
        if (stale && !flaws.contains(Flaws.CHECKPOINTS_FROM_A_CACHE)) {
            return new LastCheckpoints.Unread("just ended");
        }
        if (environment.faults().strikes(20)) {
            return flaws.contains(Flaws.UNREAD_IS_NONE)
                    ? new LastCheckpoints.Known(Checkpoints.NONE)
                    : new LastCheckpoints.Unread("timed out");
        }
        FlinkProcess.StateReport told = world.cluster().answering().orElseThrow().told();
        boolean older = flaws.contains(Flaws.OLDER_CHECKPOINT);
        return new LastCheckpoints.Known(
                new Checkpoints(
                        older ? Optional.empty() : told.checkpoint().map(this::reference),
                        older ? Optional.empty() : told.savepoint().map(this::reference),
                        told.restored().map(this::reference),
                        List.of()));
    }

    private CheckpointRef reference(FlinkProcess.Saved saved) {
        return new CheckpointRef(
                saved.id(),
                saved.path(),
                flaws.contains(Flaws.CHECKPOINT_AGE_IGNORED)
                        ? environment.clock().instant()
                        : saved.at(),
                saved.path().startsWith("chk-") && !world.cluster().storage().holds(saved.path()));
    }
}
