// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import io.prometheus.client.hotspot.DefaultExports;
import io.sluice.autoscaler.collect.EngineClient;
import io.sluice.autoscaler.collect.StandaloneOptions;
import io.sluice.autoscaler.decide.Engines;
import io.sluice.autoscaler.decide.StateLimits;
import io.sluice.autoscaler.explain.Explanations;
import io.sluice.autoscaler.publish.JobMetrics;
import io.sluice.autoscaler.publish.KubernetesEvents;
import io.sluice.autoscaler.publish.LoggedEvents;
import io.sluice.autoscaler.publish.MemoryStates;
import io.sluice.autoscaler.publish.Realizer;
import io.sluice.autoscaler.publish.ResourceRequirements;
import io.sluice.autoscaler.publish.StateConfigMaps;
import io.sluice.autoscaler.share.Peers;
import io.sluice.autoscaler.share.Replicas;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.http.AnswerLimits;
import io.sluice.flink.rest.http.BreakerSettings;
import io.sluice.flink.rest.http.CircuitBreaker;
import io.sluice.flink.rest.http.HttpJobManagerRest;
import io.sluice.flink.rest.http.HttpLimits;
import io.sluice.process.ConfigurationMetrics;
import io.sluice.process.LiveConfiguration;
import io.sluice.process.Uptime;
import io.sluice.process.access.Access;
import io.sluice.process.management.ManagementServer;
import io.sluice.process.management.ManagementServer.Health;
import io.sluice.process.management.PortMetrics;
import io.sluice.rules.config.Options;
import java.time.InstantSource;
import java.util.List;

/** The whole process, wired. */
final class Service implements AutoCloseable {
    private final Jobs jobs;
    private final Core core;
    private final Replicas replicas;
    private final JobScheduler scheduler;
    private final ManagementServer edge;

    /** What a process has wherever its jobs are. */
    private record Core(
            CollectorRegistry registry,
            HttpJobManagerRest http,
            JobManagerRest jobManagers,
            EngineClient engineClients,
            Engines engines,
            AnswerLimits answers,
            PortMetrics ports,
            InstantSource uptime) {
        static Core of(LiveConfiguration configuration) {
            CollectorRegistry registry = new CollectorRegistry();
            DefaultExports.register(registry);
            registry.register(new ConfigurationMetrics(configuration));
            Options options = new Options(configuration.get().own());
            HttpLimits limits = limits(options);
            Counter tooLarge = tooLarge(registry);
            HttpJobManagerRest http = new HttpJobManagerRest(limits, new CountedAnswers(tooLarge));
            InstantSource uptime = new Uptime();
            return new Core(
                    registry,
                    http,
                    new CircuitBreaker(http, BreakerSettings.DEFAULT, uptime),
                    new EngineClient(
                            http, limits.request(), limit -> tooLarge.labels(limit.word()).inc()),
                    new Engines(StateLimits.of(sizes(options), options::number, limits.answers())),
                    limits.answers(),
                    PortMetrics.of(registry),
                    uptime);
        }
    }

    private Service(
            Settings settings,
            Core core,
            Jobs jobs,
            int atOnce,
            Replicas replicas,
            World world,
            Access access) {
        this.core = core;
        this.jobs = jobs;
        this.replicas = replicas;
        Explanations explanations = new Explanations();
        core.registry().register(new JobMetrics(explanations));
        scheduler =
                new JobScheduler(
                        jobs,
                        key -> replicas.share().owns(key),
                        world,
                        explanations,
                        settings.cycleBudget(),
                        atOnce,
                        cycles(core.registry()));
        oldest(core.registry(), scheduler);
        scheduler.start();
        edge =
                Edge.start(
                        settings.httpPort(),
                        core.registry(),
                        new Answers(
                                explanations,
                                replicas::share,
                                new Peers(settings.access()::ownToken, core.answers()),
                                access),
                        new Health(() -> scheduler.wrong().stream().toList(), this::missing),
                        access,
                        core.ports());
    }

