// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkConfiguration;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobLog;
import io.sluice.api.JobState;
import io.sluice.api.JobStatus;
import io.sluice.api.StateKind;
import io.sluice.api.StateLog;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.JobException;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.ClusterHealth;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.ClusterView.Kill;
import io.sluice.operator.model.ClusterView.PodFacts;
import io.sluice.operator.model.ClusterView.PodProblem;
import io.sluice.operator.model.ClusterView.Remnant;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.ObservedState.Identity;
import io.sluice.operator.model.ObservedState.Polls;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.RunView;
import io.sluice.operator.model.RunView.ClusterFacts;
import io.sluice.operator.model.ScalingView;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.StateView;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.StateView.Retention;
import io.sluice.operator.model.StateView.StopView;
import io.sluice.operator.model.Target;
import io.sluice.rules.config.DefaultConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A resource's life, told in steps: each hands on the status the decider gave it. */
public record Snapshots(ObservedState observed) {
    public static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /** As Sluice configures every job that does not say otherwise. */
    private static final StateView LEAVING_CHECKPOINTS =
            new StateView(
                    Set.of(),
                    new StopView.NotAsked(),
                    new LastCheckpoints.NotAsked(),
                    new Retention.Told(CheckpointRetention.RETAINED));

    public static Snapshots aNewResource() {
        return aNewResource("stateless");
    }

    public static Snapshots aNewResource(String upgradeMode) {
        return new Snapshots(
                        new ObservedState(
                                new Identity("shop", "orders", "uid-1", 0, false),
                                new Target.Application(),
                                new SpecView.Invalid(List.of()),
                                FlinkDeploymentStatus.NEW,
                                Optional.empty(),
                                DefaultConfiguration.NONE,
                                ClusterView.NONE,
                                new JobView.NotAsked(),
                                Map.of(),
                                new ScalingView.NotAsked(),
                                LEAVING_CHECKPOINTS,
                                Optional.empty(),
                                Optional.empty(),
                                new Polls(Duration.ofSeconds(60), Duration.ofSeconds(2)),
                                NOW,
                                RunView.none(NOW)))
                .withSpec(Specs.application("flink:1.20", upgradeMode));
    }

    public static Snapshots aDeployment(String upgradeMode) {
        return aNewResource(upgradeMode).decided().withJobManager(false);
    }

    public static Snapshots aRunningDeployment() {
        return aRunningDeployment("stateless");
    }

    public static Snapshots aRunningDeployment(String upgradeMode) {
        return aDeployment(upgradeMode).withJobManager(true).withJob(JobState.RUNNING, 2).decided();
    }

    /** It has made a checkpoint, which its JobManager tells of. */
    public static Snapshots aCheckpointedDeployment() {
        return aRunningDeployment("last-state").withCheckpoint("file:/c/1");
    }

