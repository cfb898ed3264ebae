// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.hotspot.DefaultExports;
import io.sluice.autoscaler.collect.EngineClient;
import io.sluice.autoscaler.collect.JobManagerLimits;
import io.sluice.autoscaler.collect.StandaloneOptions;
import io.sluice.autoscaler.cycle.CountedAnswers;
import io.sluice.autoscaler.cycle.CycleDependencies;
import io.sluice.autoscaler.cycle.JobScheduler;
import io.sluice.autoscaler.cycle.LookLimit;
import io.sluice.autoscaler.cycle.Rescaling;
import io.sluice.autoscaler.decide.Engines;
import io.sluice.autoscaler.edge.Edge;
import io.sluice.autoscaler.edge.Responses;
import io.sluice.autoscaler.explain.Explanations;
import io.sluice.autoscaler.govern.Allowance;
import io.sluice.autoscaler.jobs.ClusterJobs;
import io.sluice.autoscaler.jobs.Jobs;
import io.sluice.autoscaler.jobs.Pairs;
import io.sluice.autoscaler.jobs.RefusedLists;
import io.sluice.autoscaler.jobs.ResourcePairs;
import io.sluice.autoscaler.jobs.ResourceQuotas;
import io.sluice.autoscaler.jobs.Resources;
import io.sluice.autoscaler.jobs.Served;
import io.sluice.autoscaler.publish.JobMetrics;
import io.sluice.autoscaler.publish.KubernetesEvents;
import io.sluice.autoscaler.publish.LoggedEvents;
import io.sluice.autoscaler.publish.MemoryStates;
import io.sluice.autoscaler.publish.Realizer;
import io.sluice.autoscaler.publish.ResourceRequirements;
import io.sluice.autoscaler.publish.StateConfigMaps;
import io.sluice.autoscaler.share.ClusterLocks;
import io.sluice.autoscaler.share.HeldClusters;
import io.sluice.autoscaler.share.Ownership;
import io.sluice.autoscaler.share.Peers;
import io.sluice.autoscaler.share.Replicas;
import io.sluice.autoscaler.state.StateLimits;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.http.AnswerLimits;
import io.sluice.flink.rest.http.BreakerSettings;
import io.sluice.flink.rest.http.CircuitBreaker;
import io.sluice.flink.rest.http.HttpJobManagerRest;
import io.sluice.flink.rest.http.HttpLimits;
import io.sluice.flink.rest.tls.RestTls;
import io.sluice.process.LiveConfiguration;
import io.sluice.process.RestTlsSettings;
import io.sluice.process.Uptime;
import io.sluice.process.access.Access;
import io.sluice.process.management.ManagementServer;
import io.sluice.process.management.ManagementServer.Health;
import io.sluice.process.management.PortMetrics;
import io.sluice.process.metric.BuildInfo;
import io.sluice.process.metric.ConfigurationMetrics;
import io.sluice.process.metric.Series;
import io.sluice.rules.config.Options;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** The whole process, wired. */
final class Service implements AutoCloseable {
    private final Jobs jobs;
    private final Core core;
    private final Ownership ownership;
    private final JobScheduler scheduler;
    private final ManagementServer edge;

    /** What a process has wherever its jobs are. */
    private record Core(
            Series series,
            HttpJobManagerRest http,
            JobManagerRest jobManagers,
            EngineClient engineClients,
            Engines engines,
            AnswerLimits answers,
            PortMetrics ports,
            InstantSource uptime) {
        static Core of(LiveConfiguration configuration, RestTlsSettings tls) {
            Series series = new Series(new CollectorRegistry());
            DefaultExports.register(series.registry());
            BuildInfo.show(series, "autoscaler", Service.class);
            series.registry().register(new ConfigurationMetrics(configuration));
            Options options = new Options(configuration.get().own());
            HttpLimits limits = JobManagerLimits.of(options);
            CountedAnswers counted = new CountedAnswers(series);
            HttpJobManagerRest http =
                    new HttpJobManagerRest(
                            limits,
                            counted,
                            RestTls.of(
                                    tls.folder(),
                                    tls.verifiesHosts(),
                                    LoggerFactory.getLogger(RestTls.class)::warn));
            InstantSource uptime = new Uptime();
            return new Core(
                    series,
                    http,
                    new CircuitBreaker(http, BreakerSettings.DEFAULT, uptime),
                    new EngineClient(http, limits.request(), counted::tooLarge),
                    new Engines(StateLimits.of(options)),
                    limits.answers(),
                    PortMetrics.of(series),
                    uptime);
        }
    }

