// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.flink.rest.AnswerLimit;
import io.sluice.flink.rest.MetricSummary;
import io.sluice.flink.rest.PlanNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Flink's JSON of the vertices of a job, and of what their subtasks measure. */
final class MetricBodies {
    private static final Set<String> NAME = Set.of("id");
    private static final Set<String> SUMMARY = Set.of("id", "min", "max", "sum");

    private MetricBodies() {}

    /** {@code {"plan":{"nodes":[{"id":…,"inputs":[{"id":…}]}]}}}; a source has no inputs. */
    static Optional<List<PlanNode>> plan(JsonCursor body) throws IOException {
        var nodes = new JsonCursor.Held<List<PlanNode>>();
        body.fields(
                name -> {
                    if (name.equals("plan")) {
                        nodes.value =
                                body.elementsIn("nodes", AnswerLimit.VERTICES, () -> node(body));
                    }
                });
        return nodes.value;
    }

    private static Optional<PlanNode> node(JsonCursor body) throws IOException {
        var id = new JsonCursor.Held<String>();
        var inputs = new JsonCursor.Held<List<Boolean>>();
        body.fields(
                name -> {
                    switch (name) {
                        case "id" -> id.value = body.text();
                        case "inputs" ->
                                inputs.value =
                                        body.elements(AnswerLimit.ENTRIES, () -> Optional.of(true));
                        default -> {}
                    }
                });
        return id.value.map(it -> new PlanNode(it, inputs.value.orElse(List.of()).isEmpty()));
    }

    /** {@code [{"id":…}]}. */
    static Optional<List<String>> names(JsonCursor body) throws IOException {
        return body.elements(
                AnswerLimit.ENTRIES,
                () ->
                        Optional.of(body.only(NAME).path("id"))
                                .filter(JsonNode::isTextual)
                                .map(JsonNode::textValue));
    }

    /**
     * {@code [{"id":…,"min":1.0,"max":2.0,"sum":3.0}]}; what is no finite number says nothing.
     *
     * @param asked those that were asked for
     */
    static Optional<Map<String, MetricSummary>> summaries(JsonCursor body, Set<String> asked)
            throws IOException {
        Map<String, MetricSummary> summaries = new TreeMap<>();
        return body.elements(
                        AnswerLimit.ENTRIES,
                        () -> {
                            JsonNode metric = body.only(SUMMARY);
                            String id = metric.path("id").asText("");
                            if (asked.contains(id)) {
                                summary(metric).ifPresent(it -> summaries.put(id, it));
                            }
                            return Optional.empty();
                        })
                .map(_ -> summaries);
    }

    private static Optional<MetricSummary> summary(JsonNode metric) {
        boolean isWhole =
                SUMMARY.stream()
                        .filter(field -> !NAME.contains(field))
                        .map(metric::path)
                        .allMatch(value -> value.isNumber() && Double.isFinite(value.asDouble()));
        return isWhole
                ? Optional.of(
                        new MetricSummary(
                                metric.path("min").asDouble(),
                                metric.path("max").asDouble(),
                                metric.path("sum").asDouble()))
                : Optional.empty();
    }
}
