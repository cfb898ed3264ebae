// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.javalin.Javalin;
import io.javalin.http.Context;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.function.BooleanSupplier;

/** The process's HTTP side: probes, metrics, explanations as JSON and as a page. */
final class Edge {
    private Edge() {}

    static Javalin start(
            int port,
            CollectorRegistry registry,
            Answers answers,
            BooleanSupplier healthy,
            BooleanSupplier ready) {
        return Javalin.create(
                        config -> {
                            config.concurrency.useVirtualThreads = true;
                            config.startup.showJavalinBanner = false;
                            config.routes.get("/healthz", ctx -> probe(ctx, healthy, 500));
                            config.routes.get("/readyz", ctx -> probe(ctx, ready, 503));
                            config.routes.get("/metrics", ctx -> metrics(ctx, registry));
                            config.routes.get("/explain", answers::overview);
                            config.routes.get("/explain/{namespace}/{name}", answers::explain);
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
}
