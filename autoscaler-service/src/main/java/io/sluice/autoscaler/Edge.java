// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.javalin.Javalin;
import io.javalin.http.Context;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import io.sluice.autoscaler.explain.Explanation;
import io.sluice.autoscaler.explain.ExplanationJson;
import io.sluice.autoscaler.explain.Explanations;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.function.BooleanSupplier;

/** The process's HTTP side: probes, metrics, explanations as JSON and as a page. */
final class Edge {
    private static final String NOT_THERE =
            "{\"error\":\"no FlinkDeployment or FlinkSessionJob of this name has"
                    + " job.autoscaler.enabled\"}";

    private Edge() {}

    static Javalin start(
            int port,
            CollectorRegistry registry,
            Explanations explanations,
            BooleanSupplier healthy,
            BooleanSupplier ready) {
        return Javalin.create(
                        config -> {
                            config.concurrency.useVirtualThreads = true;
                            config.startup.showJavalinBanner = false;
                            config.routes.get("/healthz", ctx -> probe(ctx, healthy, 500));
                            config.routes.get("/readyz", ctx -> probe(ctx, ready, 503));
                            config.routes.get("/metrics", ctx -> metrics(ctx, registry));
                            config.routes.get("/explain", ctx -> overview(ctx, explanations));
                            config.routes.get(
                                    "/explain/{namespace}/{name}",
                                    ctx -> explain(ctx, explanations));
                            for (PageFile file : PageFile.values()) {
                                file.paths().forEach(path -> config.routes.get(path, file::answer));
                            }
                        })
                .start(port);
    }

    private static void probe(Context ctx, BooleanSupplier good, int otherwise) {
        boolean isGood = good.getAsBoolean();
        ctx.status(isGood ? 200 : otherwise).result(isGood ? "ok" : "not ok");
    }

    private static void metrics(Context ctx, CollectorRegistry registry) {
        StringWriter text = new StringWriter();
        try {
            TextFormat.write004(text, registry.metricFamilySamples());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        ctx.contentType(TextFormat.CONTENT_TYPE_004).result(text.toString());
    }

    private static void overview(Context ctx, Explanations explanations) {
        ArrayNode jobs = JsonNodeFactory.instance.arrayNode();
        explanations.all().stream()
                .sorted(Comparator.comparing((Explanation each) -> each.key().path()))
                .forEach(
                        each ->
                                jobs.addObject()
                                        .put("namespace", each.key().namespace())
                                        .put("name", each.key().name())
                                        .put("outcome", each.verdict().word())
                                        .put("why", each.verdict().why()));
        ctx.contentType("application/json").result(jobs.toString());
    }

    private static void explain(Context ctx, Explanations explanations) {
        explanations
                .of(ctx.pathParam("namespace"), ctx.pathParam("name"))
                .map(ExplanationJson::of)
                .ifPresentOrElse(
                        json -> ctx.contentType("application/json").result(json.toString()),
                        () -> ctx.status(404).contentType("application/json").result(NOT_THERE));
    }
}