    private Service(
            Settings settings,
            Core core,
            Jobs jobs,
            LookLimit limit,
            Ownership ownership,
            CycleDependencies world,
            Access access) {
        this.core = core;
        this.jobs = jobs;
        this.ownership = ownership;
        Explanations explanations = new Explanations();
        core.series().registry().register(new JobMetrics(explanations));
        scheduler =
                new JobScheduler(
                        jobs,
                        key -> ownership.share().owns(key),
                        world,
                        explanations,
                        settings.cycleBudget(),
                        limit,
                        core.series());
        scheduler.start();
        edge =
                Edge.start(
                        settings.httpPort(),
                        core.series().registry(),
                        new Responses(
                                explanations,
                                ownership::share,
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
        Core core = Core.of(configuration, settings.jobManagerTls());
        Resources resources =
                Resources.watch(
                        client,
                        new Served(client, () -> settings.scope(configuration.get())),
                        (namespace, version, cluster, own) ->
                                configuration.get().effective(namespace, version, cluster, own));
        core.series().registry().register(new RefusedLists(resources::refused));
        Replicas replicas = Replicas.join(client, settings.place());
        CycleDependencies world =
                new CycleDependencies(
                        (namespace, subject) ->
                                settings.jobManager()
                                        .of(
                                                namespace,
                                                subject.cluster(),
                                                new Options(subject.options())),
                        core.jobManagers(),
                        core.engineClients(),
                        core.engines(),
                        new StateConfigMaps(client),
                        new KubernetesEvents(client, clock, core.uptime()),
                        new ResourcePairs(client, resources),
                        Realizer.OPERATOR,
                        new Rescaling(
                                () -> replicas.share().portionOf(settings.rescalesAtOnce()),
                                resources::takenIn,
                                new ResourceQuotas(client, core.uptime())::left),
                        settings.rescalePause(),
                        clock,
                        core.uptime());
        return new Service(
                settings,
                core,
                resources,
                LookLimit.USUAL,
                replicas,
                world,
                settings.access().access(client, core.ports()::count));
    }

    /**
     * For the jobs of Flink clusters that no operator looks after; carries out by itself. Of
     * several processes that use the same folder of locks, one scales the jobs of a cluster.
     */
    static Service standalone(
            Settings settings,
            LiveConfiguration configuration,
            StandaloneOptions options,
            InstantSource clock) {
        ClusterLocks locks = ClusterLocks.start(settings.lockFolder(), options.clusters());
        Core core = Core.of(configuration, settings.jobManagerTls());
        core.series().registry().register(new HeldClusters(locks::held));
        return standalone(settings, core, options, locks, clock);
    }

    /** The same in a pod: the replicas share the jobs. */
    static Service standaloneReplica(
            Settings settings,
            LiveConfiguration configuration,
            StandaloneOptions options,
            KubernetesClient client,
            InstantSource clock) {
        return standalone(
                settings,
                Core.of(configuration, settings.jobManagerTls()),
                options,
                Replicas.join(client, settings.place()),
                clock);
    }

    private static Service standalone(
            Settings settings,
            Core core,
            StandaloneOptions options,
            Ownership ownership,
            InstantSource clock) {
        ClusterJobs jobs =
                new ClusterJobs(options, core.jobManagers(), core.uptime(), core.series());
        LoggedEvents events = new LoggedEvents(core.uptime());
        CycleDependencies world =
                new CycleDependencies(
                        (_, subject) -> jobs.jobManagerOf(subject.cluster()),
                        core.jobManagers(),
                        core.engineClients(),
                        core.engines(),
                        new MemoryStates(),
                        events,
                        Pairs.NONE,
                        new ResourceRequirements(core.jobManagers(), events),
                        new Rescaling(
                                () -> ownership.share().portionOf(settings.rescalesAtOnce()),
                                jobs::takenIn,
                                _ -> Allowance.UNLIMITED),
                        settings.rescalePause(),
                        clock,
                        core.uptime());
        jobs.start();
        return new Service(
                settings,
                core,
                jobs,
                new LookLimit(options.atOnce(), Optional.empty()),
                ownership,
                world,
                Access.OPEN);
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
        ownership.close();
        jobs.close();
        core.engineClients().close();
        core.http().close();
    }
}
