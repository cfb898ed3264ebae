// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.api.DeploymentMode;
import io.sluice.api.DesiredJobState;
import io.sluice.api.FlinkConfiguration;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.StopStatus;
import io.sluice.api.UpgradeMode;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.manifest.StateOptions;
import io.sluice.operator.model.AttemptHistory;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.model.ClusterHealth;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.ClusterView.PodProblem;
import io.sluice.operator.model.HealthThresholds;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.ReadinessDeadline;
import io.sluice.operator.model.RunView;
import io.sluice.operator.model.ScalingView;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.StartOptions;
import io.sluice.operator.model.StateView;
import io.sluice.operator.model.StateView.StopView;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.Jobs;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.diff.SpecDiff;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Observes from caches, and asks the JobManager only where there is one that can answer. */
public final class ClusterObserver implements Observer {
    private final Function<FlinkDeployment, ChildResources> cached;
    private final Function<FlinkDeployment, ChildResources> live;
    private final Function<FlinkDeployment, List<FlinkSessionJob>> guests;
    private final Function<FlinkDeployment, Set<String>> recoverable;
    private final Function<Pod, Optional<String>> mounts;
    private final JobManagerRest rest;
    private final Function<FlinkDeployment, URI> address;
    private final DefaultConfiguration defaults;
    private final SpecValidators validators;
    private final RejectedManifests rejectedManifests;
    private final HealthMonitor watch;
    private final ObservationMemory memory;
    private final InstantSource clock;

    /**
     * @param cached what the caches hold of a resource's children
     * @param live the same, asked of the API server; only where a start or an end hangs on it
     * @param guests the session jobs of a cluster, asked of the API server; only before the cluster
     *     goes
     * @param recoverable ids of the jobs whose high-availability metadata names a checkpoint, asked
     *     of the API server
     * @param mounts what keeps the volumes of a pod that waits from being mounted
     * @param validators are asked beside the built-in rules
     * @param address where a resource's JobManager answers; never taken from what the user wrote
     */
    public ClusterObserver(
            Function<FlinkDeployment, ChildResources> cached,
            Function<FlinkDeployment, ChildResources> live,
            Function<FlinkDeployment, List<FlinkSessionJob>> guests,
            Function<FlinkDeployment, Set<String>> recoverable,
            Function<Pod, Optional<String>> mounts,
            JobManagerRest rest,
            Function<FlinkDeployment, URI> address,
            DefaultConfiguration defaults,
            SpecValidators validators,
            RejectedManifests rejectedManifests,
            HealthMonitor watch,
            ObservationMemory memory,
            InstantSource clock) {
        this.cached = cached;
        this.live = live;
        this.guests = guests;
        this.recoverable = recoverable;
        this.mounts = mounts;
        this.rest = rest;
        this.address = address;
        this.defaults = defaults;
        this.validators = validators;
        this.rejectedManifests = rejectedManifests;
        this.watch = watch;
        this.memory = memory;
        this.clock = clock;
    }

    @Override
    public ObservedState observe(FlinkDeployment resource) {
        var metadata = resource.getMetadata();
        Known known = known(resource, clock.instant().truncatedTo(ChronoUnit.MILLIS));
        StopView stopped = stopped(known);
        JobView job = job(known);
        JobView kept = known.deleting() ? new JobView.NotAsked() : job;
        ScalingView scaling = scaling(known, kept);
        Optional<ClusterHealth> health = health(known, kept, scaling);
        boolean unwell = health.filter(it -> !it.isHealthy()).isPresent();
        Target target = target(known);
        FlinkDeploymentStatus status = known.status();
        return new ObservedState(
                new ObservedState.Identity(
                        metadata.getNamespace(),
                        metadata.getName(),
                        metadata.getUid(),
                        Optional.ofNullable(metadata.getGeneration()).orElse(0L),
                        known.deleting()),
                target,
                known.spec(),
                status,
                known.takenUp(),
                defaults,
                known.cluster(),
                job,
                known.overrides(),
                scaling,
                state(known, stopped, kept, unwell || mayRestart(known)),
                rejectedManifests.of(
                        metadata.getUid(),
                        status.attempt().id().or(() -> status.jobStatus().jobId())),
                health,
                ObservedState.Polls.of(defaults, metadata.getNamespace()),
                known.now(),
                run(known, target, kept).withFormer(former(known)));
    }

