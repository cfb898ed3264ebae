// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.sluice.autoscaler.collect.Arguments;
import io.sluice.autoscaler.collect.StandaloneOptions;
import io.sluice.process.ConfigurationPolling;
import io.sluice.process.Environment;
import io.sluice.process.LiveConfiguration;
import io.sluice.process.Logs;
import io.sluice.process.Logs.Style;
import io.sluice.process.Variable;
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
            Logs logs = Logs.ofProcess();
            // The engine tells every step; what matters of it arrives as an event.
            logs.quiet("org.apache.flink.autoscaler.JobAutoScalerImpl", Level.OFF);
            logs.quiet("org.apache.flink.autoscaler.tuning", Level.ERROR);
            LiveConfiguration configuration =
                    LiveConfiguration.start(
                            settings.configFolder(), next -> logs.use(Style.of(next)), _ -> {});
            logs.use(Style.of(configuration.get()));
            Arguments asked = Arguments.of(arguments);
            try (ConfigurationPolling following = new ConfigurationPolling(configuration)) {
                following.start();
                if (asked.standalone()) {
                    standalone(settings, configuration, asked);
                } else {
                    inCluster(settings, configuration);
                }
            }
        } catch (IllegalArgumentException | LiveConfiguration.Unusable wrong) {
            System.err.println("sluice-autoscaler: " + wrong.getMessage());
            System.exit(2);
        } catch (RuntimeException failed) {
            LOG.atError().setCause(failed).log("the autoscaler can't start, and ends");
            // Watches that were opened would keep it alive, and it would do nothing.
            Runtime.getRuntime().halt(1);
        }
    }

    private static void inCluster(Settings settings, LiveConfiguration configuration)
            throws InterruptedException {
        KubernetesClient client = new KubernetesClientBuilder().build();
        Service service = Service.start(settings, configuration, client, InstantSource.system());
        LOG.atInfo()
                .addKeyValue("port", service.httpPort())
                .addKeyValue("namespaces", settings.namespaces())
                .log("watching FlinkDeployments");
        settings.namespaceSource(configuration.get()).warning().ifPresent(LOG::warn);
        serveUntilTold(
                () -> {
                    service.close();
                    client.close();
                });
    }

    private static void standalone(
            Settings settings, LiveConfiguration configuration, Arguments asked)
            throws InterruptedException {
        if (settings.access().authenticate()) {
            throw Environment.wrong(
                    Variable.AUTHENTICATE,
                    "true",
                    "can't be used with --standalone: there is no Kubernetes API to ask who a"
                            + " caller is; leave it out");
        }
        var options = StandaloneOptions.of(configuration.get().base().with(asked.options()));
        if (settings.place().isPresent()) {
            KubernetesClient client = new KubernetesClientBuilder().build();
            serveClusters(
                    Service.standaloneReplica(
                            settings, configuration, options, client, InstantSource.system()),
                    options,
                    client::close);
        } else {
            serveClusters(
                    Service.standalone(settings, configuration, options, InstantSource.system()),
                    options,
                    () -> {});
        }
    }

    private static void serveClusters(
            Service service, StandaloneOptions options, Runnable closeMore)
            throws InterruptedException {
        LOG.atInfo()
                .addKeyValue("port", service.httpPort())
                .addKeyValue("clusters", options.clusters())
                .log("watching Flink clusters");
        serveUntilTold(
                () -> {
                    service.close();
                    closeMore.run();
                });
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