    /** With its last state in Flink's high-availability metadata. */
    public static Snapshots aHighlyAvailableDeployment() {
        return aNewResource("last-state")
                .withSpec(Specs.highlyAvailable(Specs.application("flink:1.20", "last-state")))
                .decided()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2)
                .decided()
                .decided()
                .withRecovery();
    }

    /** With a folder for savepoints, so that they can be asked for while it runs. */
    public static Snapshots aSavingDeployment() {
        return aNewResource("savepoint")
                .withConfiguration("execution.checkpointing.savepoint-dir", "file:///s")
                .decided()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2)
                .decided();
    }

    /** A savepoint was asked for and made. */
    public Snapshots withSavepoint(long nonce, String location) {
        return withNonce(StateKind.SAVEPOINT, nonce)
                .decided()
                .withAnswer(StateKind.SAVEPOINT, new AsyncResult.Done(Optional.of(location)))
                .decided();
    }

    /** As if the status remembered {@code log} of the job. */
    public Snapshots withLog(JobLog log) {
        return withJobStatus(observed.status().jobStatus().withLog(log));
    }

    public StateLog savepoints() {
        return observed.status().jobStatus().log().savepoints();
    }

    public Snapshots withTarget(Target target) {
        return new Snapshots(
                new ObservedState(
                        observed.identity(),
                        target,
                        observed.spec(),
                        observed.status(),
                        observed.takenUp(),
                        observed.defaults(),
                        observed.cluster(),
                        observed.job(),
                        observed.overrides(),
                        observed.scaling(),
                        observed.state(),
                        observed.refusal(),
                        observed.health(),
                        observed.polls(),
                        observed.now(),
                        observed.run()));
    }

    /** With {@code entries} in the operator's own configuration. */
    public Snapshots withDefaults(Map<String, String> entries) {
        return new Snapshots(
                new ObservedState(
                        observed.identity(),
                        observed.target(),
                        observed.spec(),
                        observed.status(),
                        observed.takenUp(),
                        new DefaultConfiguration(new FlinkConfiguration(entries)),
                        observed.cluster(),
                        observed.job(),
                        observed.overrides(),
                        observed.scaling(),
                        observed.state(),
                        observed.refusal(),
                        observed.health(),
                        observed.polls(),
                        observed.now(),
                        observed.run()));
    }

    public Decision decide() {
        return Decider.decide(observed);
    }

    /** What the next reconciliation sees if nothing else happens. */
    public Snapshots decided() {
        FlinkDeploymentStatus status = decide().status();
        return with(
                observed.identity(), observed.spec(), status, observed.cluster(), observed.job());
    }

    public Snapshots withSpec(ObjectNode spec) {
        var parsed = FlinkDeploymentSpec.parse(spec, "spec");
        return newGeneration(new SpecView.Valid(parsed.value(), spec));
    }

    public Snapshots withImage(String image) {
        return withSpec(Specs.withImage(raw(), image));
    }

    public Snapshots withState(String state) {
        return withSpec(Specs.withState(raw(), state));
    }

    public Snapshots withConfiguration(String key, String value) {
        ObjectNode spec = raw().deepCopy();
        spec.withObject("/flinkConfiguration").put(key, value);
        return withSpec(spec);
    }

    public Snapshots withRestartNonce(long nonce) {
        return withSpec(raw().deepCopy().put("restartNonce", nonce));
    }

    Snapshots withSpec(SpecView spec) {
        return newGeneration(spec);
    }

    /** With another spec, which validators keep from being carried out. */
    Snapshots withHeld(Reason reason) {
        return withSpec(new SpecView.Invalid(reason, List.of("plugin  spec.image: is foreign")));
    }

    public Snapshots withInvalidSpec(String problem) {
        return withSpec(new SpecView.Invalid(List.of(problem)));
    }

    public Snapshots deleted() {
        Identity id = observed.identity();
        return with(
                new Identity(id.namespace(), id.name(), id.uid(), id.generation(), true),
                observed.spec(),
                observed.status(),
                observed.cluster(),
                observed.job());
    }

    /** The JobManager's Deployment of the attempt that the status names. */
    public Snapshots withJobManager(boolean available) {
        return withCluster(
                new ClusterView(
                        new JobManagerView.Present(
                                "deployment-1",
                                observed.status().attempt().id(),
                                available,
                                available),
                        1,
                        Optional.empty()));
    }

    /** The JobManager's Deployment belongs to the resource, whatever else it says. */
    public Snapshots withOwnJobManager() {
        ClusterView cluster = observed.cluster();
        return withCluster(
                new ClusterView(
                        cluster.jobManager(),
                        cluster.pods(),
                        cluster.problem(),
                        cluster.remnant(),
                        cluster.kills(),
                        cluster.strays(),
                        cluster.isBroken(),
                        Set.of(observed.identity().uid())));
    }

    /** Of two JobManagers one is up or was, and the other one never. */
    public Snapshots withOneOfTwoJobManagers(boolean available) {
        return withCluster(
                new ClusterView(
                        new JobManagerView.Present(
                                "deployment-1", observed.status().attempt().id(), available, false),
                        2,
                        Optional.empty()));
    }

    /** The JobManager's pod was up, and is so no more. */
    public Snapshots withJobManagerDown() {
        return withCluster(
                new ClusterView(
                        new JobManagerView.Present(
                                "deployment-1", observed.status().attempt().id(), false, true),
                        1,
                        Optional.empty()));
    }

    public Snapshots withTerminatingJobManager() {
        return withCluster(new ClusterView(new JobManagerView.Terminating(), 2, Optional.empty()));
    }

    public Snapshots withPodsOnly() {
        return withCluster(new ClusterView(new JobManagerView.Absent(), 1, Optional.empty()));
    }

    public Snapshots withRemnant(String text, boolean overdue) {
        return withCluster(
                new ClusterView(
                        new JobManagerView.Absent(),
                        1,
                        Optional.empty(),
                        Optional.of(new ClusterView.Remnant(text, overdue)),
                        List.of()));
    }

    /** A standalone cluster's TaskManagers, without their JobManager. */
    Snapshots withTaskManagersOnly(int pods, boolean terminating) {
        return withCluster(
                new ClusterView(
                        new JobManagerView.Absent(),
                        pods,
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        Optional.of(new ClusterView.Strays("taskmanagers-1", terminating)),
                        false,
                        Set.of()));
    }

    public Snapshots withNothingLeft() {
        return withCluster(ClusterView.NONE);
    }

    public Snapshots withPodProblem(String reason, String message) {
        ClusterView cluster = observed.cluster();
        return withCluster(
                new ClusterView(
                        cluster.jobManager(),
                        cluster.pods(),
                        Optional.of(new PodProblem(reason, message))));
    }

    /** A pod waits for what may yet come by itself. */
    Snapshots withPodDelay(String reason, String message) {
        return withCluster(observed.cluster().withDelay(new PodProblem(reason, message)));
    }

    /** What would keep a removal of the cluster from being confirmed. */
    public Snapshots withObstacle(String text) {
        return withPodFacts(
                new PodFacts(Optional.empty(), Optional.of(new Remnant(text, true)), false, false));
    }

    /** The JobManager runs in the first process that its Deployment has had. */
    Snapshots withFirstProcess() {
        return withPodFacts(new PodFacts(Optional.empty(), Optional.empty(), true, false));
    }

    /** The JobManager has TaskManagers, which it would replace. */
    public Snapshots withNativeTaskManagers() {
        return withPodFacts(new PodFacts(Optional.empty(), Optional.empty(), false, true));
    }

    /** The Deployment was scaled to zero, and the operator has to do {@code next}. */
    public Snapshots withScaledDownJobManager(Optional<JobManagerView.Step> next) {
        return withCluster(
                new ClusterView(new JobManagerView.Terminating(next), 2, Optional.empty()));
    }

    private Snapshots withPodFacts(PodFacts facts) {
        return with(
                observed.identity(),
                observed.spec(),
                observed.status(),
                observed.cluster().with(facts),
                observed.job());
    }

    public Snapshots withKills(Kill... kills) {
        ClusterView cluster = observed.cluster();
        return with(
                observed.identity(),
                observed.spec(),
                observed.status(),
                new ClusterView(
                        cluster.jobManager(),
                        cluster.pods(),
                        cluster.problem(),
                        cluster.remnant(),
                        List.of(kills),
                        cluster.strays(),
                        cluster.isBroken(),
                        cluster.owners()),
                observed.job());
    }

    public Snapshots withCluster(ClusterView cluster) {
        return with(
                observed.identity(),
                observed.spec(),
                observed.status(),
                cluster,
                new JobView.NotAsked());
    }

    public Snapshots withJob(JobState state, int tasksUp) {
        return withJob(
                new JobView.Seen(
                        state,
                        new JobOverview(
                                observed.status().jobStatus().jobId().orElse(""),
                                "orders",
                                state.wire(),
                                NOW,
                                Optional.empty(),
                                new TaskCounts(2, tasksUp, 0))));
    }

    public Snapshots withJob(JobView job) {
        return with(
                observed.identity(), observed.spec(), observed.status(), observed.cluster(), job);
    }

    public Snapshots withScaling(Map<String, Integer> overrides, ScalingView scaling) {
        return with(overrides, scaling, observed.state(), observed.refusal(), observed.now());
    }

    public Snapshots withRefusal(String message) {
        return with(
                observed.overrides(),
                observed.scaling(),
                observed.state(),
                Optional.of(message),
                observed.now());
    }

    /** A spec was upgraded to another image, its cluster is up, and its job is not. */
    public static Snapshots anUpgradeThatFails(String upgradeMode) {
        return aRunningDeployment(upgradeMode)
                .withConfiguration("kubernetes.operator.deployment.rollback.enabled", "true")
                .decided()
                .withImage("flink:bad")
                .withUpgradeDone()
                .withJobManager(true)
                .withJob(JobState.RESTARTING, 0)
                .decided();
    }

    /** A spec was upgraded to another image, and its JobManager has never been up. */
    public static Snapshots anUpgradeThatNeverComesUp(String upgradeMode) {
        return aRunningDeployment(upgradeMode)
                .withConfiguration("kubernetes.operator.deployment.rollback.enabled", "true")
                .decided()
                .withImage("flink:bad")
                .withUpgradeDone()
                .withJobManagerNeverUp()
                .decided();
    }

    public Snapshots withStatus(FlinkDeploymentStatus status) {
        return with(
                observed.identity(), observed.spec(), status, observed.cluster(), observed.job());
    }

    /** Somebody has removed from the record where the job's state is. */
    public Snapshots withoutPath() {
        return withJobStatus(
                observed.status().jobStatus().withUpgradeSavepointPath(Optional.empty()));
    }

    private Snapshots withJobStatus(JobStatus job) {
        FlinkDeploymentStatus status = observed.status();
        return withStatus(
                new FlinkDeploymentStatus(
                        job,
                        status.error(),
                        status.observedGeneration(),
                        status.lifecycleState(),
                        status.clusterInfo(),
                        status.jobManagerDeploymentStatus(),
                        status.reconciliationStatus(),
                        status.taskManager(),
                        status.attempt(),
                        status.conditions()));
    }

    /** A JobManager's Deployment without any name of Sluice's. */
    public Snapshots withJobManagerOfTheirs() {
        return withCluster(
                new ClusterView(
                        new JobManagerView.Present("deployment-1", Optional.empty(), true, true),
                        1,
                        Optional.empty()));
    }

    /** The JobManager's Deployment stands, and its pod has never been ready. */
    public Snapshots withJobManagerNeverUp() {
        return withJobManager(false);
    }

    /** The stop that an upgrade asks for has come about, and the former cluster is gone. */
    public Snapshots withUpgradeDone() {
        Snapshots changed = decided();
        Snapshots ended =
                changed.observed().status().attempt().stop().isPresent()
                        ? changed.withStop(new SavepointStatus.Completed("file:/s/1"))
                                .withJob(JobState.CANCELED, 0)
                                .withCheckpoint("file:/c/7")
                                .decided()
                        : changed;
        return ended.withNothingLeft().decided();
    }

    public Snapshots withHealth(ClusterHealth health) {
        return new Snapshots(
                new ObservedState(
                        observed.identity(),
                        observed.target(),
                        observed.spec(),
                        observed.status(),
                        observed.takenUp(),
                        observed.defaults(),
                        observed.cluster(),
                        observed.job(),
                        observed.overrides(),
                        observed.scaling(),
                        observed.state(),
                        observed.refusal(),
                        Optional.of(health),
                        observed.polls(),
                        observed.now(),
                        observed.run()));
    }

    /** Flink restarts it all the time. */
    public Snapshots withIllness() {
        return withHealth(
                new ClusterHealth(NOW, 70, NOW, 3, NOW, Optional.of("70 restarts within 120 s")));
    }

    /** The job as another process of the JobManager lists it. */
    public Snapshots withJobOfAnotherRun(JobState state, int tasksUp) {
        return withJob(
                new JobView.Seen(
                        state,
                        new JobOverview(
                                observed.status().jobStatus().jobId().orElse(""),
                                "orders",
                                state.wire(),
                                NOW.plusSeconds(30),
                                Optional.empty(),
                                new TaskCounts(2, tasksUp, 0))));
    }

    /** Flink's high-availability metadata names a checkpoint of the job. */
    public Snapshots withRecovery() {
        return withRecovery(Set.of(observed.status().jobStatus().jobId().orElse("")));
    }

    /** Flink's high-availability metadata names checkpoints of these jobs. */
    public Snapshots withRecoveryOf(String... jobs) {
        return withRecovery(Set.of(jobs));
    }

    Snapshots withoutRecovery() {
        return withRecovery(Set.of());
    }

    private Snapshots withRecovery(Set<String> recoverable) {
        StateView state = observed.state();
        return with(new StateView(recoverable, state.stop(), state.last(), state.retention()));
    }

    public Snapshots withStop(SavepointStatus status) {
        return withStop(new StopView.Told(status));
    }

    Snapshots withStop(StopView view) {
        StateView state = observed.state();
        return with(new StateView(state.recoverable(), view, state.last(), state.retention()));
    }

    Snapshots withLast(LastCheckpoints last) {
        StateView state = observed.state();
        return with(new StateView(state.recoverable(), state.stop(), last, state.retention()));
    }

    public Snapshots withRetention(Retention retention) {
        StateView state = observed.state();
        return with(new StateView(state.recoverable(), state.stop(), state.last(), retention));
    }

    /** A cancellation would delete the job's checkpoints. */
    public Snapshots withoutRetention() {
        return withRetention(new Retention.Told(CheckpointRetention.DELETED));
    }

    /** The JobManager tells of one checkpoint, complete at {@link #NOW}. */
    public Snapshots withCheckpoint(String path) {
        return withLast(
                new LastCheckpoints.Told(
                        new Checkpoints(
                                Optional.of(new CheckpointRef(7, path, NOW, false)),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty())));
    }

    public Snapshots withNonce(StateKind kind, long nonce) {
        ObjectNode spec = raw().deepCopy();
        spec.withObject("/job").put(kind.nonce(), nonce);
        return withSpec(spec);
    }

    /** The JobManager of the attempt before still stands, and tells of its job. */
    public Snapshots withFormer(JobView job) {
        return with(observed.run().withFormer(job));
    }

    /** What the JobManager says of the savepoint or checkpoint that was asked for. */
    public Snapshots withAnswer(StateKind kind, AsyncResult asyncResult) {
        RunView run = observed.run();
        return with(
                new RunView(
                        run.created(),
                        kind == StateKind.SAVEPOINT ? asyncResult : run.savepoint(),
                        kind == StateKind.CHECKPOINT ? asyncResult : run.checkpoint(),
                        run.disposals(),
                        run.exceptions(),
                        run.cluster(),
                        run.lastCheckpoint()));
    }

    /** What the JobManager says of the savepoint that is being deleted. */
    public Snapshots withDisposal(String location, AsyncResult asyncResult) {
        RunView run = observed.run();
        return with(
                new RunView(
                        run.created(),
                        run.savepoint(),
                        run.checkpoint(),
                        Map.of(location, asyncResult),
                        run.exceptions(),
                        run.cluster(),
                        run.lastCheckpoint()));
    }

    public Snapshots withExceptions(JobException... exceptions) {
        RunView run = observed.run();
        return with(
                new RunView(
                        run.created(),
                        run.savepoint(),
                        run.checkpoint(),
                        run.disposals(),
                        Optional.of(List.of(exceptions)),
                        run.cluster(),
                        run.lastCheckpoint()));
    }

    public Snapshots withCluster(ClusterFacts facts) {
        RunView run = observed.run();
        return with(
                new RunView(
                        run.created(),
                        run.savepoint(),
                        run.checkpoint(),
                        run.disposals(),
                        run.exceptions(),
                        facts,
                        run.lastCheckpoint()));
    }

    /** Some time ago this checkpoint was seen, complete at {@link #NOW}. */
    public Snapshots withCheckpointSeen(String path) {
        return with(observed.run().having(Optional.of(new CheckpointRef(6, path, NOW, false))));
    }

    private Snapshots with(RunView run) {
        return new Snapshots(
                new ObservedState(
                        observed.identity(),
                        observed.target(),
                        observed.spec(),
                        observed.status(),
                        observed.takenUp(),
                        observed.defaults(),
                        observed.cluster(),
                        observed.job(),
                        observed.overrides(),
                        observed.scaling(),
                        observed.state(),
                        observed.refusal(),
                        observed.health(),
                        observed.polls(),
                        observed.now(),
                        run));
    }

    public Snapshots later(Duration by) {
        return with(
                observed.overrides(),
                observed.scaling(),
                observed.state(),
                observed.refusal(),
                observed.now().plus(by));
    }

    private Snapshots with(StateView state) {
        return with(
                observed.overrides(),
                observed.scaling(),
                state,
                observed.refusal(),
                observed.now());
    }

    private Snapshots with(
            Map<String, Integer> overrides,
            ScalingView scaling,
            StateView state,
            Optional<String> refusal,
            Instant now) {
        return new Snapshots(
                new ObservedState(
                        observed.identity(),
                        observed.target(),
                        observed.spec(),
                        observed.status(),
                        observed.takenUp(),
                        observed.defaults(),
                        observed.cluster(),
                        observed.job(),
                        overrides,
                        scaling,
                        state,
                        refusal,
                        observed.health(),
                        observed.polls(),
                        now,
                        observed.run()));
    }

    /** The last spec that could be read. */
    private ObjectNode raw() {
        return observed.spec() instanceof SpecView.Valid(_, var raw)
                ? raw
                : observed.takenUp().orElseThrow().raw();
    }

    private Snapshots newGeneration(SpecView spec) {
        Identity id = observed.identity();
        return with(
                new Identity(
                        id.namespace(), id.name(), id.uid(), id.generation() + 1, id.deleting()),
                spec,
                observed.status(),
                observed.cluster(),
                observed.job());
    }

    private Snapshots with(
            Identity identity,
            SpecView spec,
            FlinkDeploymentStatus status,
            ClusterView cluster,
            JobView job) {
        return new Snapshots(
                new ObservedState(
                        identity,
                        observed.target(),
                        spec,
                        status,
                        LastReconciledSpec.from(status.reconciliationStatus()),
                        observed.defaults(),
                        cluster,
                        job,
                        observed.overrides(),
                        observed.scaling(),
                        observed.state(),
                        observed.refusal(),
                        observed.health(),
                        observed.polls(),
                        observed.now(),
                        observed.run()));
    }
}
