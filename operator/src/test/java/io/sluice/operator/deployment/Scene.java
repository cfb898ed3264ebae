// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobState;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.operator.deployment.ClusterView.PodProblem;
import io.sluice.rules.config.DefaultConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A snapshot in the making; each method returns a changed copy. */
record Scene(
        ObjectNode spec,
        List<String> problems,
        FlinkDeploymentStatus status,
        ClusterView cluster,
        JobView job,
        Map<String, Integer> overrides,
        ScalingView scaling,
        Optional<String> refusal,
        long generation,
        boolean deleting) {
    static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    static final Duration STEADY = Duration.ofSeconds(60);
    static final Duration PROGRESS = Duration.ofSeconds(2);
    private static final YAMLMapper YAML = new YAMLMapper();

    /** A resource nobody has touched yet. */
    static Scene fresh(String jobFields) {
        return new Scene(
                spec("flink:1", jobFields),
                List.of(),
                FlinkDeploymentStatus.NEW,
                ClusterView.NONE,
                new JobView.NotAsked(),
                Map.of(),
                new ScalingView.NotAsked(),
                Optional.empty(),
                1,
                false);
    }

    /** A resource whose job runs well with its spec. */
    static Scene stable(String jobFields) {
        Scene begun = fresh(jobFields).decided().present(true).seen(JobState.RUNNING, 2, 2);
        return begun.decided().decided();
    }

    static ObjectNode spec(String image, String jobFields) {
        String text =
                "{image: '%s', flinkVersion: v1_20, serviceAccount: flink, job: {parallelism: 1, %s}}"
                        .formatted(image, jobFields);
        return yaml(text);
    }

    static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) YAML.readTree(text);
        } catch (JsonProcessingException broken) {
            throw new IllegalArgumentException(text, broken);
        }
    }

    Decision decide() {
        return Decider.decide(snapshot());
    }

    /** The scene after its decision's status has been stored. */
    Scene decided() {
        return new Scene(
                spec,
                problems,
                decide().status(),
                cluster,
                job,
                overrides,
                scaling,
                refusal,
                generation,
                deleting);
    }

    Scene edited(ObjectNode next) {
        return new Scene(
                next,
                problems,
                status,
                cluster,
                job,
                overrides,
                scaling,
                refusal,
                generation + 1,
                deleting);
    }

    Scene invalid(String problem) {
        return new Scene(
                spec,
                List.of(problem),
                status,
                cluster,
                job,
                overrides,
                scaling,
                refusal,
                generation + 1,
                deleting);
    }

    Scene with(ClusterView next) {
        return new Scene(
                spec,
                problems,
                status,
                next,
                job,
                overrides,
                scaling,
                refusal,
                generation,
                deleting);
    }

    Scene with(JobView next) {
        return new Scene(
                spec,
                problems,
                status,
                cluster,
                next,
                overrides,
                scaling,
                refusal,
                generation,
                deleting);
    }

    /** The JobManager of the current attempt stands. */
    Scene present(boolean available) {
        return with(
                new ClusterView(
                        new JobManagerView.Present(
                                "u1", status.jobStatus().jobId(), available, available),
                        1,
                        Optional.empty()));
    }

    Scene troubled(String reason) {
        return with(
                new ClusterView(
                        new JobManagerView.Present("u1", status.jobStatus().jobId(), false, false),
                        1,
                        Optional.of(new PodProblem(reason, "pod p, container c: no"))));
    }

    Scene seen(JobState state, int running, int total) {
        return with(
                new JobView.Seen(
                        state,
                        new JobOverview(
                                status.jobStatus().jobId().orElseThrow(),
                                "n",
                                state.wire(),
                                NOW,
                                new TaskCounts(total, running, 0))));
    }

    Scene wanted(Map<String, Integer> next, ScalingView view) {
        return new Scene(
                spec, problems, status, cluster, job, next, view, refusal, generation, deleting);
    }

    Scene refused(String message) {
        return new Scene(
                spec,
                problems,
                status,
                cluster,
                job,
                overrides,
                scaling,
                Optional.of(message),
                generation,
                deleting);
    }

    Scene deleted() {
        return new Scene(
                spec,
                problems,
                status,
                cluster,
                job,
                overrides,
                scaling,
                refusal,
                generation,
                true);
    }

    static ScalingView vertex(int parallelism, int lower, int upper) {
        return new ScalingView.Known(
                List.of(new JobVertex("ab", "work", parallelism, 128, "RUNNING")),
                Map.of("ab", new ParallelismBounds(lower, upper)));
    }

    private Snapshot snapshot() {
        SpecView view =
                problems.isEmpty()
                        ? new SpecView.Valid(FlinkDeploymentSpec.parse(spec, "spec").value(), spec)
                        : new SpecView.Invalid(problems);
        return new Snapshot(
                new Snapshot.Identity("shop", "orders", "uid-1", generation, deleting),
                view,
                status,
                TakenUp.from(status.reconciliationStatus()),
                DefaultConfiguration.NONE,
                cluster,
                job,
                overrides,
                scaling,
                refusal,
                new Snapshot.Polls(STEADY, PROGRESS),
                NOW);
    }
}
