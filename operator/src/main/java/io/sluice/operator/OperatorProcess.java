// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.processing.event.rate.LinearRateLimiter;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.prometheus.client.CollectorRegistry;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.flink.rest.http.BreakerSettings;
import io.sluice.flink.rest.http.CircuitBreaker;
import io.sluice.flink.rest.http.HttpJobManagerRest;
import io.sluice.flink.rest.tls.RestTls;
import io.sluice.operator.bluegreen.FlinkBlueGreenDeploymentReconciler;
import io.sluice.operator.cache.Copies;
import io.sluice.operator.cache.ResourceSizes;
import io.sluice.operator.canary.Canaries;
import io.sluice.operator.canary.LabelledResources;
import io.sluice.operator.config.HealthOptions;
import io.sluice.operator.config.LeaseTerms;
import io.sluice.operator.config.MetricOptions;
import io.sluice.operator.config.NamespaceAccess;
import io.sluice.operator.config.Namespaces;
import io.sluice.operator.config.OperatorOptions;
import io.sluice.operator.config.RefusedNamespaces;
import io.sluice.operator.config.Settings;
import io.sluice.operator.config.Watched;
import io.sluice.operator.crd.InstalledCrds;
import io.sluice.operator.deployment.FlinkDeploymentReconciler;
import io.sluice.operator.ingress.Ingresses;
import io.sluice.operator.leadership.Leadership;
import io.sluice.operator.leadership.LeadershipGuard;
import io.sluice.operator.pace.HeapRelease;
import io.sluice.operator.pace.Turns;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.report.ClientMetrics;
import io.sluice.operator.report.EventRecorder;
import io.sluice.operator.report.OperatorMetrics;
import io.sluice.operator.report.PassProgress;
import io.sluice.operator.report.ProcessMetrics;
import io.sluice.operator.report.RestMetrics;
import io.sluice.operator.sessionjob.FlinkSessionJobReconciler;
import io.sluice.operator.trace.Traces;
import io.sluice.operator.validation.PluginValidators;
import io.sluice.operator.validation.ValidationOptions;
import io.sluice.plugins.Plugins;
import io.sluice.process.ConfigurationPolling;
import io.sluice.process.Environment;
import io.sluice.process.LiveConfiguration;
import io.sluice.process.Logs;
import io.sluice.process.NamespaceSource;
import io.sluice.process.Progress;
import io.sluice.process.Uptime;
import io.sluice.process.Variable;
import io.sluice.process.access.AccessSettings;
import io.sluice.process.management.ManagementServer;
import io.sluice.process.management.PortMetrics;
import io.sluice.process.metric.Series;
import io.sluice.rules.canary.CanaryResources;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.PluginOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** The whole process, wired; runs until it is told to stop. */
final class OperatorProcess {
    private static final int LOST_LEASE = 3;
    private static final int UNWATCHED = 4;

    /**
     * The resources whose reconciliations are at work or wait for a JobManager may have one part in
     * so many of the heap, counted as JSON. A parsed resource of many small fields takes some
     * sixteen times its JSON (estimated). The image's heap leaves room for five hundred resources
     * of usual size: of ten thousand that are looked at each minute, a thousand JobManagers may
     * stop answering, and each is waited for for five seconds once.
     */
    private static final int SHARE_OF_HEAP = 40;

    /** Far longer than the longest wait of a reconciliation. */
    private static final Duration STUCK = Duration.ofMinutes(5);

    /** A hundred thousand resources take two minutes where others use the processors as well. */
    private static final Duration LONGEST_LIST = Duration.ofMinutes(10);

