// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.AttemptStatus;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobLog;
import io.sluice.api.status.JobState;
import io.sluice.api.status.JobStatus;
import io.sluice.api.status.RequestedSnapshot;
import io.sluice.api.status.StateLog;
import io.sluice.api.status.StateTrigger;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.model.ClusterHealth;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.ObservedState.Identity;
import io.sluice.operator.model.ObservedState.Polls;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Refusal;
import io.sluice.operator.model.RunView;
import io.sluice.operator.model.ScalingView;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.StateView;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.StateView.Retention;
import io.sluice.operator.model.StateView.StopView;
import io.sluice.operator.model.Target;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.option.LifecycleOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A resource's life, told in steps: each hands on the status the decider gave it. */
public record Snapshots(ObservedState observed) implements ClusterSteps, JobSteps, StateSteps {
    public static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /** Most of what is told here is not about images, and names one only to change something. */
    private static final FlinkConfiguration DEFAULTS =
            new FlinkConfiguration(Map.of(LifecycleOptions.PULL_IMAGE_FIRST.key(), "false"));

    /** As Sluice configures every job that does not say otherwise. */
    private static final StateView LEAVING_CHECKPOINTS =
            new StateView(
                    Set.of(),
                    new StopView.NotAsked(),
                    new LastCheckpoints.NotAsked(),
                    new Retention.Known(CheckpointRetention.RETAINED));

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
                                new DefaultConfiguration(DEFAULTS),
                                ClusterView.NONE,
                                new JobView.NotAsked(),
                                Map.of(),
                                new ScalingView.NotAsked(),
                                LEAVING_CHECKPOINTS,
                                Optional.empty(),
                                Optional.empty(),
                                new Polls(Duration.ofSeconds(60), Duration.ofSeconds(2)),
                                NOW,
                                RunView.none(NOW),
                                Optional.empty()))
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

    /** Its job runs with one subtask of a vertex, and the autoscaler asks for three. */
    public static Snapshots aDeploymentScaledInPlace() {
        return aRunningDeployment()
                .withConfiguration("jobmanager.scheduler", "adaptive")
                .decided()
                .withUpgradeDone()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2)
                .decided()
                .withConfiguration(ParallelismOverrides.KEY, "aa:3")
                .withScaling(
                        Map.of("aa", 3),
                        new ScalingView.Known(
                                List.of(new JobVertex("aa", "source", 1, 128, "RUNNING")),
                                Map.of("aa", new ParallelismBounds(1, 1))));
    }

    /** It runs, and is to be stopped with a savepoint for another image. */
    public static Snapshots aStoppingDeployment() {
        return aRunningDeployment("savepoint").withImage("new").decided();
    }

    /** It has made a checkpoint, which its JobManager tells of. */
    public static Snapshots aCheckpointedDeployment() {
        return aRunningDeployment("last-state").withCheckpoint("file:/c/1");
    }

    /** With its last state in Flink's high-availability metadata. */
    public static Snapshots aHighlyAvailableDeployment() {
        return aRecoverableDeployment(
                Specs.highlyAvailable(Specs.application("flink:1.20", "last-state")));
    }

    /** It runs with {@code spec}, and a ConfigMap names a checkpoint of its job. */
    public static Snapshots aRecoverableDeployment(ObjectNode spec) {
        return aNewResource()
                .withSpec(spec)
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

    public AttemptStatus attempt() {
        return observed.status().attempt();
    }

    public StateLog savepoints() {
        return observed.status().jobStatus().log().savepoints();
    }

    public Snapshots withTarget(Target target) {
        return new Snapshots(observed.withTarget(target));
    }

    /** With {@code entries} in the operator's own configuration. */
    public Snapshots withDefaults(Map<String, String> entries) {
        return new Snapshots(
                observed.withDefaults(
                        new DefaultConfiguration(DEFAULTS.with(new FlinkConfiguration(entries)))));
    }

    /** Under an operator that has an image pulled before it stops a job for it, as is usual. */
    public Snapshots withImagesPulledFirst() {
        return new Snapshots(observed.withDefaults(DefaultConfiguration.NONE));
    }

    public Decision decide() {
        return Decider.decide(observed);
    }

    /** What the next reconciliation sees if nothing else happens. */
    public Snapshots decided() {
        return withStatus(decide().status());
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

    public Snapshots withSpec(SpecView spec) {
        return newGeneration(spec);
    }

    /** With another spec, which validators keep from being carried out. */
    public Snapshots withHeld(Reason reason) {
        return withSpec(new SpecView.Invalid(reason, List.of("plugin  spec.image: is foreign")));
    }

    public Snapshots withInvalidSpec(String problem) {
        return withSpec(new SpecView.Invalid(List.of(problem)));
    }

    public Snapshots deleted() {
        return new Snapshots(observed.withIdentity(observed.identity().withDeleting(true)));
    }

    public Snapshots withScaling(Map<String, Integer> overrides, ScalingView scaling) {
        return new Snapshots(observed.with().overrides(overrides).scaling(scaling).build());
    }

    /** The autoscaler holds a change. */
    public Snapshots withHold(AutoscalerOverrides.Hold hold) {
        return new Snapshots(observed.withHold(Optional.of(hold)));
    }

    public Snapshots withoutHold() {
        return new Snapshots(observed.withHold(Optional.empty()));
    }

    public Snapshots withRefusal(String message) {
        return new Snapshots(
                observed.withRefusal(Optional.of(new Refusal(message, 1, Instant.EPOCH))));
    }

    public Snapshots withStatus(FlinkDeploymentStatus status) {
        return new Snapshots(
                observed.with()
                        .status(status)
                        .lastReconciled(LastReconciledSpec.from(status.reconciliationStatus()))
                        .build());
    }

    /** Somebody has removed from the record where the job's state is. */
    public Snapshots withoutPath() {
        return withJobStatus(
                observed.status().jobStatus().withUpgradeSavepointPath(Optional.empty()));
    }

    private Snapshots withJobStatus(JobStatus job) {
        return withStatus(observed.status().withJobStatus(job));
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
        return new Snapshots(observed.withHealth(Optional.of(health)));
    }

    /** Flink restarts it all the time. */
    public Snapshots withIllness() {
        return withHealth(
                new ClusterHealth(NOW, 70, NOW, 3, NOW, Optional.of("70 restarts within 120 s")));
    }

    public Snapshots withNonce(StateKind kind, long nonce) {
        ObjectNode spec = raw().deepCopy();
        spec.withObject("/job").put(kind.nonce(), nonce);
        return withSpec(spec);
    }

    /** The operator serves FlinkStateSnapshots, and the job may request its state by them. */
    public Snapshots withServedSnapshots() {
        return withSnapshots(new RunView.Snapshots(true, Map.of(), List.of(), Map.of()));
    }

    /** What the FlinkStateSnapshot is like that the status has on record for {@code kind}. */
    public Snapshots withSnapshot(StateKind kind, RunView.SnapshotView view) {
        String name =
                observed.status()
                        .jobStatus()
                        .log()
                        .of(kind)
                        .trigger()
                        .flatMap(StateTrigger::snapshot)
                        .map(RequestedSnapshot::name)
                        .orElseThrow();
        return withSnapshots(new RunView.Snapshots(true, Map.of(name, view), List.of(), Map.of()));
    }

    public Snapshots withSnapshots(RunView.Snapshots snapshots) {
        return new Snapshots(observed.withRun(observed.run().withSnapshots(snapshots)));
    }

    public Snapshots later(Duration by) {
        return new Snapshots(observed.withNow(observed.now().plus(by)));
    }

    /** The last spec that could be read. */
    private ObjectNode raw() {
        return observed.spec() instanceof SpecView.Valid(_, var raw)
                ? raw
                : observed.lastReconciled().orElseThrow().raw();
    }

    private Snapshots newGeneration(SpecView spec) {
        Identity id = observed.identity();
        return new Snapshots(
                observed.with()
                        .identity(id.withGeneration(id.generation() + 1))
                        .spec(spec)
                        .build());
    }
}
