// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.json.Parsed;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.FlinkSessionJobStatus;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.StopStatus;
import io.sluice.api.status.TaskManagerStatus;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.ObservedState.Identity;
import io.sluice.operator.model.ObservedState.Polls;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.RunView;
import io.sluice.operator.model.ScalingView;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.StateView;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.StateView.Retention;
import io.sluice.operator.model.StateView.StopView;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.SessionClusterView;
import io.sluice.operator.model.Target.SubmissionView;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.StateReader;
import io.sluice.operator.sessionjob.SessionJobObserver;
import io.sluice.operator.simulation.flaw.SessionFlaws;
import io.sluice.operator.system.LastOf;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.FlinkProcess;
import io.sluice.testkit.sim.History;
import io.sluice.testkit.sim.SessionCluster;
import io.sluice.testkit.sim.World.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads a session job in a simulated world; its cluster's resource late, its JobManager now. */
final class SimulatedSessionObserver {
    /** There is no other. */
    private static final String CLUSTER = "session";

    private static final Polls POLLS = new Polls(Duration.ofSeconds(15), Duration.ofSeconds(2));

    private final Environment environment;
    private final SessionCluster sessionCluster;
    private final Set<SessionFlaws> flaws;
    private final boolean asksBeforeRelease;
    private final ObservationMemory memory;
    private final Function<String, SubmissionView> submissions;
    private final History.LateReader<SessionCluster.View> view;
    private final LastOf<Resource, FlinkDeploymentStatus> statuses = new LastOf<>();
    private final LastOf<ObjectNode, Parsed<FlinkDeploymentSpec>> specs = new LastOf<>();
    private final LastOf<Resource, String> clusters = new LastOf<>();

    SimulatedSessionObserver(
            Environment environment,
            SessionCluster sessionCluster,
            Set<SessionFlaws> flaws,
            boolean asksBeforeRelease,
            ObservationMemory memory,
            Function<String, SubmissionView> submissions) {
        this.memory = memory;
        this.environment = environment;
        this.sessionCluster = sessionCluster;
        this.flaws = flaws;
        this.asksBeforeRelease = asksBeforeRelease;
        this.submissions = submissions;
        view = sessionCluster.view().watch();
    }

    ObservedState observe(Resource read) {
        FlinkDeploymentStatus status = statuses.get(read, SimulatedSessionObserver::status);
        var parsed = specs.get(read.spec(), spec -> FlinkDeploymentSpec.parse(spec, "spec"));
        String named = read.spec().path("deploymentName").asText();
        String on =
                flaws.contains(SessionFlaws.CLUSTER_OF_THE_SPEC)
                        ? named
                        : clusters.get(read, SimulatedSessionObserver::cluster);
        boolean isHere = on.equals(CLUSTER);
        SessionCluster.View seen =
                isHere ? cluster(read.deleting()) : new SessionCluster.View(false, false);
        boolean answers = sessionCluster.answers() && !environment.faults().strikes(10);
        String jobId = status.jobStatus().jobId().orElse("");
        JobView job =
                seen.ready() && !jobId.isEmpty() ? job(jobId, answers) : new JobView.NotAsked();
        StopView stop =
                answers ? stop(jobId, status.attempt().stop()) : new StopView.Silent("timed out");
        SessionClusterView cluster = isHere ? clusterView(seen) : SessionClusterView.missing(on);
        Optional<LastReconciledSpec> lastReconciled =
                LastReconciledSpec.from(status.reconciliationStatus());
        SpecView spec = spec(read, parsed, named.equals(on));
        boolean ends =
                cluster.beingReplaced()
                        || SessionJobObserver.restarts(status, lastReconciled, spec);
        boolean mayCancel =
                !read.deleting()
                        && StateReader.mayCancel(
                                status,
                                spec,
                                running(lastReconciled),
                                ends,
                                environment.clock().instant());
        return new ObservedState(
                new Identity("shop", "report", read.uid(), read.generation(), read.deleting()),
                new Target.SessionJob(
                        cluster,
                        status.attempt().id().map(submissions).orElseGet(SubmissionView.None::new)),
                spec,
                status,
                lastReconciled,
                DefaultConfiguration.NONE,
                seen.ready()
                        ? new ClusterView(
                                new JobManagerView.Present("", status.attempt().id(), true, true),
                                1,
                                Optional.empty())
                        : ClusterView.NONE,
                job,
                Map.of(),
                new ScalingView.NotAsked(),
                new StateView(Set.of(), stop, last(job, ends), retention(job, mayCancel)),
                Optional.empty(),
                Optional.empty(),
                POLLS,
                environment.clock().instant(),
                job instanceof JobView.NotAsked
                        ? RunView.none(environment.clock().instant())
                        : new SimulatedRun(
                                        environment,
                                        memory,
                                        answers ? sessionCluster.job(jobId) : Optional.empty())
                                .of(read.uid(), status.jobStatus(), job, true),
                Optional.empty());
    }

    private static SpecView spec(
            Resource read, Parsed<FlinkDeploymentSpec> parsed, boolean namesItsCluster) {
        if (!namesItsCluster) {
            return SpecView.Invalid.of(
                    read.spec(), Reason.SPEC_INVALID, List.of("deployment-name-immutable"));
        }
        return parsed.isClean()
                ? new SpecView.Valid(parsed.value(), read.spec())
                : SpecView.Invalid.of(
                        read.spec(),
                        Reason.SPEC_INVALID,
                        List.of(parsed.problems().getFirst().text()));
    }

