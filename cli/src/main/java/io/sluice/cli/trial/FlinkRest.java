// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.trial.program.Kubectl;
import java.util.Optional;

/** Flink's REST API of an example, asked through the API server. Empty answers are not known. */
final class FlinkRest {
    private final Kubectl kubectl;
    private final String path;

    FlinkRest(Kubectl kubectl, Example example) {
        this.kubectl = kubectl;
        this.path =
                "/api/v1/namespaces/"
                        + Trial.NAME
                        + "/services/"
                        + example.resource()
                        + "-rest:8081/proxy/jobs/";
    }

    /**
     * What the job's state counts.
     *
     * @param records that were processed since the job first began
     * @param lost how many of them were lost; below zero if some were counted twice
     */
    record Count(long records, long lost) {}

    /** Whether all tasks of the job run. */
    boolean runs(String jobId) {
        return get("overview").stream()
                .flatMap(overview -> overview.path("jobs").valueStream())
                .filter(job -> job.path("jid").asText().equals(jobId))
                .map(job -> job.path("tasks"))
                .anyMatch(FlinkRest::allRun);
    }

    private static boolean allRun(JsonNode tasks) {
        int total = tasks.path("total").asInt();
        return total > 0 && tasks.path("running").asInt() == total;
    }

    /** Whether the job has completed a checkpoint since it was started. */
    boolean hasCheckpoint(String jobId) {
        return get(jobId + "/checkpoints")
                .map(checkpoints -> checkpoints.path("latest"))
                .filter(
                        latest ->
                                latest.at("/completed/id").asLong(0)
                                        > latest.at("/restored/id").asLong(0))
                .isPresent();
    }

    /** The savepoint or checkpoint that the job was started from; empty if there is none. */
    String restoredFrom(String jobId) {
        return get(jobId + "/checkpoints")
                .map(checkpoints -> checkpoints.at("/latest/restored/external_path").asText())
                .orElse("");
    }

    /** What the vertex of the example jobs counts that has the state. */
    Optional<Count> count(String jobId) {
        return get(jobId)
                .flatMap(
                        job ->
                                job.path("vertices")
                                        .valueStream()
                                        .filter(it -> it.path("name").asText().startsWith("work"))
                                        .findFirst())
                .flatMap(
                        vertex ->
                                get(
                                        jobId
                                                + "/vertices/"
                                                + vertex.path("id").asText()
                                                + "/subtasks/metrics?get=work.processed,work.deviation&agg=sum"))
                .flatMap(
                        metrics ->
                                sum(metrics, "work.processed")
                                        .flatMap(
                                                records ->
                                                        sum(metrics, "work.deviation")
                                                                .map(
                                                                        lost ->
                                                                                new Count(
                                                                                        records,
                                                                                        lost))));
    }

    private static Optional<Long> sum(JsonNode metrics, String name) {
        return metrics.valueStream()
                .filter(each -> each.path("id").asText().equals(name))
                .map(each -> (long) Math.floor(each.path("sum").asDouble()))
                .findFirst();
    }

    private Optional<JsonNode> get(String query) {
        return kubectl.find("get", "--raw", path + query);
    }
}
