// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the webhook from its environment; SIGTERM ends it after what is in flight. */
public final class Main {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);
    private static final int WRONG_ENVIRONMENT = 2;

    /** How long the news that this replica leaves takes to reach the API servers. */
    private static final int LEAVING_SECONDS = 5;

    private Main() {}

    public static void main(String[] arguments) {
        try {
            run(Settings.of(System.getenv()));
        } catch (Settings.WrongEnvironment | IllegalArgumentException wrong) {
            System.err.println("sluice-webhook: " + wrong.getMessage());
            System.exit(WRONG_ENVIRONMENT);
        } catch (IOException | RuntimeException failed) {
            System.err.println("sluice-webhook: cannot start: " + failed);
            System.exit(1);
        }
    }

    private static void run(Settings settings) throws IOException {
        var defaults =
                settings.configuration()
                        .map(DefaultConfiguration::load)
                        .orElse(DefaultConfiguration.NONE);
        var client =
                new KubernetesClientBuilder()
                        .withConfig(
                                new ConfigBuilder()
                                        .withRequestRetryBackoffLimit(1)
                                        .withUserAgent("sluice-webhook")
                                        .build())
                        .build();
        var webhook = Webhook.start(settings, defaults, client, InstantSource.system());
        LOG.atInfo()
                .addKeyValue("https", webhook.httpsPort())
                .addKeyValue("http", webhook.httpPort())
                .addKeyValue("names", settings.certPolicy().names())
                .log("listening");
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("shutdown")
                                .unstarted(
                                        () -> {
                                            LOG.info("leaving");
                                            webhook.leave();
                                            pause();
                                            webhook.close();
                                            client.close();
                                            LOG.info("left");
                                        }));
    }

    private static void pause() {
        try {
            boolean _ = new CountDownLatch(1).await(LEAVING_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
