// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.javalin.Javalin;
import io.javalin.http.Context;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The process's HTTP side: probes, metrics, explanations as JSON and as a page. */
final class Edge {
    private static final int THREADS = 8;

    private Edge() {}

    static Javalin start(
            int port,
            CollectorRegistry registry,
            Answers answers,
            Supplier<Optional<String>> wrong,
            BooleanSupplier ready) {
        return Javalin.create(
                        config -> {
                            // Probes are answered also while looks occupy all carriers.
                            config.concurrency.useVirtualThreads = false;
                            config.jetty.threadPool = new QueuedThreadPool(THREADS, 2);
                            config.startup.showJavalinBanner = false;
                            config.routes.get("/healthz", ctx -> health(ctx, wrong.get()));
                            config.routes.get("/readyz", ctx -> readiness(ctx, ready));
                            config.routes.get("/metrics", ctx -> metrics(ctx, registry));
                            config.routes.get("/explain", answers::overview);
                            config.routes.get("/explain/{namespace}/{name}", answers::explain);
                            for (PageFile file : PageFile.values()) {
                                file.paths().forEach(path -> config.routes.get(path, file::answer));
                            }
                        })
                .start(port);
    }

    private static void health(Context ctx, Optional<String> wrong) {
        ctx.status(wrong.isEmpty() ? 200 : 500).result(wrong.orElse("ok"));
    }

    private static void readiness(Context ctx, BooleanSupplier ready) {
        boolean isReady = ready.getAsBoolean();
        ctx.status(isReady ? 200 : 503).result(isReady ? "ok" : "not ok");
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
