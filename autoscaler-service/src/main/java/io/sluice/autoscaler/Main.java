// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.sluice.autoscaler.collect.EffectiveConfiguration;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the autoscaler service; ends with exit code 2 if its environment is wrong. */
public final class Main {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        Settings settings;
        EffectiveConfiguration configuration;
        try {
            settings = Settings.from(System.getenv());
            configuration =
                    settings.configFolder()
                                    .map(DefaultConfiguration::load)
                                    .orElse(DefaultConfiguration.NONE)
                            ::effective;
        } catch (IllegalArgumentException | UncheckedIOException wrong) {
            System.err.println("sluice-autoscaler: " + wrong.getMessage());
            System.exit(2);
            return;
        }
        run(settings, configuration);
    }

    private static void run(Settings settings, EffectiveConfiguration configuration)
            throws InterruptedException {
        KubernetesClient client = new KubernetesClientBuilder().build();
        Service service = Service.start(settings, configuration, client, InstantSource.system());
        CountDownLatch end = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("stop")
                                .unstarted(
                                        () -> {
                                            service.close();
                                            client.close();
                                            end.countDown();
                                        }));
        LOG.atInfo()
                .addKeyValue("port", service.httpPort())
                .addKeyValue("namespaces", settings.namespaces())
                .log("watching FlinkDeployments");
        end.await();
    }
}