    private static String cluster(Resource read) {
        FlinkSessionJob job = new FlinkSessionJob();
        job.setSpec(read.spec());
        job.setStatus(read.status());
        return job.cluster().orElseThrow();
    }

    private static Options running(Optional<LastReconciledSpec> lastReconciled) {
        return new Options(
                lastReconciled
                        .map(before -> before.spec().flinkConfiguration())
                        .orElse(FlinkConfiguration.EMPTY));
    }

    /** The model's jobs leave their checkpoints; asked only where the answer may matter. */
    private Retention retention(JobView job, boolean mayCancel) {
        if (!mayCancel || !(job instanceof JobView.Seen seen && seen.isUncancelled())) {
            return new Retention.NotAsked();
        }
        return environment.faults().strikes(10)
                ? new Retention.Unread("timed out")
                : new Retention.Known(CheckpointRetention.RETAINED);
    }

    static FlinkDeploymentStatus status(Resource read) {
        FlinkSessionJobStatus status = FlinkSessionJobStatus.of(read.status());
        return new FlinkDeploymentStatus(
                status.jobStatus(),
                status.error(),
                status.observedGeneration(),
                status.lifecycleState(),
                Map.of(),
                JobManagerDeploymentState.READY,
                status.reconciliationStatus(),
                TaskManagerStatus.NONE,
                status.attempt(),
                status.lastUpgrade(),
                status.conditions());
    }

    /** From a cache; but what would release a resource unasked is asked for. */
    private SessionCluster.View cluster(boolean deleting) {
        SessionCluster.View cached = view.read(environment.faults(), environment.dice(), 25);
        return deleting && !cached.ready() && asksBeforeRelease
                ? sessionCluster.view().latest()
                : cached;
    }

    private SessionClusterView clusterView(SessionCluster.View seen) {
        return new SessionClusterView(
                CLUSTER,
                state(seen),
                seen.ready() && seen.beingReplaced(),
                false,
                true,
                sessionCluster.isHighlyAvailable(),
                FlinkConfiguration.EMPTY,
                Optional.empty());
    }

    /** While it is replaced its resource says that it is being deployed. */
    private static SessionClusterView.State state(SessionCluster.View seen) {
        if (seen.ready()) {
            return SessionClusterView.State.READY;
        }
        return seen.beingReplaced()
                ? SessionClusterView.State.NOT_READY
                : SessionClusterView.State.DOWN;
    }

    private JobView job(String jobId, boolean answers) {
        if (!answers) {
            return flaws.contains(SessionFlaws.UNREACHABLE_IS_GONE)
                    ? new JobView.NotListed()
                    : new JobView.Unreachable("timed out");
        }
        return sessionCluster
                .job(jobId)
                .flatMap(process -> process.state().map(state -> seen(process, state)))
                .orElseGet(JobView.NotListed::new);
    }

    private static JobView seen(FlinkProcess process, String state) {
        return new JobView.Seen(
                JobState.valueOf(state),
                new JobOverview(
                        process.jobId(),
                        "report",
                        state,
                        process.startTime(),
                        process.endTime(),
                        new TaskCounts(2, process.tasksUp() ? 2 : 0, 0),
                        process.lastChange()));
    }

    private StopView stop(String jobId, Optional<StopStatus> asked) {
        if (asked.isEmpty()) {
            return new StopView.NotAsked();
        }
        return new StopView.Known(
                sessionCluster
                        .job(jobId)
                        .flatMap(process -> process.stop(asked.get().triggerId()))
                        .map(SimulatedSessionObserver::told)
                        .orElseGet(SavepointStatus.Unknown::new));
    }

    private static SavepointStatus told(FlinkProcess.Stop stop) {
        return switch (stop) {
            case FlinkProcess.Stop.InProgress() -> new SavepointStatus.InProgress();
            case FlinkProcess.Stop.Completed(var path) -> new SavepointStatus.Completed(path);
            case FlinkProcess.Stop.Failed(var path) -> new SavepointStatus.Failed("failed", path);
        };
    }

    private LastCheckpoints last(JobView job, boolean ends) {
        boolean matters =
                job instanceof JobView.Seen(var state, _)
                        && (state.isTerminal() || (ends && state == JobState.RUNNING));
        if (!matters || !(job instanceof JobView.Seen seen)) {
            return new LastCheckpoints.NotAsked();
        }
        boolean ended = seen.state().isTerminal();
        boolean stale =
                ended
                        && StateReader.mayBeStale(
                                memory.sinceEnd("", seen.overview()), FlinkProcess.CACHED);
        if ((ended && environment.faults().strikes(20))
                || (stale && !flaws.contains(SessionFlaws.CHECKPOINTS_FROM_A_CACHE))) {
            return new LastCheckpoints.Unread("not yet");
        }
        FlinkProcess.StateReport told =
                sessionCluster.job(seen.overview().id()).orElseThrow().told();
        return new LastCheckpoints.Known(
                new Checkpoints(
                        told.checkpoint().map(this::reference),
                        told.savepoint().map(this::reference),
                        told.restored().map(this::reference),
                        List.of()));
    }

    private CheckpointRef reference(FlinkProcess.Saved saved) {
        return new CheckpointRef(saved.id(), saved.path(), saved.at(), false);
    }
}
