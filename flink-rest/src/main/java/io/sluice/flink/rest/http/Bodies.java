// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.flink.rest.AnswerLimit;
import io.sluice.flink.rest.ClusterConfig;
import io.sluice.flink.rest.JobDetails;
import io.sluice.flink.rest.JobException;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.TaskCounts;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Flink's JSON as records. Fields come and go between Flink 1.18 and 2.3: one that says little is
 * defaulted when it is missing, a body without its core is empty here, which means "no answer".
 */
final class Bodies {
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}(\\.\\d+)?");
    private static final int MOST_LABELS = 50;
    private static final Set<String> CONFIG = Set.of("flink-version", "flink-revision");
    private static final Set<String> OVERVIEW =
            Set.of(
                    "jid",
                    "name",
                    "state",
                    "start-time",
                    "end-time",
                    "last-modification",
                    "tasks",
                    "total",
                    "running",
                    "finished");
    private static final Set<String> VERTEX =
            Set.of("id", "name", "parallelism", "maxParallelism", "status");
    private static final Set<String> METRIC = Set.of("id", "value");
    private static final Set<String> ENTRY = Set.of("key", "value");
    private static final Set<String> BOUNDS = Set.of("parallelism", "lowerBound", "upperBound");
    private static final Set<String> EXCEPTION =
            Set.of(
                    "exceptionName",
                    "stacktrace",
                    "timestamp",
                    "taskName",
                    "endpoint",
                    "location",
                    "taskManagerId");

    private Bodies() {}

    static Optional<ClusterConfig> config(JsonCursor body) throws IOException {
        JsonNode config = body.only(CONFIG);
        return text(config, "flink-version")
                .map(
                        version ->
                                new ClusterConfig(
                                        version, config.path("flink-revision").asText("")));
    }

    static Optional<Integer> taskManagers(JsonCursor body) throws IOException {
        return body.elementsIn("taskmanagers", AnswerLimit.TASK_MANAGERS, () -> Optional.of(true))
                .map(List::size);
    }

    static Optional<List<JobOverview>> jobs(JsonCursor body) throws IOException {
        return body.elementsIn("jobs", AnswerLimit.JOBS, () -> overview(body.only(OVERVIEW)));
    }

    static Optional<JobDetails> job(JsonCursor body) throws IOException {
        Map<String, String> texts = new HashMap<>();
        var vertices = new JsonCursor.Held<List<JobVertex>>();
        body.fields(
                name -> {
                    switch (name) {
                        case "jid", "state", "name" ->
                                body.text().ifPresent(text -> texts.put(name, text));
                        case "vertices" ->
                                vertices.value =
                                        body.elements(
                                                AnswerLimit.VERTICES,
                                                () -> vertex(body.only(VERTEX)));
                        default -> {}
                    }
                });
        if (!texts.containsKey("jid") || !texts.containsKey("state")) {
            return Optional.empty();
        }
        String id = texts.get("jid");
        return Optional.of(
                new JobDetails(
                        id,
                        title(texts.getOrDefault("name", id)),
                        texts.get("state"),
                        vertices.value.orElse(List.of())));
    }

    /**
     * {@code [{"id":…,"value":"7"}]}; what is no number says nothing.
     *
     * @param names those that were asked for
     */
    static Optional<Map<String, Double>> metrics(JsonCursor body, Set<String> names)
            throws IOException {
        Map<String, Double> metrics = new TreeMap<>();
        return body.elements(
                        AnswerLimit.ENTRIES,
                        () -> {
                            JsonNode metric = body.only(METRIC);
                            String id = metric.path("id").asText("");
                            String value = metric.path("value").asText("");
                            if (names.contains(id) && NUMBER.matcher(value).matches()) {
                                metrics.put(id, Double.parseDouble(value));
                            }
                            return Optional.empty();
                        })
                .map(_ -> metrics);
    }

    /** {@code [{"key":…,"value":…}]}. */
    static Optional<Map<String, String>> configuration(JsonCursor body) throws IOException {
        Map<String, String> entries = new TreeMap<>();
        return body.elements(
                        AnswerLimit.ENTRIES,
                        () -> {
                            JsonNode entry = body.only(ENTRY);
                            text(entry, "key")
                                    .ifPresent(
                                            key ->
                                                    entries.put(
                                                            key, entry.path("value").asText("")));
                            return Optional.empty();
                        })
                .map(_ -> entries);
    }

    /** Flink 2.x knows only {@code exceptionHistory}; Flink before 1.13 only the root. */
    static Optional<List<JobException>> exceptions(JsonCursor body) throws IOException {
        if (!body.isObject()) {
            return Optional.empty();
        }
        var history = new JsonCursor.Held<List<JobException>>();
        var root = new JsonCursor.Held<String>();
        var at = new JsonCursor.Held<JsonNode>();
        body.fields(
                name -> {
                    switch (name) {
                        case "exceptionHistory" -> history.value = history(body);
                        case "root-exception" ->
                                root.value = body.text().map(text -> trace(text, body));
                        case "timestamp" -> at.value = Optional.of(body.only(Set.of()));
                        default -> {}
                    }
                });
        return history.value.or(
                () ->
                        Optional.of(
                                root
                                        .value
                                        .map(
                                                trace ->
                                                        rootException(
                                                                trace,
                                                                at.value.orElse(
                                                                        MissingNode.getInstance())))
                                        .stream()
                                        .toList()));
    }

    /** The newest; the others are skipped, as they are only for people. */
    private static Optional<List<JobException>> history(JsonCursor body) throws IOException {
        List<JobException> newest = new ArrayList<>();
        var entries = new JsonCursor.Held<List<JobException>>();
        body.fields(
                name -> {
                    if (name.equals("entries")) {
                        newest.clear();
                        entries.value =
                                body.elements(
                                                AnswerLimit.TOKENS,
                                                () -> {
                                                    if (newest.size()
                                                            < body.limits().exceptions()) {
                                                        newest.add(exception(body));
                                                    }
                                                    return Optional.<JobException>empty();
                                                })
                                        .map(_ -> newest);
                    }
                });
        return entries.value;
    }

    static Optional<Map<String, ParallelismBounds>> resourceRequirements(JsonCursor body)
            throws IOException {
        if (!body.isObject()) {
            return Optional.empty();
        }
        Map<String, Optional<ParallelismBounds>> bounds = new TreeMap<>();
        body.fields(
                vertex -> {
                    bounds.put(vertex, bounds(body.only(BOUNDS).path("parallelism")));
                    body.mustNotExceed(AnswerLimit.VERTICES, bounds.size());
                });
        return bounds.values().stream().allMatch(Optional::isPresent)
                ? Optional.of(
                        bounds.entrySet().stream()
                                .collect(
                                        Collectors.toMap(
                                                Map.Entry::getKey,
                                                entry -> entry.getValue().orElseThrow())))
                : Optional.empty();
    }

    private static Optional<ParallelismBounds> bounds(JsonNode parallelism) {
        int lower = parallelism.path("lowerBound").asInt(0);
        int upper = parallelism.path("upperBound").asInt(0);
        return lower < 1 || upper < lower
                ? Optional.empty()
                : Optional.of(new ParallelismBounds(lower, upper));
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
                                                                title(text(job, "name").orElse(id)),
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
                                        title(text(vertex, "name").orElse(id)),
                                        vertex.path("parallelism").asInt(0),
                                        vertex.path("maxParallelism").asInt(-1),
                                        vertex.path("status").asText("")));
    }

    private static JobException exception(JsonCursor body) throws IOException {
        Map<String, String> labels = new TreeMap<>();
        ObjectNode entry = JsonNodeFactory.instance.objectNode();
        body.fields(
                name -> {
                    if (name.equals("failureLabels")) {
                        labels(body, labels);
                    } else if (EXCEPTION.contains(name)) {
                        entry.set(name, body.only(Set.of()));
                    }
                });
        String trace = trace(entry.path("stacktrace").asText(""), body);
        return new JobException(
                title(text(entry, "exceptionName").orElseGet(() -> nameIn(trace))),
                trace,
                instant(entry.path("timestamp")),
                text(entry, "taskName").map(Bodies::title),
                text(entry, "endpoint").or(() -> text(entry, "location")),
                text(entry, "taskManagerId"),
                labels);
    }

    private static void labels(JsonCursor body, Map<String, String> labels) throws IOException {
        body.fields(
                name -> {
                    if (labels.size() < MOST_LABELS) {
                        body.text().ifPresent(text -> labels.put(name, title(text)));
                    }
                });
    }

    private static String trace(String text, JsonCursor body) {
        return cut(text, body.limits().traceLength());
    }

    /** Of a job, a vertex, a task: for people. */
    private static String title(String text) {
        return cut(text, AnswerLimits.TITLE_LENGTH);
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length) + "…";
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
