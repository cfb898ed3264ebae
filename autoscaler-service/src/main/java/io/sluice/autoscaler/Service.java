// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.javalin.Javalin;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import io.prometheus.client.hotspot.DefaultExports;
import io.sluice.autoscaler.collect.EffectiveConfiguration;
import io.sluice.autoscaler.collect.EngineClient;
import io.sluice.autoscaler.explain.Explanations;
import io.sluice.autoscaler.publish.JobMetrics;
import io.sluice.autoscaler.publish.KubernetesEvents;
import io.sluice.autoscaler.publish.StateConfigMaps;
import io.sluice.autoscaler.share.Replicas;
import io.sluice.flink.rest.http.BreakerSettings;
import io.sluice.flink.rest.http.CircuitBreaker;
import io.sluice.flink.rest.http.HttpJobManagerRest;
import io.sluice.flink.rest.http.HttpLimits;
import io.sluice.rules.config.DefaultConfiguration;
import java.time.InstantSource;

/** The whole process, wired. */
final class Service implements AutoCloseable {
    private final Resources resources;
    private final HttpJobManagerRest jobManagers;
    private final EngineClient engineClients;
    private final Replicas replicas;
    private final Rounds rounds;
    private final Javalin edge;

    private Service(
            Resources resources,
            HttpJobManagerRest jobManagers,
            EngineClient engineClients,
            Replicas replicas,
            Rounds rounds,
            Javalin edge) {
        this.resources = resources;
        this.jobManagers = jobManagers;
        this.engineClients = engineClients;
        this.replicas = replicas;
        this.rounds = rounds;
        this.edge = edge;
    }

    static Service start(
            Settings settings,
            EffectiveConfiguration configuration,
            KubernetesClient client,
            InstantSource clock) {
        CollectorRegistry registry = new CollectorRegistry();
        DefaultExports.register(registry);
        showConfiguration(registry, settings);
        Explanations explanations = new Explanations();
        registry.register(new JobMetrics(explanations));
        HttpJobManagerRest jobManagers = new HttpJobManagerRest(HttpLimits.DEFAULT);
        EngineClient engineClients = new EngineClient(HttpLimits.DEFAULT.request());
        Resources resources = Resources.watch(client, settings.namespaces(), configuration);
        InstantSource uptime = new Uptime();
        Replicas replicas = Replicas.join(client, settings.place());
        World world =
                new World(
                        settings.jobManager(),
                        new CircuitBreaker(jobManagers, BreakerSettings.DEFAULT, uptime),
                        engineClients,
                        new StateConfigMaps(client),
                        new KubernetesEvents(client, clock),
                        new Rescaling(
                                () -> replicas.share().portionOf(settings.rescalesAtOnce()),
                                resources::takenIn),
                        settings.rescalePause(),
                        clock,
                        uptime);
        Rounds rounds =
                new Rounds(
                        resources,
                        key -> replicas.share().owns(key),
                        world,
                        explanations,
                        settings.cycleBudget(),
                        cycles(registry));
        rounds.start();
        Javalin edge =
                Edge.start(
                        settings.httpPort(),
                        registry,
                        new Answers(explanations, replicas::share),
                        rounds::isAlive,
                        resources::isKnown);
        return new Service(resources, jobManagers, engineClients, replicas, rounds, edge);
    }

    /** Where it listens, for a caller that let the system pick. */
    int httpPort() {
        return edge.port();
    }

    @Override
    public void close() {
        edge.stop();
        rounds.close();
        replicas.close();
        resources.close();
        engineClients.close();
        jobManagers.close();
    }

    /** By the name that all processes give it, so that a difference between them shows. */
    private static void showConfiguration(CollectorRegistry registry, Settings settings) {
        Gauge.build(
                        "sluice_configuration_info",
                        "Constant 1, with the fingerprint of the configuration in use.")
                .labelNames("fingerprint")
                .register(registry)
                .labels(
                        settings.configFolder()
                                .map(DefaultConfiguration::load)
                                .orElse(DefaultConfiguration.NONE)
                                .fingerprint())
                .set(1);
    }

    private static Histogram cycles(CollectorRegistry registry) {
        return Histogram.build("sluice_autoscaler_cycle_seconds", "Time of one look at one job")
                .buckets(0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30)
                .register(registry);
    }
}
