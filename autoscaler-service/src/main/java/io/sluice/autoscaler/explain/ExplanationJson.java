// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** An {@link Explanation} for {@code GET /explain}. */
public final class ExplanationJson {
    private ExplanationJson() {}

    public static ObjectNode of(Explanation explanation) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("namespace", explanation.key().namespace())
                .put("name", explanation.key().name())
                .put("at", explanation.at().toString());
        decision(explanation.verdict(), json.putObject("decision"));
        json.putObject("counts")
                .put("scalings", explanation.counts().scalings())
                .put("errors", explanation.counts().errors())
                .put("balanced", explanation.counts().balanced());
        var vertices = json.putArray("vertices");
        explanation.vertices().forEach(vertex -> vertex(vertex, vertices.addObject()));
        return json;
    }

    private static void decision(Verdict verdict, ObjectNode json) {
        json.put("outcome", verdict.word()).put("why", verdict.why());
        switch (verdict) {
            case Verdict.Held(_, var proposed) -> put(json.putObject("proposed"), proposed);
            case Verdict.Scaled(var overrides) -> put(json.putObject("published"), overrides);
            case Verdict.Waiting _, Verdict.Collecting _, Verdict.Balanced _, Verdict.Failed _ -> {}
        }
    }

    private static void put(ObjectNode json, Map<String, Integer> parallelisms) {
        parallelisms.forEach((vertex, parallelism) -> json.put(vertex, parallelism));
    }

    private static void vertex(VertexView vertex, ObjectNode json) {
        json.put("id", vertex.id())
                .put("name", vertex.name())
                .put("parallelism", vertex.parallelism())
                .put("maxParallelism", vertex.maxParallelism());
        vertex.published().ifPresent(published -> json.put("published", published));
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