    /**
     * What is known of a resource before its JobManager is asked.
     *
     * @param found by the caches
     * @param takenUp the spec that was reconciled last, {@code runs} the one that a cluster was
     *     made of
     * @param running what it runs with
     * @param at where its JobManager answers
     */
    private record Known(
            FlinkDeployment resource,
            ChildResources found,
            ClusterView cluster,
            FlinkDeploymentStatus status,
            Optional<LastReconciledSpec> takenUp,
            Optional<LastReconciledSpec> runs,
            SpecView spec,
            Map<String, Integer> overrides,
            Options running,
            Optional<Integer> taskManagers,
            URI at,
            Instant now) {
        boolean deleting() {
            return isDeleting(resource);
        }

        /** Of the job that its JobManager can be asked about. */
        Optional<String> jobId() {
            return status.jobStatus().jobId().filter(_ -> isAvailable(cluster));
        }

        /** The end that was asked for, of a job that can be asked about it. */
        Optional<StopStatus> stop() {
            return status.attempt()
                    .stop()
                    .filter(StopStatus::isUnderWay)
                    .filter(_ -> jobId().isPresent());
        }

        boolean isStandalone() {
            return runs.filter(it -> it.spec().mode() == DeploymentMode.STANDALONE).isPresent();
        }
    }

    private Known known(FlinkDeployment resource, Instant now) {
        ChildResources found = cached.apply(resource);
        ChildResources there = certain(resource, found, now);
        FlinkDeploymentStatus status = status(resource, there, now);
        Optional<LastReconciledSpec> takenUp =
                LastReconciledSpec.from(status.reconciliationStatus());
        Optional<LastReconciledSpec> runs = LastReconciledSpec.running(status);
        SpecView spec = spec(resource, takenUp, AutoscalerOverrides.of(found.overrides()));
        Options running = running(resource.getMetadata().getNamespace(), status, runs);
        return new Known(
                resource,
                found,
                withTaskManagers(cluster(resource, there, now), there, runs, running),
                status,
                takenUp,
                runs,
                spec,
                spec.parallelism(takenUp).byVertex(),
                running,
                there.standingTaskManagers(),
                address.apply(resource),
                now);
    }

    /** Where nothing else does, the events of a pod may say why its JobManager does not start. */
    private ClusterView cluster(FlinkDeployment resource, ChildResources there, Instant now) {
        ClusterView seen = ClusterReader.of(there, now);
        boolean starts =
                !isDeleting(resource)
                        && seen.problem().isEmpty()
                        && seen.jobManager() instanceof JobManagerView.Present
                        && !isAvailable(seen);
        return Optional.of(there.pods())
                .filter(_ -> starts)
                .flatMap(pods -> PodProblems.waitingForVolumes(pods, now))
                .flatMap(pod -> withFailedMount(seen, pod, now))
                .orElse(seen);
    }

    /** A volume may come late; that one is missing is told at once, and a problem only later. */
    private Optional<ClusterView> withFailedMount(ClusterView seen, Pod pod, Instant now) {
        return failedMount(pod)
                .map(
                        it ->
                                PodProblems.mayYetBeMounted(pod, now)
                                        ? seen.withDelay(it)
                                        : seen.withProblem(it));
    }

    /**
     * Nobody but who scaled them to none gives a job its TaskManagers back, unless it is reactive.
     */
    static ClusterView withTaskManagers(
            ClusterView seen,
            ChildResources there,
            Optional<LastReconciledSpec> runs,
            Options running) {
        boolean keepsItsSize =
                runs.map(LastReconciledSpec::spec)
                        .filter(it -> it.mode() == DeploymentMode.STANDALONE)
                        .filter(it -> it.job().isPresent() && !running.isReactive())
                        .isPresent();
        return there.taskManagers()
                .filter(_ -> keepsItsSize && seen.problem().isEmpty() && isAvailable(seen))
                .flatMap(PodProblems::scaledToZero)
                .map(seen::withTaskManagersProblem)
                .orElse(seen);
    }

    private Optional<PodProblem> failedMount(Pod pod) {
        return mounts.apply(pod)
                .map(
                        message ->
                                new PodProblem(
                                        "FailedMount",
                                        "pod " + pod.getMetadata().getName() + ": " + message));
    }

    /** Asked before the job: an end that is told is not taken for one that is still to come. */
    private StopView stopped(Known known) {
        return known.stop()
                .map(it -> StateReader.stop(rest, known.at(), known.jobId().orElseThrow(), it))
                .orElseGet(StopView.NotAsked::new);
    }

    private JobView job(Known known) {
        return known.jobId()
                .map(id -> JobReader.job(rest, known.at(), id))
                .orElseGet(JobView.NotAsked::new);
    }

