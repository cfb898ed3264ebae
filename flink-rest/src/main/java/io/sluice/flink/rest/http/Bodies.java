// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.flink.rest.ClusterConfig;
import io.sluice.flink.rest.JobDetails;
import io.sluice.flink.rest.JobException;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.TaskCounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Flink's JSON as records. Fields come and go between Flink 1.18 and 2.3: one that says little is
 * defaulted when it is missing, a body without its core is empty here, which means "no answer".
 */
final class Bodies {
    private Bodies() {}

    static Optional<ClusterConfig> config(JsonNode body) {
        return text(body, "flink-version")
                .map(version -> new ClusterConfig(version, body.path("flink-revision").asText("")));
    }

    static Optional<Integer> taskManagers(JsonNode body) {
        JsonNode found = body.path("taskmanagers");
        return found.isArray() ? Optional.of(found.size()) : Optional.empty();
    }

    static Optional<List<JobOverview>> jobs(JsonNode body) {
        JsonNode jobs = body.path("jobs");
        return jobs.isArray()
                ? Optional.of(
                        jobs.valueStream().map(Bodies::overview).flatMap(Optional::stream).toList())
                : Optional.empty();
    }

    static Optional<JobDetails> job(JsonNode body) {
        Optional<String> id = text(body, "jid");
        Optional<String> state = text(body, "state");
        if (id.isEmpty() || state.isEmpty()) {
            return Optional.empty();
        }
        List<JobVertex> vertices =
                body.path("vertices")
                        .valueStream()
                        .map(Bodies::vertex)
                        .flatMap(Optional::stream)
                        .toList();
        return Optional.of(
                new JobDetails(
                        id.get(), text(body, "name").orElse(id.get()), state.get(), vertices));
    }

    /** {@code [{"id":…,"value":"7"}]}; what is no number says nothing. */
    static Optional<Map<String, Double>> metrics(JsonNode body) {
        if (!body.isArray()) {
            return Optional.empty();
        }
        Map<String, Double> metrics = new TreeMap<>();
        for (JsonNode metric : body) {
            String value = metric.path("value").asText("");
            if (metric.path("id").isTextual() && value.matches("-?\\d{1,18}(\\.\\d+)?")) {
                metrics.put(metric.path("id").asText(), Double.parseDouble(value));
            }
        }
        return Optional.of(metrics);
    }

    /** {@code [{"key":…,"value":…}]}. */
    static Optional<Map<String, String>> configuration(JsonNode body) {
        if (!body.isArray()) {
            return Optional.empty();
        }
        Map<String, String> entries = new TreeMap<>();
        for (JsonNode entry : body) {
            text(entry, "key").ifPresent(key -> entries.put(key, entry.path("value").asText("")));
        }
        return Optional.of(entries);
    }

    /** Flink 2.x knows only {@code exceptionHistory}; Flink before 1.13 only the root. */
    static Optional<List<JobException>> exceptions(JsonNode body) {
        JsonNode entries = body.path("exceptionHistory").path("entries");
        if (entries.isArray()) {
            return Optional.of(entries.valueStream().map(Bodies::exception).toList());
        }
        List<JobException> root = new ArrayList<>();
        text(body, "root-exception")
                .ifPresent(trace -> root.add(rootException(trace, body.path("timestamp"))));
        return body.isObject() ? Optional.of(List.copyOf(root)) : Optional.empty();
    }

    static Optional<Map<String, ParallelismBounds>> resourceRequirements(JsonNode body) {
        Map<String, ParallelismBounds> bounds = new TreeMap<>();
        for (var entry : body.properties()) {
            JsonNode parallelism = entry.getValue().path("parallelism");
            int lower = parallelism.path("lowerBound").asInt(0);
            int upper = parallelism.path("upperBound").asInt(0);
            if (lower < 1 || upper < lower) {
                return Optional.empty();
            }
            bounds.put(entry.getKey(), new ParallelismBounds(lower, upper));
        }
        return body.isObject() ? Optional.of(Map.copyOf(bounds)) : Optional.empty();
    }

    static ObjectNode ofResourceRequirements(Map<String, ParallelismBounds> bounds) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        new TreeMap<>(bounds)
                .forEach(
                        (vertex, bound) ->
                                body.putObject(vertex)
                                        .putObject("parallelism")
                                        .put("lowerBound", bound.lower())
                                        .put("upperBound", bound.upper()));
        return body;
    }

    private static Optional<JobOverview> overview(JsonNode job) {
        JsonNode tasks = job.path("tasks");
        TaskCounts counts =
                new TaskCounts(
                        tasks.path("total").asInt(0),
                        tasks.path("running").asInt(0),
                        tasks.path("finished").asInt(0));
        return text(job, "jid")
                .flatMap(
                        id ->
                                text(job, "state")
                                        .map(
                                                state ->
                                                        new JobOverview(
                                                                id,
                                                                text(job, "name").orElse(id),
                                                                state,
                                                                instant(job.path("start-time")),
                                                                Optional.of(job.path("end-time"))
                                                                        .filter(
                                                                                end ->
                                                                                        end.asLong(
                                                                                                        -1)
                                                                                                > 0)
                                                                        .map(Bodies::instant),
                                                                counts,
                                                                instant(
                                                                        job.path(
                                                                                "last-modification")))));
    }

    private static Optional<JobVertex> vertex(JsonNode vertex) {
        return text(vertex, "id")
                .map(
                        id ->
                                new JobVertex(
                                        id,
                                        text(vertex, "name").orElse(id),
                                        vertex.path("parallelism").asInt(0),
                                        vertex.path("maxParallelism").asInt(-1),
                                        vertex.path("status").asText("")));
    }

    private static JobException exception(JsonNode entry) {
        String trace = entry.path("stacktrace").asText("");
        return new JobException(
                text(entry, "exceptionName").orElseGet(() -> nameIn(trace)),
                trace,
                instant(entry.path("timestamp")),
                text(entry, "taskName"),
                text(entry, "endpoint").or(() -> text(entry, "location")),
                text(entry, "taskManagerId"),
                labels(entry.path("failureLabels")));
    }

    private static Map<String, String> labels(JsonNode labels) {
        Map<String, String> found = new TreeMap<>();
        labels.properties().forEach(entry -> found.put(entry.getKey(), entry.getValue().asText()));
        return found;
    }

    private static JobException rootException(String trace, JsonNode timestamp) {
        return new JobException(nameIn(trace), trace, instant(timestamp), Optional.empty());
    }

    private static String nameIn(String trace) {
        int end = trace.indexOf(':');
        return end > 0 ? trace.substring(0, end) : trace.lines().findFirst().orElse("");
    }

    private static Instant instant(JsonNode millis) {
        return Instant.ofEpochMilli(millis.asLong(0));
    }

    private static Optional<String> text(JsonNode node, String field) {
        return Optional.of(node.path(field)).filter(JsonNode::isTextual).map(JsonNode::textValue);
    }
}
