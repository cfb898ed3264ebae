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
import io.sluice.operator.artifact.ArtifactCache;
import io.sluice.operator.artifact.Artifacts;
import io.sluice.operator.artifact.WebArtifacts;
import io.sluice.operator.config.Settings;
import io.sluice.operator.cron.CronEffects;
import io.sluice.operator.cron.CronJobs;
import io.sluice.operator.cron.CronObserver;
import io.sluice.operator.deployment.Children;
import io.sluice.operator.deployment.ClusterObserver;
import io.sluice.operator.deployment.FlinkDeploymentPass;
import io.sluice.operator.deployment.FlinkDeploymentReconciler;
import io.sluice.operator.deployment.FlinkDeploymentReconciler.Passes;
import io.sluice.operator.deployment.HealthWatch;
import io.sluice.operator.deployment.KubernetesEffects;
import io.sluice.operator.deployment.Refusals;
import io.sluice.operator.deployment.RunMemory;
import io.sluice.operator.ingress.Ingresses;
import io.sluice.operator.report.EventRecorder;
import io.sluice.operator.report.OperatorMetrics;
import io.sluice.operator.report.StatusServer;
import io.sluice.operator.sessionjob.FlinkSessionJobReconciler;
import io.sluice.operator.sessionjob.SessionJobs;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.MemorySize;
import io.sluice.rules.config.Options;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.slf4j.LoggerFactory;

/** Wires the operator and runs it until it is told to stop. */
public final class Main {
    private static final Duration REST_TIMEOUT = Duration.ofSeconds(5);
    private static final long CACHE_BYTES = 1024L * 1024 * 1024;
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
        InstantSource clock = InstantSource.system();
        JobManagerRest rest =
                new CircuitBreaker(
                        new HttpJobManagerRest(HttpLimits.DEFAULT.withRequest(REST_TIMEOUT)),
                        BreakerSettings.DEFAULT,
                        clock);
        Shared shared =
                new Shared(
                        settings,
                        client,
                        rest,
                        DefaultConfiguration.load(settings.configuration()),
                        new EventRecorder(client, clock),
                        new OperatorMetrics(CollectorRegistry.defaultRegistry),
                        clock);
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
                new FlinkDeploymentReconciler(
                        passes(shared),
                        settings.watchNamespaces(),
                        Ingresses.areManaged(shared.defaults()));
        operator.register(
                reconciler,
                overrider -> {
                    if (!settings.watchNamespaces().isEmpty()) {
                        overrider.settingNamespaces(settings.watchNamespaces());
                    }
                });
        operator.register(
                new FlinkSessionJobReconciler(sessionJobs(shared), settings.watchNamespaces()),
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

    /** What the passes of all kinds use. */
    private record Shared(
            Settings settings,
            KubernetesClient client,
            JobManagerRest rest,
            DefaultConfiguration defaults,
            EventRecorder narrator,
            OperatorMetrics metrics,
            InstantSource clock) {}

    private static Passes passes(Shared shared) {
        Function<FlinkDeployment, URI> address = resource -> address(shared.settings(), resource);
        Refusals refusals = new Refusals();
        var watch = new HealthWatch();
        RunMemory memory = new RunMemory();
        var effects =
                new KubernetesEffects(shared.client(), shared.rest(), address, refusals, memory);
        Passes applications =
                (resource, children, store) -> {
                    var observer =
                            new ClusterObserver(
                                    _ -> children,
                                    read -> Children.live(shared.client(), read),
                                    read -> Children.recoverable(shared.client(), read),
                                    shared.rest(),
                                    address,
                                    shared.defaults(),
                                    refusals,
                                    watch,
                                    memory,
                                    shared.clock());
                    var before = shared.clock().instant();
                    var outcome =
                            new FlinkDeploymentPass(observer, store, effects, shared.narrator())
                                    .run(resource);
                    shared.metrics()
                            .passed(
                                    "FlinkDeployment",
                                    outcome,
                                    Duration.between(before, shared.clock().instant()));
                    return outcome;
                };
        return new CronJobs(
                new CronObserver(shared.client(), shared.defaults(), refusals, shared.clock()),
                new CronEffects(shared.client(), refusals),
                shared.narrator(),
                new Ingresses(shared.client(), shared::defaults, shared.narrator(), applications));
    }

    private static FlinkSessionJobReconciler.Passes sessionJobs(Shared shared) {
        FlinkSessionJobReconciler.Passes passes =
                new SessionJobs(
                                shared.client(),
                                shared.rest(),
                                (namespace, name) -> address(shared.settings(), namespace, name),
                                artifacts(shared),
                                shared.defaults(),
                                shared.clock())
                        .passes(shared.narrator()::tell);
        return (resource, around, store) -> {
            var before = shared.clock().instant();
            var outcome = passes.run(resource, around, store);
            shared.metrics()
                    .passed(
                            "FlinkSessionJob",
                            outcome,
                            Duration.between(before, shared.clock().instant()));
            return outcome;
        };
    }

    private static Artifacts artifacts(Shared shared) {
        Options options = new Options(shared.defaults().base());
        return new WebArtifacts(
                new ArtifactCache(
                        Path.of(
                                options.text("kubernetes.operator.user.artifacts.base.dir")
                                        .orElse("/opt/flink/artifacts")),
                        options.memory("kubernetes.operator.user.artifacts.cache-size")
                                .map(MemorySize::bytes)
                                .orElse(CACHE_BYTES),
                        shared.clock()),
                shared.clock());
    }

    /**
     * From the resource's identity alone: nothing a user writes can send the operator elsewhere.
     */
    private static URI address(Settings settings, FlinkDeployment resource) {
        return address(
                settings, resource.getMetadata().getNamespace(), resource.getMetadata().getName());
    }

    private static URI address(Settings settings, String namespace, String name) {
        return URI.create(
                settings.restTemplate().replace("{name}", name).replace("{namespace}", namespace));
    }
}