    /** A job that was started without state goes by the name of its attempt. */
    private JobView former(Known known) {
        boolean discards =
                known.takenUp()
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

    private ScalingView scaling(Known known, JobView job) {
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

    private Optional<ClusterHealth> health(Known known, JobView job, ScalingView scaling) {
        return watch.judge(
                new HealthMonitor.Subject(
                        known.resource().getMetadata().getUid(),
                        known.status(),
                        HealthThresholds.of(known.running()),
                        job,
                        scaling),
                names -> rest.metrics(known.at(), known.jobId().orElse(""), names),
                known.now());
    }

    private Target target(Known known) {
        if (!SessionClusterLinks.isSession(known.resource(), known.takenUp())) {
            return new Target.Application();
        }
        Jobs jobs =
                isAvailable(known.cluster())
                        ? JobReader.jobs(rest, known.at())
                        : new Jobs.NotAsked();
        return new Target.SessionCluster(
                guests(known).stream().map(SessionClusterLinks::guest).toList(),
                jobs,
                memory.silentSince(known.resource().getMetadata().getUid(), jobs, known.now()));
    }

    /**
     * Once it is on record that the cluster goes, those that began to end before have to be seen.
     */
    private List<FlinkSessionJob> guests(Known known) {
        boolean goes =
                !known.deleting()
                        && known.cluster().jobManager() instanceof JobManagerView.Present
                        && isUnderWay(known.status(), known.cluster());
        return goes ? guests.apply(known.resource()) : known.found().sessionJobs();
    }

    private StateView state(Known known, StopView stopped, JobView job, boolean restarting) {
        boolean matters = restarting || hasEndedBeforeItRan(known, job);
        return new StateView(
                (known.deleting() ? AttemptHistory.neverBegan(known.status()) : matters)
                        ? recoverable.apply(known.resource())
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
                StateReader.retentionIfItMatters(rest, known.at(), job, mayCancel(known)));
    }

    private static boolean mayCancel(Known known) {
        return StateReader.mayCancel(
                known.status(),
                known.spec(),
                known.running(),
                mayRestart(known) || isLeftStanding(known),
                known.now());
    }

    /** By another operator, of a job that is at rest on record. */
    private static boolean isLeftStanding(Known known) {
        return known.cluster().jobManager() instanceof JobManagerView.Present(_, var attempt, _, _)
                && attempt.isEmpty()
                && known.takenUp()
                        .flatMap(taken -> taken.spec().job())
                        .filter(job -> job.state() == DesiredJobState.SUSPENDED)
                        .isPresent();
    }

    private static FlinkDeploymentStatus status(
            FlinkDeployment resource, ChildResources childResources, Instant now) {
        return Optional.ofNullable(resource.getStatus())
                .map(
                        stored ->
                                isDeleting(resource)
                                        ? FlinkDeploymentStatus.of(stored)
                                        : ApacheStatusMigration.read(
                                                stored, childResources.jobManager(), now))
                .orElse(FlinkDeploymentStatus.NEW);
    }

    private static boolean isDeleting(FlinkDeployment resource) {
        return resource.getMetadata().getDeletionTimestamp() != null;
    }

    /** What the caches hold, unless much hangs on it. */
    private ChildResources certain(FlinkDeployment resource, ChildResources found, Instant now) {
        boolean enough =
                isCacheEnough(
                        ClusterReader.of(found, now),
                        recordedAttempt(resource),
                        () -> status(resource, found, now),
                        isDeleting(resource),
                        taken -> spec(resource, taken, AutoscalerOverrides.of(found.overrides())),
                        runs ->
                                running(
                                        resource.getMetadata().getNamespace(),
                                        status(resource, found, now),
                                        runs),
                        now);
        if (enough) {
            return found;
        }
        ChildResources there = live.apply(resource);
        return new ChildResources(
                there.jobManager(),
                there.taskManagers(),
                ChildResources.isNew(resource) ? found.pods() : there.pods(),
                there.overrides(),
                there.sessionJobs());
    }

    private SpecView spec(
            FlinkDeployment resource,
            Optional<LastReconciledSpec> takenUp,
            AutoscalerOverrides asked) {
        return asked.in(
                SpecReader.of(resource, takenUp, defaults, validators),
                spec ->
                        defaults.effective(
                                resource.getMetadata().getNamespace(),
                                spec.flinkVersion(),
                                spec.flinkConfiguration()));
    }

    /**
     * A cache that is late must not start a second cluster, release a resource too early, take a
     * cluster for another's, or a job for one that never ran; nor does it say whose a cluster is.
     * While a JobManager starts and nobody wants anything else, nothing of that can come of a
     * reconciliation, and there are many: each pod that changes makes one.
     *
     * @param seen by the caches
     * @param recorded the attempt that the status names
     * @param read reads the status; like all that is read, only of what starts
     * @param spec what is wanted, of a resource that has been taken up
     * @param running the effective configuration of what runs
     */
    public static boolean isCacheEnough(
            ClusterView seen,
            Optional<String> recorded,
            Supplier<FlinkDeploymentStatus> read,
            boolean deleting,
            Function<Optional<LastReconciledSpec>, SpecView> spec,
            Function<Optional<LastReconciledSpec>, Options> running,
            Instant now) {
        boolean isOfAttempt =
                seen.jobManager() instanceof JobManagerView.Present(_, var named, _, _)
                        && named.isPresent()
                        && named.equals(recorded);
        if (seen.isGone()
                || ((deleting || !isOfAttempt) && AttemptHistory.neverBegan(read.get()))) {
            return false;
        }
        if (seen.jobManager() instanceof JobManagerView.Present(_, var attempt, _, var everUp)
                && everUp
                && (attempt.isEmpty() || attempt.equals(recorded))) {
            return true;
        }
        FlinkDeploymentStatus status = read.get();
        Optional<LastReconciledSpec> takenUp =
                LastReconciledSpec.from(status.reconciliationStatus());
        boolean changes =
                isChanged(takenUp, spec.apply(takenUp))
                        || ReadinessDeadline.hasPassed(
                                status, running.apply(LastReconciledSpec.running(status)), now);
        return switch (seen.jobManager()) {
            case JobManagerView.Present(_, var attempt, _, var everUp) when !everUp ->
                    !deleting
                            && takenUp.isPresent()
                            && attempt.isPresent()
                            && attempt.equals(recorded)
                            && !changes
                            && !isUnderWay(status, seen);
            case JobManagerView.Present _, JobManagerView.Terminating _, JobManagerView.Absent _ ->
                    deleting || !changes;
        };
    }

    /** Without reading all of the status, which most reconciliations have no need of here. */
    private static Optional<String> recordedAttempt(FlinkDeployment resource) {
        return Optional.ofNullable(resource.getStatus())
                .map(stored -> stored.path("attempt").path("id"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText);
    }

    /** Whether the reconciliation may come to start a job: then its state has to be known. */
    private static boolean mayRestart(Known known) {
        boolean stands = known.cluster().jobManager() instanceof JobManagerView.Present;
        boolean begins =
                known.takenUp().isPresent()
                        && (isChanged(known.takenUp(), known.spec())
                                || !stands
                                || isUnderWay(known.status(), known.cluster()));
        return begins || ReadinessDeadline.hasPassed(known.status(), known.running(), known.now());
    }

    /** Then its state is where it was to be restored from: in the metadata, if anywhere. */
    private static boolean hasEndedBeforeItRan(Known known, JobView job) {
        return job instanceof JobView.Seen seen
                && seen.state().isTerminal()
                && known.status()
                        .jobStatus()
                        .upgradeSavepointPath()
                        .equals(Optional.of(StateOptions.LAST_STATE));
    }

    private static boolean isChanged(Optional<LastReconciledSpec> takenUp, SpecView spec) {
        return takenUp.isPresent() && spec.changes(takenUp.get().spec(), SpecDiff.Effect.SCALE);
    }

    /** Of an upgrade all is said and done once the Deployment of its attempt stands. */
    private static boolean isUnderWay(FlinkDeploymentStatus status, ClusterView cluster) {
        boolean stands =
                cluster.jobManager() instanceof JobManagerView.Present(_, var attempt, _, _)
                        && attempt.isPresent()
                        && attempt.equals(status.attempt().id())
                        && status.attempt().stop().isEmpty();
        return switch (status.reconciliationStatus().state()) {
            case UPGRADING -> !stands;
            case ROLLING_BACK -> true;
            case DEPLOYED, ROLLED_BACK -> false;
        };
    }

    private RunView run(Known known, Target target, JobView job) {
        var metadata = known.resource().getMetadata();
        Instant created = created(metadata).orElse(known.now());
        var reading = new RunReader(rest, known.at(), metadata.getUid(), memory, known.now());
        FlinkDeploymentStatus status = known.status();
        if (target instanceof Target.SessionCluster(_, Jobs.Listed jobs, _)) {
            return known.deleting() ? RunView.none(created) : reading.of(created, status, jobs);
        }
        return job instanceof JobView.NotAsked
                ? reading.unasked(created, status.jobStatus())
                : reading.of(
                        created, status.jobStatus(), job, RunView.ClusterFacts.areRecorded(status));
    }

    private static Optional<Instant> created(ObjectMeta metadata) {
        return Optional.ofNullable(metadata.getCreationTimestamp()).map(Instant::parse);
    }

    private Options running(
            String namespace, FlinkDeploymentStatus status, Optional<LastReconciledSpec> runs) {
        return new Options(
                StartOptions.running(
                        runs.map(
                                        before ->
                                                defaults.effective(
                                                        namespace,
                                                        before.spec().flinkVersion(),
                                                        before.spec().flinkConfiguration()))
                                .orElse(FlinkConfiguration.EMPTY),
                        status.attempt().startedWith()));
    }

    private static boolean isAvailable(ClusterView cluster) {
        return cluster.jobManager() instanceof JobManagerView.Present(_, _, var available, _)
                && available;
    }
}