    private final Settings settings;
    private final Traces traces = Traces.by(System.getenv());
    private final InstantSource clock = InstantSource.system();
    private final InstantSource uptime = new Uptime();
    private final KubernetesClient client;
    private final EventRecorder narrator;
    private final Series series = new Series(CollectorRegistry.defaultRegistry);
    private final Logs logs = Logs.ofProcess();
    private final ScheduledExecutorService looks =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("heap").factory());
    private final AtomicReference<Optional<Namespaces>> namespaces =
            new AtomicReference<>(Optional.empty());
    private final LiveConfiguration configuration;
    private final ConfigurationPolling following;
    private final OperatorOptions options;
    private final Optional<Leadership> leadership;
    private final OperatorMetrics work;
    private final SelfChecks checks;
    private final Turns turns;
    private final Progress progress;
    private final PassProgress passProgress;
    private final ExecutorService passes;
    private final Operator operator;
    private final RefusedNamespaces refused;
    private final NamespaceWatch namespaceWatch;
    private volatile List<Runnable> rechecks = List.of();
    private volatile List<ResourceSizes> sizes = List.of();

    private OperatorProcess(Settings settings) {
        this.settings = settings;
        configuration =
                LiveConfiguration.start(
                        Optional.of(settings.configuration()),
                        this::changed,
                        why -> checks().refused(why));
        following = new ConfigurationPolling(configuration);
        options = OperatorOptions.of(configuration.get(), settings);
        logs.use(Logs.Style.of(configuration.get()));
        MetricOptions shown = MetricOptions.of(configuration.get());
        client = client(shown);
        narrator = new EventRecorder(client, clock);
        checks = new SelfChecks(client, narrator, settings, configuration, series);
        work = new OperatorMetrics(series, shown, clock, System::nanoTime);
        Optional<LeaseTerms> terms = options.leaderElection().terms(settings);
        leadership =
                terms.map(
                        lease ->
                                new Leadership(
                                        lease,
                                        System::nanoTime,
                                        () -> Runtime.getRuntime().halt(LOST_LEASE)));
        ProcessMetrics.show(series, configuration, this::leads);
        int many = options.parallelism().orElse(Integer.MAX_VALUE);
        turns = new Turns(many, mostBytes(many));
        passes = turns.executor(this::whatIsSubmitted);
        progress = new Progress(STUCK, turns::waiting, System::nanoTime);
        passProgress = new PassProgress(series, progress);
        operator = new Operator(this::framework);
        refused =
                new RefusedNamespaces(
                        NamespaceAccess.of(client, Ingresses.kind(configuration.get()))::refusal,
                        checks.namespaces(),
                        clock);
        namespaceWatch =
                new NamespaceWatch(operator, refused, () -> Runtime.getRuntime().halt(UNWATCHED));
    }

    static void start(Settings settings) throws IOException {
        new OperatorProcess(settings).run();
    }

    private void run() throws IOException {
        letGoOfJobManagers();
        PortMetrics ports = PortMetrics.of(series);
        ManagementServer server =
                ManagementServer.start(
                        settings.port(),
                        new ManagementServer.Health(this::wrong, this::missing),
                        ManagementServer.Shown.of(series.registry()),
                        AccessSettings.from(Environment.ofProcess()).access(client, ports::count),
                        ports);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "shutdown"));
        checks.lookAtCrds();
        checks.lookAtNamespaces(namespaceSource(configuration.get()));
        Watched wanted =
                options.scope()
                        .namespaceSelector()
                        .map(selector -> new Watched(Namespaces.selected(client, selector), true))
                        .orElseGet(
                                () ->
                                        new Watched(
                                                options.scope().namespaces(),
                                                options.scope().followsNamespaces()));
        Watched watched = first(wanted);
        List<RegisteredController<?>> controllers = register(watched);
        operator.start();
        leadership.ifPresent(lead -> lead.lookAfter(client));
        follow(watched, controllers);
        following.start();
        giveHeapBack();
        LoggerFactory.getLogger(OperatorProcess.class)
                .atInfo()
                .addKeyValue("namespaces", watched.isAll() ? "all" : watched.namespaces())
                .addKeyValue("fingerprint", configuration.get().fingerprint())
                .log("the operator is up");
    }

    private Watched first(Watched wanted) {
        try {
            return namespaceWatch.first(wanted);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("stopped while it started", stopped);
        }
    }

    /**
     * A connection that is kept costs some 20 KiB, and each cluster is asked for little and seldom:
     * between two looks none is kept. The API server's, which is HTTP/2, stays. The JDK's client
     * reads both when it is first used.
     */
    private static void letGoOfJobManagers() {
        System.setProperty("jdk.httpclient.keepalive.timeout", "3");
        System.setProperty("jdk.httpclient.keepalive.timeout.h2", "300");
    }

    private KubernetesClient client(MetricOptions shown) {
        return new KubernetesClientBuilder()
                .withHttpClientBuilderConsumer(
                        http -> {
                            if (shown.client()) {
                                var requests =
                                        new ClientMetrics(
                                                series, shown.slowRequest(), System::nanoTime);
                                http.addOrReplaceInterceptor("metrics", requests);
                            }
                            traces.ofApiServer()
                                    .ifPresent(
                                            spans -> http.addOrReplaceInterceptor("traces", spans));
                        })
                .build();
    }

    /** The framework says so for its log, in the thread that submits a reconciliation. */
    private Turns.Subject whatIsSubmitted() {
        String namespace = Optional.ofNullable(MDC.get("resource.namespace")).orElse("");
        String name = Optional.ofNullable(MDC.get("resource.name")).orElse("");
        int bytes = sizes.stream().mapToInt(kind -> kind.of(namespace, name)).max().orElse(0);
        return new Turns.Subject(namespace, bytes);
    }

    /** As many reconciliations as the option allows may have begun, whatever the heap is. */
    private static long mostBytes(int many) {
        return Math.max(
                (long) many * ResourceSizes.USUAL,
                Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    }

    private void giveHeapBack() {
        Runtime heap = Runtime.getRuntime();
        HeapRelease heapRelease = new HeapRelease(heap::totalMemory, heap::gc, uptime);
        var _ = looks.scheduleWithFixedDelay(heapRelease::look, 20, 20, TimeUnit.SECONDS);
    }

    private void framework(ConfigurationServiceOverrider overrider) {
        overrider
                .withKubernetesClient(client)
                .withCloseClientOnStop(false)
                .withExecutorService(passes)
                .withReconciliationTerminationTimeout(options.termination())
                .withCacheSyncTimeout(LONGEST_LIST)
                .withResourceCloner(new Copies(client.getKubernetesSerialization()))
                .withStopOnInformerErrorDuringStartup(
                        HealthOptions.of(configuration.get()).stopsOnInformerError())
                .withUseSSAToPatchPrimaryResource(false);
        work.ofFramework().ifPresent(overrider::withMetrics);
        leadership.ifPresent(
                lead -> overrider.withLeaderElectionConfiguration(lead.configuration()));
    }

    private List<RegisteredController<?>> register(Watched watched) {
        Plugins plugins = plugins();
        boolean servesSnapshots = isWatchable(FlinkStateSnapshot.class, watched);
        boolean servesPairs = isWatchable(FlinkBlueGreenDeployment.class, watched);
        LeadershipGuard guard =
                new LeadershipGuard(() -> leadership.map(Leadership::mayAct).orElse(true));
        Controllers kinds =
                new Controllers(
                        settings,
                        client,
                        new CircuitBreaker(
                                new HttpJobManagerRest(
                                        options.rest(),
                                        traces.ofJobManager(
                                                new RestMetrics(series, turns, System::nanoTime)),
                                        RestTls.of(
                                                settings.restTls().folder(),
                                                settings.restTls().verifiesHosts(),
                                                LoggerFactory.getLogger(RestTls.class)::warn)),
                                BreakerSettings.DEFAULT,
                                uptime),
                        turns,
                        configuration,
                        new LabelledResources(
                                () -> CanaryResources.of(configuration.get(), settings.namespace()),
                                new PluginValidators(
                                        plugins,
                                        client.getKubernetesSerialization(),
                                        () -> ValidationOptions.of(configuration.get()),
                                        turns,
                                        uptime)),
                        narrator,
                        work,
                        guard,
                        servesSnapshots,
                        servesPairs,
                        clock);
        Canaries canaries = checks.canaries();
        Listeners listeners = new Listeners(plugins, client.getKubernetesSerialization());
        var decorators = new Decorators(passProgress, guard, traces, canaries, listeners);
        var deployments =
                new FlinkDeploymentReconciler(
                        decorators.around(kinds.deployments()),
                        watched,
                        Ingresses.kind(configuration.get()));
        var sessionJobs =
                new FlinkSessionJobReconciler(
                        decorators.around(kinds.sessionJobs()),
                        watched,
                        deployments
                                .shared()
                                .filter(_ -> options.scope().labelSelector().isEmpty()));
        sizes = List.of(deployments.sizes(), sessionJobs.sizes());
        canaries.known(deployments::isKnown, sessionJobs::isKnown);
        List<Runnable> all = new ArrayList<>(List.of(deployments::recheck, sessionJobs::recheck));
        List<RegisteredController<?>> controllers =
                new ArrayList<>(
                        List.of(
                                deployments.register(operator, this::configure),
                                sessionJobs.register(operator, this::configure)));
        if (servesSnapshots) {
            var snapshots = kinds.stateSnapshots(decorators::around, watched, deployments.shared());
            all.add(snapshots::recheck);
            controllers.add(snapshots.register(operator, this::configure));
        }
        if (servesPairs) {
            var pairs =
                    new FlinkBlueGreenDeploymentReconciler(
                            decorators.around(kinds.blueGreenDeployments()), watched);
            all.add(pairs::recheck);
            controllers.add(pairs.register(operator, this::configure));
        }
        rechecks = List.copyOf(all);
        return controllers;
    }

    /**
     * The chart of a former installation has neither the CRD of such a kind nor rights for it; the
     * other kinds are served all the same.
     */
    private boolean isWatchable(Class<? extends HasMetadata> kind, Watched watched) {
        boolean is =
                new InstalledCrds(client)
                        .isWatchable(
                                kind,
                                watched.isAll()
                                        ? Optional.empty()
                                        : watched.namespaces().stream().findFirst());
        if (!is) {
            LoggerFactory.getLogger(OperatorProcess.class)
                    .error(
                            "{}s are not served: their CRD is not installed, or the operator may"
                                    + " not list them. Apply the chart's crds ({}), upgrade the"
                                    + " release, and restart the operator.",
                            kind.getSimpleName(),
                            InstalledCrds.UPDATE);
        }
        return is;
    }

    /** What is around the reconciliations of every kind, from the outside in. */
    private record Decorators(
            PassProgress progress,
            LeadershipGuard guard,
            Traces traces,
            Canaries canaries,
            Listeners listeners) {
        <R extends CustomResource<ObjectNode, ObjectNode>, C> ResourceReconciler<R, C> around(
                ResourceReconciler<R, C> resourceReconciler) {
            return progress.observed(
                    guard.guarded(
                            traces.traced(
                                    canaries.apart(listeners.notifying(resourceReconciler)))));
        }
    }

    /** Those of {@code SLUICE_PLUGIN_DIR}. */
    private Plugins plugins() {
        return Plugins.load(
                Environment.ofProcess()
                        .text(Variable.PLUGIN_DIR)
                        .map(Path::of)
                        .orElse(Plugins.DEFAULT_FOLDER),
                name -> PluginOptions.of(configuration.get(), name));
    }

    private <R extends HasMetadata> void configure(ControllerConfigurationOverrider<R> overrider) {
        options.scope().labelSelector().ifPresent(overrider::withLabelSelector);
        OperatorOptions.RetryTerms retry = options.retry();
        overrider.withRetry(
                new GenericRetry()
                        .setInitialInterval(retry.first())
                        .setIntervalMultiplier(retry.multiplier())
                        .setMaxInterval(retry.longest().toMillis())
                        .setMaxAttempts(retry.attempts().orElse(-1)));
        options.rate()
                .ifPresent(
                        rate ->
                                overrider.withRateLimiter(
                                        new LinearRateLimiter(rate.period(), rate.limit())));
    }

    private void follow(Watched watched, List<RegisteredController<?>> controllers) {
        var followed =
                new Namespaces(
                        watched.namespaces(),
                        names -> controllers.forEach(each -> each.changeNamespaces(names)),
                        refused);
        options.scope()
                .namespaceSelector()
                .ifPresent(selector -> followed.select(client, selector));
        namespaces.set(Optional.of(followed));
        namespaceWatch.follow(followed);
    }

    /** What of a new configuration is not read anew in each reconciliation. */
    private void changed(DefaultConfiguration next) {
        OperatorOptions now = OperatorOptions.of(next, settings);
        logs.use(Logs.Style.of(next));
        checks.lookAtNamespaces(namespaceSource(next));
        if (options.scope().followsNamespaces() && options.scope().namespaceSelector().isEmpty()) {
            namespaces.get().ifPresent(followed -> followed.change(now.scope().namespaces()));
        }
        rechecks.forEach(Runnable::run);
    }

    private NamespaceSource namespaceSource(DefaultConfiguration now) {
        return NamespaceSource.of(new Options(now.own()), settings.watchNamespaces());
    }

    /** Not before the first configuration was read. */
    private SelfChecks checks() {
        return checks;
    }

    private boolean leads() {
        return leadership.map(Leadership::leads).orElse(true);
    }

    /** Why the process had better be restarted. */
    private List<String> wrong() {
        List<String> wrong = new ArrayList<>();
        progress.wrong().ifPresent(wrong::add);
        if (operator.getRuntimeInfo().isStarted()) {
            if (namespaceWatch.isInterrupted()) {
                wrong.add("a watch of resources has ended; see the log");
            }
            if (!checks.canaries().isHealthy()) {
                wrong.add("the last change of a canary was not seen");
            }
        }
        return wrong;
    }

    private List<String> missing() {
        return operator.getRuntimeInfo().isStarted()
                ? List.of()
                : List.of("caches: not all resources were read yet");
    }

    private void stop(ManagementServer server) {
        leadership.ifPresent(Leadership::leave);
        following.close();
        looks.shutdownNow();
        namespaceWatch.close();
        namespaces.get().ifPresent(Namespaces::close);
        server.close();
        operator.stop();
        if (passes.isTerminated()) {
            leadership.ifPresent(lead -> lead.handOver(client));
        }
        leadership.ifPresent(Leadership::close);
        client.close();
    }
}
