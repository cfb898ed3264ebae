// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobState;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.operator.deployment.ClusterView.PodProblem;
import io.sluice.operator.deployment.Snapshot.Identity;
import io.sluice.operator.deployment.Snapshot.Polls;
import io.sluice.operator.deployment.StateView.LastCheckpoints;
import io.sluice.operator.deployment.StateView.StopView;
import io.sluice.rules.config.DefaultConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A resource's life, told in steps: each hands on the status the decider gave it. */
record Snapshots(Snapshot snapshot) {
    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    static Snapshots aNewResource() {
        return aNewResource("stateless");
    }

    static Snapshots aNewResource(String upgradeMode) {
        return new Snapshots(
                        new Snapshot(
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
                                StateView.NONE,
                                Optional.empty(),
                                new Polls(Duration.ofSeconds(60), Duration.ofSeconds(2)),
                                NOW))
                .withSpec(Specs.application("flink:1.20", upgradeMode));
    }

    static Snapshots aDeployment(String upgradeMode) {
        return aNewResource(upgradeMode).decided().withJobManager(false);
    }

    static Snapshots aRunningDeployment() {
        return aRunningDeployment("stateless");
    }

    static Snapshots aRunningDeployment(String upgradeMode) {
        return aDeployment(upgradeMode).withJobManager(true).withJob(JobState.RUNNING, 2).decided();
    }

