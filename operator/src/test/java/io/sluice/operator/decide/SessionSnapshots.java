// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.FlinkSessionJobStatus;
import io.sluice.api.status.JobState;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.Jobs;
import io.sluice.operator.model.Target.SessionClusterView;
import io.sluice.operator.model.Target.SessionJobView;
import io.sluice.operator.model.Target.SubmissionView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Session clusters and session jobs at several moments of their lives. */
public final class SessionSnapshots {
    public static final String JOB = "0123456789abcdef0123456789abcdef";

    private SessionSnapshots() {}

    public static ObjectNode sessionCluster() {
        ObjectNode spec = Specs.application("flink:1.20", "stateless");
        spec.remove("job");
        return spec;
    }

    public static Snapshots aNewSessionCluster() {
        return Snapshots.aNewResource()
                .withTarget(new Target.SessionCluster(List.of(), new Jobs.NotAsked()))
                .withSpec(sessionCluster());
    }

    public static Snapshots aReadySessionCluster() {
        return aReadySessionCluster(sessionCluster());
    }

    public static Snapshots aReadySessionCluster(ObjectNode spec) {
        return aNewSessionCluster()
                .withSpec(spec)
                .decided()
                .withJobManager(true)
                .withTarget(new Target.SessionCluster(List.of(), new Jobs.Listed(List.of())))
                .decided();
    }

    public static Target silentCluster() {
        return new Target.SessionCluster(List.of(), new Jobs.Silent("timed out"));
    }

    /** With a job on it that keeps state. */
    public static Target silentSince(Instant since) {
        return new Target.SessionCluster(
                List.of(new SessionJobView("report", Optional.of(JOB), true, false)),
                new Jobs.Silent("timed out"),
                Optional.of(since));
    }

    public static Target withGuest(boolean keepsState, JobState state) {
        return new Target.SessionCluster(
                List.of(
                        new SessionJobView(
                                "report", Optional.of(JOB), keepsState, state.isTerminal())),
                listing(state));
    }

    public static Jobs listing(JobState state) {
        return new Jobs.Listed(List.of(overview(JOB, state)));
    }

    public static Snapshots aSessionClusterWithAStatefulJob() {
        return aReadySessionCluster().withTarget(withGuest(true, JobState.RUNNING));
    }

    public static ObjectNode sessionJob(String upgradeMode) {
        ObjectNode spec = JsonNodeFactory.instance.objectNode().put("deploymentName", "session");
        spec.putObject("job")
                .put("jarURI", "https://repo.example.org/report.jar")
                .put("parallelism", 2)
                .put("state", "running")
                .put("upgradeMode", upgradeMode);
        spec.putObject("flinkConfiguration")
                .put("execution.checkpointing.dir", "s3://c")
                .put("execution.checkpointing.savepoint-dir", "s3://s");
        return spec;
    }

    public static Snapshots aNewSessionJob(String upgradeMode) {
        return onReadyCluster(
                Snapshots.aNewResource()
                        .withTarget(on(host(), new SubmissionView.None()))
                        .withSpec(sessionJob(upgradeMode)));
    }

    /** As the observer shows a ready cluster to a job. */
    private static Snapshots onReadyCluster(Snapshots of) {
        return of.withJobManager(true);
    }

    /** Taken up; nothing was handed over yet. */
    public static Snapshots aTakenUpSessionJob(String upgradeMode) {
        return onReadyCluster(aNewSessionJob(upgradeMode).decided())
                .withJob(new JobView.NotListed());
    }

    /** Asked for: nobody knows yet whether it will turn up. */
    public static Snapshots aSessionJobInDoubt(String upgradeMode) {
        return aTakenUpSessionJob(upgradeMode)
                .withTarget(on(host(), new SubmissionView.Uploaded("1_report.jar")))
                .decided()
                .withTarget(on(host(), new SubmissionView.None()));
    }

    public static Snapshots aRunningSessionJob(String upgradeMode) {
        return aSessionJobInDoubt(upgradeMode).withJob(JobState.RUNNING, 2).decided().decided();
    }

