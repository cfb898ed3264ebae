// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.sluice.autoscaler.collect.Arguments;
import io.sluice.autoscaler.collect.StandaloneOptions;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the autoscaler service; ends with exit code 2 if its environment or its arguments are
 * wrong.
 */
public final class Main {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        try {
            Settings settings = Settings.from(System.getenv());
            DefaultConfiguration configuration =
                    settings.configFolder()
                            .map(DefaultConfiguration::load)
                            .orElse(DefaultConfiguration.NONE);
            Arguments asked = Arguments.of(arguments);
            if (asked.standalone()) {
                standalone(
                        settings, StandaloneOptions.of(configuration.base().with(asked.options())));
            } else {
                inCluster(settings, configuration);
            }
        } catch (IllegalArgumentException | UncheckedIOException wrong) {
            System.err.println("sluice-autoscaler: " + wrong.getMessage());
            System.exit(2);
        }
    }

    private static void inCluster(Settings settings, DefaultConfiguration configuration)
            throws InterruptedException {
        KubernetesClient client = new KubernetesClientBuilder().build();
        Service service =
                Service.start(settings, configuration::effective, client, InstantSource.system());
        LOG.atInfo()
                .addKeyValue("port", service.httpPort())
                .addKeyValue("namespaces", settings.namespaces())
                .log("watching FlinkDeployments");
        serveUntilTold(
                () -> {
                    service.close();
                    client.close();
                });
    }

    private static void standalone(Settings settings, StandaloneOptions options)
            throws InterruptedException {
        Service service = Service.standalone(settings, options, InstantSource.system());
        LOG.atInfo()
                .addKeyValue("port", service.httpPort())
                .addKeyValue("clusters", options.clusters())
                .log("watching Flink clusters");
        serveUntilTold(service::close);
    }

    private static void serveUntilTold(Runnable close) throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("stop")
                                .unstarted(
                                        () -> {
                                            close.run();
                                            end.countDown();
                                        }));
        end.await();
    }
}