    /** With its last state in Flink's high-availability metadata. */
    static Snapshots aHighlyAvailableDeployment() {
        return aNewResource("last-state")
                .withSpec(Specs.highlyAvailable(Specs.application("flink:1.20", "last-state")))
                .decided()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2)
                .decided()
                .decided()
                .withRecovery();
    }

    Snapshots withTarget(Target target) {
        return new Snapshots(
                new Snapshot(
                        snapshot.identity(),
                        target,
                        snapshot.spec(),
                        snapshot.status(),
                        snapshot.takenUp(),
                        snapshot.defaults(),
                        snapshot.cluster(),
                        snapshot.job(),
                        snapshot.overrides(),
                        snapshot.scaling(),
                        snapshot.state(),
                        snapshot.refusal(),
                        snapshot.polls(),
                        snapshot.now()));
    }

    Decision decide() {
        return Decider.decide(snapshot);
    }

    /** What the next pass sees if nothing else happens. */
    Snapshots decided() {
        FlinkDeploymentStatus status = decide().status();
        return with(
                snapshot.identity(), snapshot.spec(), status, snapshot.cluster(), snapshot.job());
    }

    Snapshots withSpec(ObjectNode spec) {
        var parsed = FlinkDeploymentSpec.parse(spec, "spec");
        return newGeneration(new SpecView.Valid(parsed.value(), spec));
    }

    Snapshots withImage(String image) {
        return withSpec(Specs.withImage(raw(), image));
    }

    Snapshots withState(String state) {
        return withSpec(Specs.withState(raw(), state));
    }

    Snapshots withConfiguration(String key, String value) {
        ObjectNode spec = raw().deepCopy();
        spec.withObject("/flinkConfiguration").put(key, value);
        return withSpec(spec);
    }

    Snapshots withRestartNonce(long nonce) {
        return withSpec(raw().deepCopy().put("restartNonce", nonce));
    }

    Snapshots withInvalidSpec(String problem) {
        return newGeneration(new SpecView.Invalid(List.of(problem)));
    }

    Snapshots deleted() {
        Identity id = snapshot.identity();
        return with(
                new Identity(id.namespace(), id.name(), id.uid(), id.generation(), true),
                snapshot.spec(),
                snapshot.status(),
                snapshot.cluster(),
                snapshot.job());
    }

    /** The JobManager's Deployment of the attempt that the status names. */
    Snapshots withJobManager(boolean available) {
        return withCluster(
                new ClusterView(
                        new JobManagerView.Present(
                                "deployment-1",
                                snapshot.status().attempt().id(),
                                available,
                                available),
                        1,
                        Optional.empty()));
    }

    Snapshots withTerminatingJobManager() {
        return withCluster(new ClusterView(new JobManagerView.Terminating(), 2, Optional.empty()));
    }

    Snapshots withPodsOnly() {
        return withCluster(new ClusterView(new JobManagerView.Absent(), 1, Optional.empty()));
    }

    Snapshots withNothingLeft() {
        return withCluster(ClusterView.NONE);
    }

    Snapshots withPodProblem(String reason, String message) {
        ClusterView cluster = snapshot.cluster();
        return withCluster(
                new ClusterView(
                        cluster.jobManager(),
                        cluster.pods(),
                        Optional.of(new PodProblem(reason, message))));
    }

    Snapshots withCluster(ClusterView cluster) {
        return with(
                snapshot.identity(),
                snapshot.spec(),
                snapshot.status(),
                cluster,
                new JobView.NotAsked());
    }

    Snapshots withJob(JobState state, int tasksUp) {
        return withJob(
                new JobView.Seen(
                        state,
                        new JobOverview(
                                snapshot.status().jobStatus().jobId().orElse(""),
                                "orders",
                                state.wire(),
                                NOW,
                                Optional.empty(),
                                new TaskCounts(2, tasksUp, 0))));
    }

    Snapshots withJob(JobView job) {
        return with(
                snapshot.identity(), snapshot.spec(), snapshot.status(), snapshot.cluster(), job);
    }

    Snapshots withScaling(Map<String, Integer> overrides, ScalingView scaling) {
        return with(overrides, scaling, snapshot.state(), snapshot.refusal(), snapshot.now());
    }

    Snapshots withRefusal(String message) {
        return with(
                snapshot.overrides(),
                snapshot.scaling(),
                snapshot.state(),
                Optional.of(message),
                snapshot.now());
    }

    /** The job as another process of the JobManager lists it. */
    Snapshots withJobOfAnotherRun(JobState state, int tasksUp) {
        return withJob(
                new JobView.Seen(
                        state,
                        new JobOverview(
                                snapshot.status().jobStatus().jobId().orElse(""),
                                "orders",
                                state.wire(),
                                NOW.plusSeconds(30),
                                Optional.empty(),
                                new TaskCounts(2, tasksUp, 0))));
    }

    /** Flink's high-availability metadata names a checkpoint of the job. */
    Snapshots withRecovery() {
        return with(
                new StateView(
                        Set.of(snapshot.status().jobStatus().jobId().orElse("")),
                        snapshot.state().stop(),
                        snapshot.state().last()));
    }

    Snapshots withoutRecovery() {
        return with(new StateView(Set.of(), snapshot.state().stop(), snapshot.state().last()));
    }

    Snapshots withStop(SavepointStatus status) {
        return withStop(new StopView.Told(status));
    }

    Snapshots withStop(StopView view) {
        return with(new StateView(snapshot.state().recoverable(), view, snapshot.state().last()));
    }

    Snapshots withLast(LastCheckpoints last) {
        return with(new StateView(snapshot.state().recoverable(), snapshot.state().stop(), last));
    }

    /** The JobManager tells of one checkpoint, complete at {@link #NOW}. */
    Snapshots withCheckpoint(String path) {
        return withLast(
                new LastCheckpoints.Told(
                        new Checkpoints(
                                Optional.of(new CheckpointRef(7, path, NOW, false)),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty())));
    }

    Snapshots later(Duration by) {
        return with(
                snapshot.overrides(),
                snapshot.scaling(),
                snapshot.state(),
                snapshot.refusal(),
                snapshot.now().plus(by));
    }

    private Snapshots with(StateView state) {
        return with(
                snapshot.overrides(),
                snapshot.scaling(),
                state,
                snapshot.refusal(),
                snapshot.now());
    }

    private Snapshots with(
            Map<String, Integer> overrides,
            ScalingView scaling,
            StateView state,
            Optional<String> refusal,
            Instant now) {
        return new Snapshots(
                new Snapshot(
                        snapshot.identity(),
                        snapshot.target(),
                        snapshot.spec(),
                        snapshot.status(),
                        snapshot.takenUp(),
                        snapshot.defaults(),
                        snapshot.cluster(),
                        snapshot.job(),
                        overrides,
                        scaling,
                        state,
                        refusal,
                        snapshot.polls(),
                        now));
    }

    /** The last spec that could be read. */
    private ObjectNode raw() {
        return snapshot.spec() instanceof SpecView.Valid(_, var raw)
                ? raw
                : snapshot.takenUp().orElseThrow().raw();
    }

    private Snapshots newGeneration(SpecView spec) {
        Identity id = snapshot.identity();
        return with(
                new Identity(
                        id.namespace(), id.name(), id.uid(), id.generation() + 1, id.deleting()),
                spec,
                snapshot.status(),
                snapshot.cluster(),
                snapshot.job());
    }

    private Snapshots with(
            Identity identity,
            SpecView spec,
            FlinkDeploymentStatus status,
            ClusterView cluster,
            JobView job) {
        return new Snapshots(
                new Snapshot(
                        identity,
                        snapshot.target(),
                        spec,
                        status,
                        TakenUp.from(status.reconciliationStatus()),
                        snapshot.defaults(),
                        cluster,
                        job,
                        snapshot.overrides(),
                        snapshot.scaling(),
                        snapshot.state(),
                        snapshot.refusal(),
                        snapshot.polls(),
                        snapshot.now()));
    }
}
