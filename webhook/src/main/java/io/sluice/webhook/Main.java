// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import ch.qos.logback.classic.Level;
import io.javalin.http.Handler;
import io.sluice.process.Logs;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the webhook from its environment; SIGTERM ends it after what is in flight. */
public final class Main {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);
    private static final int WRONG_ENVIRONMENT = 2;

    private Main() {}

    public static void main(String[] arguments) {
        run(Map.of());
    }

    /**
     * @param others what else the HTTPS server answers; nothing but in a measurement
     */
    static void run(Map<String, Handler> others) {
        try {
            start(Settings.of(System.getenv()), others);
        } catch (IllegalArgumentException wrong) {
            System.err.println("sluice-webhook: " + wrong.getMessage());
            System.exit(WRONG_ENVIRONMENT);
        } catch (IOException | RuntimeException failed) {
            System.err.println("sluice-webhook: cannot start: " + failed);
            System.exit(1);
        }
    }

    private static void start(Settings settings, Map<String, Handler> others) throws IOException {
        Logs logs = Logs.ofProcess();
        // What it retries is told in a line of our own.
        logs.quiet("io.fabric8.kubernetes.client.informers.impl.cache.Reflector", Level.ERROR);
        var webhook =
                Webhook.startWith(
                        others,
                        settings,
                        ApiClient::open,
                        InstantSource.system(),
                        configuration -> logs.use(Logs.Style.of(configuration)));
        LOG.atInfo()
                .addKeyValue("https", webhook.httpsPort())
                .addKeyValue("http", webhook.httpPort())
                .log("listening");
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("shutdown")
                                .unstarted(() -> leave(webhook, settings.leaving())));
    }

    private static void leave(Webhook webhook, Duration leaving) {
        LOG.info("leaving");
        webhook.leave();
        pause(leaving);
        webhook.close();
        LOG.info("left");
    }

    private static void pause(Duration pause) {
        try {
            boolean _ = new CountDownLatch(1).await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
