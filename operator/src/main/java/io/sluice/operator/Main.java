// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.hotspot.DefaultExports;
import io.sluice.api.FlinkDeployment;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.http.BreakerSettings;
import io.sluice.flink.rest.http.CircuitBreaker;
import io.sluice.flink.rest.http.HttpJobManagerRest;
import io.sluice.flink.rest.http.HttpLimits;
import io.sluice.operator.config.Settings;
import io.sluice.operator.deployment.Children;
import io.sluice.operator.deployment.ClusterObserver;
import io.sluice.operator.deployment.FlinkDeploymentPass;
import io.sluice.operator.deployment.FlinkDeploymentReconciler;
import io.sluice.operator.deployment.FlinkDeploymentReconciler.Passes;
import io.sluice.operator.deployment.HealthWatch;
import io.sluice.operator.deployment.KubernetesEffects;
import io.sluice.operator.deployment.Refusals;
import io.sluice.operator.deployment.RunMemory;
import io.sluice.operator.report.EventRecorder;
import io.sluice.operator.report.OperatorMetrics;
import io.sluice.operator.report.StatusServer;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.slf4j.LoggerFactory;

/** Wires the operator and runs it until it is told to stop. */
public final class Main {
    private static final Duration REST_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration GRACE = Duration.ofSeconds(10);

    private Main() {}

    public static void main(String[] args) {
        try {
            run(Settings.from(System.getenv()));
        } catch (Settings.Unusable unusable) {
            System.err.println(unusable.getMessage());
            System.exit(2);
        } catch (IOException taken) {
            System.err.println(
                    "SLUICE_HTTP_PORT: the port can't be listened on: " + taken.getMessage());
            System.exit(2);
        }
    }

    private static void run(Settings settings) throws IOException {
        KubernetesClient client = new KubernetesClientBuilder().build();
        Operator operator =
                new Operator(
                        overrider ->
                                overrider
                                        .withKubernetesClient(client)
                                        .withExecutorService(
                                                Executors.newVirtualThreadPerTaskExecutor())
                                        .withReconciliationTerminationTimeout(GRACE)
                                        .withUseSSAToPatchPrimaryResource(false));
        var reconciler =
                new FlinkDeploymentReconciler(passes(settings, client), settings.watchNamespaces());
        operator.register(
                reconciler,
                overrider -> {
                    if (!settings.watchNamespaces().isEmpty()) {
                        overrider.settingNamespaces(settings.watchNamespaces());
                    }
                });
        DefaultExports.register(CollectorRegistry.defaultRegistry);
        StatusServer server =
                new StatusServer(
                        settings.port(),
                        () ->
                                !operator.getRuntimeInfo().isStarted()
                                        || operator.getRuntimeInfo().allEventSourcesAreHealthy(),
                        () -> operator.getRuntimeInfo().isStarted(),
                        CollectorRegistry.defaultRegistry);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    server.close();
                                    operator.stop();
                                },
                                "shutdown"));
        operator.start();
        LoggerFactory.getLogger(Main.class)
                .atInfo()
                .addKeyValue(
                        "namespaces",
                        settings.watchNamespaces().isEmpty() ? "all" : settings.watchNamespaces())
                .log("the operator is up");
    }

    private static Passes passes(Settings settings, KubernetesClient client) {
        InstantSource clock = InstantSource.system();
        JobManagerRest rest =
                new CircuitBreaker(
                        new HttpJobManagerRest(HttpLimits.DEFAULT.withRequest(REST_TIMEOUT)),
                        BreakerSettings.DEFAULT,
                        clock);
        DefaultConfiguration defaults = DefaultConfiguration.load(settings.configuration());
        Function<FlinkDeployment, URI> address = resource -> address(settings, resource);
        Refusals refusals = new Refusals();
        var watch = new HealthWatch();
        RunMemory memory = new RunMemory();
        var effects = new KubernetesEffects(client, rest, address, refusals, memory);
        var narrator = new EventRecorder(client, clock);
        var metrics = new OperatorMetrics(CollectorRegistry.defaultRegistry);
        return (resource, children, store) -> {
            var observer =
                    new ClusterObserver(
                            _ -> children,
                            read -> Children.live(client, read),
                            read -> Children.recoverable(client, read),
                            rest,
                            address,
                            defaults,
                            refusals,
                            watch,
                            memory,
                            clock);
            var before = clock.instant();
            var outcome = new FlinkDeploymentPass(observer, store, effects, narrator).run(resource);
            metrics.passed("FlinkDeployment", outcome, Duration.between(before, clock.instant()));
            return outcome;
        };
    }

    /**
     * From the resource's identity alone: nothing a user writes can send the operator elsewhere.
     */
    private static URI address(Settings settings, FlinkDeployment resource) {
        return URI.create(
                settings.restTemplate()
                        .replace("{name}", resource.getMetadata().getName())
                        .replace("{namespace}", resource.getMetadata().getNamespace()));
    }
}
