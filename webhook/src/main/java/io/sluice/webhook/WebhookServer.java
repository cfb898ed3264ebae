// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.javalin.Javalin;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /validate} and {@code /mutate} over TLS 1.3. */
final class WebhookServer implements AutoCloseable {
    private static final int SLOTS = 64;

    private static final Duration LONGEST_DRAIN = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(WebhookServer.class);

    private final Gate gate = new Gate(SLOTS);
    private final Javalin javalin;

    private WebhookServer(int port, TlsIdentity tls, Admission admission, WebhookMetrics metrics) {
        javalin =
                Javalin.create(
                        config -> {
                            config.startup.showJavalinBanner = false;
                            config.startup.startupWatcherEnabled = false;
                            config.concurrency.useVirtualThreads = true;
                            config.http.maxRequestSize = AdmissionEndpoint.LARGEST_BODY;
                            config.jetty.addConnector(
                                    (server, http) -> connector(server, http, tls, port));
                            config.routes.post(
                                    "/validate",
                                    new AdmissionEndpoint(
                                            "/validate", admission::validate, metrics, gate));
                            config.routes.post(
                                    "/mutate",
                                    new AdmissionEndpoint(
                                            "/mutate", admission::mutate, metrics, gate));
                            config.routes.error(
                                    404,
                                    context ->
                                            context.result(
                                                    "{\"error\":\"post an AdmissionReview to"
                                                            + " /validate or /mutate\"}"));
                        });
    }

    /** Port 0 takes a free one. */
    static WebhookServer start(
            int port, TlsIdentity tls, Admission admission, WebhookMetrics metrics) {
        var server = new WebhookServer(port, tls, admission, metrics);
        server.javalin.start();
        return server;
    }

    int port() {
        return ((ServerConnector) javalin.jettyServer().server().getConnectors()[0]).getLocalPort();
    }

    /** From now on callers are asked to open their next connection elsewhere. */
    void leave() {
        gate.leave();
    }

    /** Answers what is in flight, then stops. */
    @Override
    public void close() {
        leave();
        if (!gate.drain(LONGEST_DRAIN)) {
            LOG.atWarn()
                    .addKeyValue("waited", LONGEST_DRAIN)
                    .log("stopping with requests in flight");
        }
        javalin.stop();
    }

    private static ServerConnector connector(
            Server server, HttpConfiguration common, TlsIdentity tls, int port) {
        var https = new HttpConfiguration(common);
        https.setSendServerVersion(false);
        var secure = new SecureRequestCustomizer();
        // The caller checks our name; which of our names it used is no reason to turn it away.
        secure.setSniHostCheck(false);
        https.addCustomizer(secure);
        var connector =
                new ServerConnector(server, tls.contexts(), new HttpConnectionFactory(https));
        connector.setPort(port);
        connector.setIdleTimeout(TimeUnit.MINUTES.toMillis(2));
        return connector;
    }
}