    /** For the jobs of a Kubernetes cluster's resources; the operator carries out. */
    static Service start(
            Settings settings,
            LiveConfiguration configuration,
            KubernetesClient client,
            InstantSource clock) {
        Core core = Core.of(configuration);
        Resources resources =
                Resources.watch(
                        client,
                        new Served(client, () -> settings.scope(configuration.get())),
                        (namespace, version, cluster, own) ->
                                configuration.get().effective(namespace, version, cluster, own));
        core.registry().register(new RefusedLists(resources::refused));
        Replicas replicas = Replicas.join(client, settings.place());
        World world =
                new World(
                        settings.jobManager()::of,
                        core.jobManagers(),
                        core.engineClients(),
                        core.engines(),
                        new StateConfigMaps(client),
                        new KubernetesEvents(client, clock),
                        Realizer.OPERATOR,
                        new Rescaling(
                                () -> replicas.share().portionOf(settings.rescalesAtOnce()),
                                resources::takenIn),
                        settings.rescalePause(),
                        clock,
                        core.uptime());
        return new Service(
                settings,
                core,
                resources,
                Integer.MAX_VALUE,
                replicas,
                world,
                settings.access().access(client, core.ports()::count));
    }

    /** For the jobs of Flink clusters that no operator looks after; carries out by itself. */
    static Service standalone(
            Settings settings,
            LiveConfiguration configuration,
            StandaloneOptions options,
            InstantSource clock) {
        Core core = Core.of(configuration);
        ClusterJobs jobs =
                new ClusterJobs(
                        options, core.jobManagers(), core.uptime(), clusters(core.registry()));
        LoggedEvents events = new LoggedEvents(core.uptime());
        World world =
                new World(
                        (_, subject) -> jobs.jobManagerOf(subject.cluster()),
                        core.jobManagers(),
                        core.engineClients(),
                        core.engines(),
                        new MemoryStates(),
                        events,
                        new ResourceRequirements(core.jobManagers(), events),
                        new Rescaling(settings::rescalesAtOnce, jobs::takenIn),
                        settings.rescalePause(),
                        clock,
                        core.uptime());
        jobs.start();
        return new Service(
                settings, core, jobs, options.atOnce(), Replicas.alone(), world, Access.OPEN);
    }

    private List<String> missing() {
        return jobs.isKnown()
                ? List.of()
                : List.of("jobs: it is not known yet which there are; see the log");
    }

    /** Where it listens, for a caller that let the system pick. */
    int httpPort() {
        return edge.port();
    }

    @Override
    public void close() {
        edge.close();
        scheduler.close();
        replicas.close();
        jobs.close();
        core.engineClients().close();
        core.http().close();
    }

    private static Gauge clusters(CollectorRegistry registry) {
        return Gauge.build(
                        "sluice_autoscaler_cluster_up",
                        "1 if the Flink cluster's JobManager listed its jobs when last asked, else"
                                + " 0")
                .labelNames("cluster")
                .register(registry);
    }

    private static HttpLimits limits(Options options) {
        return HttpLimits.DEFAULT.withAnswers(AnswerLimits.of(sizes(options), options::number));
    }

    private static AnswerLimits.Source sizes(Options options) {
        return (key, otherwise) ->
                options.memory(key).map(size -> Math.toIntExact(size.bytes())).orElse(otherwise);
    }

    private static Counter tooLarge(CollectorRegistry registry) {
        return Counter.build(
                        "sluice_autoscaler_jobmanager_answers_too_large",
                        "Answers of JobManagers that were not used, by the bound that they exceed")
                .labelNames("limit")
                .register(registry);
    }

    private static void oldest(CollectorRegistry registry, JobScheduler scheduler) {
        Gauge.build(
                        "sluice_work_oldest_seconds",
                        "How long the oldest pass, or look at a job, that is under way has been; 0"
                                + " if none is.")
                .create()
                .setChild(
                        new Gauge.Child() {
                            @Override
                            public double get() {
                                return scheduler.oldest().toMillis() / 1000.0;
                            }
                        })
                .register(registry);
    }

    private static Histogram cycles(CollectorRegistry registry) {
        return Histogram.build("sluice_autoscaler_cycle_seconds", "Time of one look at one job")
                .buckets(0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30)
                .register(registry);
    }
}
