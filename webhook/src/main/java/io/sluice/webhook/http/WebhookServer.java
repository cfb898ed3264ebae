// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Handler;
import io.sluice.process.port.Connections;
import io.sluice.webhook.admission.AdmissionVerdict;
import io.sluice.webhook.admission.Verdict;
import io.sluice.webhook.certificates.TlsIdentity;
import io.sluice.webhook.metric.WebhookMetrics;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.eclipse.jetty.server.AbstractConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /validate} and {@code /mutate} over TLS. A request is worked on by one of a few threads,
 * the callers' in turns: admission is all computing, and on few cores a thread a request serves
 * some callers late. Read, a body takes many times its size, and a large one keeps a thread for
 * long: there is one thread for these, so that no ordinary request waits for them.
 */
public final class WebhookServer implements AutoCloseable {
    private static final int WORKERS = 4;
    private static final int THREADS = 8;
    private static final int IDLE_THREADS = 4;
    private static final int LONGEST_HEAD = 8 * 1024;
    private static final Duration IDLE_THREAD = Duration.ofMinutes(1);
    private static final Duration LONGEST_DRAIN = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(WebhookServer.class);

    private final InFlight inFlight;
    private final ExecutorService ordinary = workers("work-", WORKERS);
    private final ExecutorService large = workers("large-", 1);
    private final Connections connections;
    private final Javalin javalin;

    /**
     * What the server answers.
     *
     * @param judge judges the body of an AdmissionReview; empty if it is none
     * @param reviews which part of the judgement each path answers with
     * @param others what else it answers; nothing but in a measurement
     */
    public record Routes(
            Function<byte[], Optional<AdmissionVerdict>> judge,
            Map<String, Function<AdmissionVerdict, Verdict>> reviews,
            Map<String, Handler> others) {
        public Routes {
            reviews = Collections.unmodifiableMap(new LinkedHashMap<>(reviews));
            others = Collections.unmodifiableMap(new LinkedHashMap<>(others));
        }
    }

    private WebhookServer(
            int port, TlsIdentity tls, Routes routes, Limits limits, WebhookMetrics metrics) {
        inFlight = new InFlight(limits.held(), limits.reserve(), limits.ordinary());
        connections = metrics.ports().connections("https", limits.port());
        var workers =
                new WholeBody.Workers(
                        new FairWork(ordinary, limits.waiting()),
                        new FairWork(large, limits.waiting()));
        var faults = new Faults(metrics);
        javalin =
                Javalin.create(
                        config -> {
                            quiet(config);
                            config.jetty.threadPool = threads();
                            config.jetty.modifyServer(
                                    server ->
                                            server.insertHandler(
                                                    new WholeBody(
                                                            limits, inFlight, faults, workers)));
                            config.jetty.addConnector(
                                    (server, http) ->
                                            connector(server, http, tls, port, connections));
                            routes.reviews()
                                    .forEach(
                                            (path, answer) ->
                                                    config.routes.post(
                                                            path,
                                                            new AdmissionEndpoint(
                                                                    path,
                                                                    routes.judge(),
                                                                    answer,
                                                                    metrics,
                                                                    faults)));
                            routes.others().forEach(config.routes::post);
                        });
    }

    /** Port 0 takes a free one. */
    public static WebhookServer start(
            int port, TlsIdentity tls, Routes routes, Limits limits, WebhookMetrics metrics) {
        var server = new WebhookServer(port, tls, routes, limits, metrics);
        server.javalin.start();
        return server;
    }

    public int port() {
        return ((ServerConnector) javalin.jettyServer().server().getConnectors()[0]).getLocalPort();
    }

    /** Asks callers from now on to open their next connection elsewhere. */
    public void leave() {
        inFlight.leave();
    }

    /** Answers what is in flight, then stops. */
    @Override
    public void close() {
        leave();
        if (!inFlight.drain(LONGEST_DRAIN)) {
            LOG.atWarn()
                    .addKeyValue("waited", LONGEST_DRAIN)
                    .log("stopping with requests in flight");
        }
        javalin.stop();
        ordinary.shutdown();
        large.shutdown();
    }

    private static ExecutorService workers(String name, int many) {
        return Executors.newFixedThreadPool(
                many, Thread.ofPlatform().name(name, 0).daemon().factory());
    }

    private static void quiet(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.startupWatcherEnabled = false;
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.routes.error(
                404,
                context ->
                        context.result(
                                "{\"error\":\"post an AdmissionReview to /validate or"
                                        + " /mutate\"}"));
    }

    private static QueuedThreadPool threads() {
        var threads = new QueuedThreadPool(THREADS, IDLE_THREADS, (int) IDLE_THREAD.toMillis());
        threads.setName("https");
        return threads;
    }

    private static ServerConnector connector(
            Server server,
            HttpConfiguration common,
            TlsIdentity tls,
            int port,
            Connections connections) {
        var https = new HttpConfiguration(common);
        https.setSendServerVersion(false);
        // It would be 100 KB for each connection, for a handful of short headers.
        https.setHeaderCacheSize(0);
        https.setRequestHeaderSize(LONGEST_HEAD);
        var secure = new SecureRequestCustomizer();
        // The caller checks our name; which of our names it used is no reason to turn it away.
        secure.setSniHostCheck(false);
        https.addCustomizer(secure);
        var connector =
                new LimitedConnector(
                        server,
                        connections,
                        AbstractConnectionFactory.getFactories(
                                tls.contexts(), new HttpConnectionFactory(https)));
        connector.setPort(port);
        connector.setIdleTimeout(TimeUnit.MINUTES.toMillis(2));
        return connector;
    }
}