    /** One moment of each step of a submission. */
    static Stream<Snapshots> submission() {
        return Stream.of(
                aTakenUpSessionJob("stateless"),
                aSessionJobInDoubt("stateless"),
                aSessionJobInDoubt("stateless").withJob(JobState.RUNNING, 2));
    }

    public static Target on(SessionClusterView host, SubmissionView submission) {
        return new Target.SessionJob(host, submission);
    }

    public static Target on(SessionClusterView host) {
        return on(host, new SubmissionView.None());
    }

    public static Target onNoCluster() {
        return on(SessionClusterView.missing("session"));
    }

    /** One whose submission is as far as {@code view} says. */
    public static Snapshots submitting(SubmissionView view) {
        return aNewSessionJob("stateless")
                .decided()
                .withJob(new JobView.NotListed())
                .withTarget(on(host(), view));
    }

    /** One whose jar could not be had, for the first time. */
    public static Snapshots notUploaded(Reason reason) {
        return submitting(new SubmissionView.NotUploaded(reason, "is too much", Snapshots.NOW, 1));
    }

    public static Target refused(String why) {
        return on(host(), new SubmissionView.Refused(why, Snapshots.NOW));
    }

    public static SessionClusterView host() {
        return host(SessionClusterView.State.READY, false);
    }

    public static SessionClusterView host(SessionClusterView.State state, boolean highlyAvailable) {
        return new SessionClusterView(
                "session",
                state,
                false,
                false,
                true,
                highlyAvailable,
                new FlinkConfiguration(
                        Map.of("execution.checkpointing.savepoint-dir", "file:///cluster")),
                Optional.of(FlinkVersion.V1_20));
    }

    public static SessionClusterView partingHost() {
        return partingHost(false);
    }

    public static SessionClusterView partingHost(boolean keepsJobs) {
        return new SessionClusterView(
                "session",
                SessionClusterView.State.READY,
                true,
                keepsJobs,
                false,
                true,
                keepsJobs,
                FlinkConfiguration.EMPTY,
                Optional.of(FlinkVersion.V1_20));
    }

    public static SessionClusterView deletedHost(boolean blocking) {
        return new SessionClusterView(
                "session",
                SessionClusterView.State.READY,
                false,
                true,
                blocking,
                false,
                FlinkConfiguration.EMPTY,
                Optional.of(FlinkVersion.V1_20));
    }

    /** The session job as the API server holds it. */
    public static FlinkSessionJob resource(Snapshots of) {
        FlinkDeploymentStatus status = of.observed().status();
        FlinkSessionJob job = new FlinkSessionJob();
        job.getMetadata().setNamespace("shop");
        job.getMetadata().setName("report");
        job.setSpec(sessionJob("last-state"));
        job.setStatus(
                new FlinkSessionJobStatus(
                                status.jobStatus(),
                                status.error(),
                                status.observedGeneration(),
                                status.lifecycleState(),
                                status.reconciliationStatus(),
                                status.attempt(),
                                status.lastUpgrade(),
                                status.conditions())
                        .onto(JsonNodeFactory.instance.objectNode()));
        return job;
    }

    /** The session cluster as the API server holds it. */
    public static FlinkDeployment cluster(Snapshots of) {
        FlinkDeployment cluster = new FlinkDeployment();
        cluster.getMetadata().setNamespace("shop");
        cluster.getMetadata().setName("session");
        cluster.getMetadata().setUid("uid-1");
        if (of.observed().spec() instanceof SpecView.Valid(_, var raw)) {
            cluster.setSpec(raw);
        }
        cluster.setStatus(of.observed().status().onto(JsonNodeFactory.instance.objectNode()));
        return cluster;
    }

    public static JobOverview overview(String id, JobState state) {
        return new JobOverview(
                id,
                "report",
                state.wire(),
                Snapshots.NOW,
                Optional.empty(),
                new TaskCounts(2, 2, 0));
    }
}
