// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.autoscaler.decide.Graph;
import java.util.List;
import java.util.Map;

/** An {@link Explanation} for {@code GET /explain}. */
public final class ExplanationJson {
    private ExplanationJson() {}

    /** One entry of the list of all jobs. */
    public static ObjectNode summary(Explanation explanation) {
        ObjectNode json = named(explanation);
        json.put("outcome", explanation.verdict().word()).put("why", explanation.verdict().why());
        json.put("rescalesOfTheDay", explanation.counts().ofDay())
                .put("rescalesPerDay", explanation.counts().perDay());
        size(explanation, json);
        explanation
                .timeline()
                .writeRates(
                        json.putArray("rates"),
                        explanation.sources().stream().map(VertexView::id).toList());
        return json;
    }

    public static ObjectNode of(Explanation explanation) {
        ObjectNode json = named(explanation);
        json.put("at", explanation.at().toString());
        size(explanation, json);
        decision(explanation.verdict(), json.putObject("decision"));
        explanation
                .restart()
                .ifPresent(restart -> json.put("restartSeconds", restart.toMillis() / 1000.0));
        counts(explanation.counts(), json.putObject("counts"));
        explanation.ignored().forEach(json.putArray("ignoredOptions")::add);
        var vertices = json.putArray("vertices");
        explanation
                .vertices()
                .forEach(vertex -> vertex(vertex, explanation.graph(), vertices.addObject()));
        explanation
                .timeline()
                .writeTo(
                        json.putObject("timeline"),
                        explanation.vertices().stream().map(VertexView::id).toList());
        explanation.hours().writeTo(json.putObject("hours"));
        return json;
    }

    private static ObjectNode named(Explanation explanation) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("kind", explanation.key().kind().wire())
                .put("namespace", explanation.key().namespace())
                .put("name", explanation.key().name());
    }

    /** Writes the slots that the job has and needs, their cost, and its lag. */
    private static void size(Explanation explanation, ObjectNode json) {
        explanation
                .consumption()
                .ifPresent(
                        consumption -> {
                            ObjectNode slots = json.putObject("slots");
                            slots.put("used", consumption.slots());
                            consumption.neededSlots().ifPresent(it -> slots.put("needed", it));
                            consumption
                                    .costPerHour()
                                    .ifPresent(
                                            it -> json.withObject("/costPerHour").put("used", it));
                            consumption
                                    .neededCostPerHour()
                                    .ifPresent(
                                            it ->
                                                    json.withObject("/costPerHour")
                                                            .put("needed", it));
                        });
        explanation.lagSeconds().ifPresent(lag -> json.put("lagSeconds", lag));
        explanation.behind().ifPresent(time -> json.put("behindSeconds", time.toSeconds()));
    }

    private static void counts(Counts counts, ObjectNode json) {
        json.put("scalings", counts.scalings())
                .put("errors", counts.errors())
                .put("balanced", counts.balanced())
                .put("rescalesOfTheDay", counts.ofDay())
                .put("rescalesPerDay", counts.perDay());
        ObjectNode holds = json.putObject("holds");
        counts.holds().forEach((reason, count) -> holds.put(reason.name(), count));
    }

    private static void decision(Verdict verdict, ObjectNode json) {
        json.put("outcome", verdict.word()).put("why", verdict.why()).put("next", verdict.next());
        switch (verdict) {
            case Verdict.Held(var reason, var until, var proposed) -> {
                json.put("reason", reason.name());
                until.ifPresent(at -> json.put("until", at.toString()));
                put(json.putObject("proposed"), proposed);
            }
            case Verdict.Recommended(var overrides) -> put(json.putObject("proposed"), overrides);
            case Verdict.Scaled(var overrides, _, var leftOut) -> {
                put(json.putObject("published"), overrides);
                if (!leftOut.isEmpty()) {
                    ObjectNode reasons = json.putObject("leftOut");
                    leftOut.forEach((vertex, reason) -> reasons.put(vertex, reason.name()));
                }
            }
            case Verdict.Waiting _, Verdict.Collecting _, Verdict.Balanced _, Verdict.Failed _ -> {}
        }
    }

    private static void put(ObjectNode json, Map<String, Integer> parallelisms) {
        parallelisms.forEach((vertex, parallelism) -> json.put(vertex, parallelism));
    }

    private static void vertex(VertexView vertex, Graph graph, ObjectNode json) {
        json.put("id", vertex.id())
                .put("name", vertex.name())
                .put("parallelism", vertex.parallelism())
                .put("maxParallelism", vertex.maxParallelism());
        vertex.published().ifPresent(published -> json.put("published", published));
        var inputs = json.putArray("inputs");
        graph.inputs()
                .getOrDefault(vertex.id(), List.of())
                .forEach(
                        input ->
                                inputs.addObject()
                                        .put("from", input.from())
                                        .put("ship", input.ship()));
        ObjectNode metrics = json.putObject("metrics");
        vertex.measures()
                .keySet()
                .forEach(
                        metric ->
                                vertex.measure(metric)
                                        .ifPresent(value -> number(metrics, metric, value)));
    }

    /** JSON knows no infinity. */
    private static void number(ObjectNode json, String name, double value) {
        if (Double.isFinite(value)) {
            json.put(name, value);
        } else {
            json.put(name, Double.toString(value));
        }
    }
}
