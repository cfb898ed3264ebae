// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.operator.act.KubernetesEffects;
import io.sluice.operator.artifact.Fetched;
import io.sluice.operator.artifact.JarSource;
import io.sluice.operator.bluegreen.BlueGreenDeployments;
import io.sluice.operator.bluegreen.FlinkBlueGreenDeploymentReconciler;
import io.sluice.operator.bluegreen.analysis.PrometheusQueries;
import io.sluice.operator.cache.Copies;
import io.sluice.operator.config.Watched;
import io.sluice.operator.cron.CronEffects;
import io.sluice.operator.cron.CronJobs;
import io.sluice.operator.cron.CronObserver;
import io.sluice.operator.deployment.FlinkDeploymentReconciler;
import io.sluice.operator.deployment.FlinkDeploymentReconciliation;
import io.sluice.operator.deployment.UnchangedSkip;
import io.sluice.operator.ingress.Ingresses;
import io.sluice.operator.leadership.Leadership;
import io.sluice.operator.leadership.LeadershipGuard;
import io.sluice.operator.observe.ChildReader;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.ClusterObserver;
import io.sluice.operator.observe.HealthMonitor;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.RejectedManifests;
import io.sluice.operator.observe.pod.VolumeMountFailures;
import io.sluice.operator.observe.snapshot.SnapshotReader;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.report.EventRecorder;
import io.sluice.operator.sessionjob.FlinkSessionJobReconciler;
import io.sluice.operator.sessionjob.SessionJobs;
import io.sluice.operator.statesnapshot.FlinkStateSnapshotReconciler;
import io.sluice.operator.statesnapshot.StateSnapshots;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The whole operator on a real API server, with JobManagers of the test's making. */
public final class RunningOperator implements AutoCloseable {
    private static final DefaultConfiguration IMPATIENT =
            new DefaultConfiguration(
                    new FlinkConfiguration(
                            Map.of(
                                    "kubernetes.operator.reconcile.interval", "500 ms",
                                    "kubernetes.operator.observer.progress-check.interval",
                                            "100 ms",
                                    // No scheduler places the pod that would pull an image.
                                    "kubernetes.operator.deployment.pull-image-first", "false")));

    private final KubernetesClient client;
    private final FakeJobManager jobManagers;
    private final Operator operator;
    private final Optional<Leadership> leadership;
    private final RegisteredController<FlinkDeployment> deployments;

    public RunningOperator(KubernetesClient client, String namespace) {
        this(client, namespace, new FakeJobManager());
    }

    /** With more of a configuration. */
    public RunningOperator(KubernetesClient client, String namespace, Map<String, String> more) {
        this(
                client,
                only(namespace),
                new FakeJobManager(),
                InstantSource.system(),
                Optional.empty(),
                new DefaultConfiguration(IMPATIENT.base().with(new FlinkConfiguration(more))));
    }

    /** One whose namespaces may change. */
    RunningOperator(KubernetesClient client, Watched watched) {
        this(client, watched, new FakeJobManager(), InstantSource.system(), Optional.empty());
    }

    /** A new process of the operator beside JobManagers that were there before. */
    public RunningOperator(KubernetesClient client, String namespace, FakeJobManager jobManagers) {
        this(client, namespace, jobManagers, InstantSource.system());
    }

    /** By another clock; the framework that calls it goes by its own. */
    public RunningOperator(
            KubernetesClient client,
            String namespace,
            FakeJobManager jobManagers,
            InstantSource clock) {
        this(client, only(namespace), jobManagers, clock, Optional.empty());
    }

    /** One of several. */
    RunningOperator(
            KubernetesClient client,
            Watched watched,
            FakeJobManager jobManagers,
            InstantSource clock,
            Optional<Leadership> leadership) {
        this(client, watched, jobManagers, clock, leadership, IMPATIENT);
    }

    private RunningOperator(
            KubernetesClient client,
            Watched watched,
            FakeJobManager jobManagers,
            InstantSource clock,
            Optional<Leadership> leadership,
            DefaultConfiguration defaults) {
        this.client = client;
        this.leadership = leadership;
        this.jobManagers = jobManagers;
        operator =
                new Operator(
                        overrider -> {
                            overrider
                                    .withKubernetesClient(client)
                                    .withCloseClientOnStop(false)
                                    .withResourceCloner(
                                            new Copies(client.getKubernetesSerialization()))
                                    .withUseSSAToPatchPrimaryResource(false);
                            leadership.ifPresent(
                                    lead ->
                                            overrider.withLeaderElectionConfiguration(
                                                    lead.configuration()));
                        });
        var guard = new LeadershipGuard(() -> leadership.map(Leadership::mayAct).orElse(true));
        var rejectedManifests = new RejectedManifests(clock);
        var memory = new ObservationMemory();
        var effects =
                new KubernetesEffects(
                        client, jobManagers, RunningOperator::address, rejectedManifests, memory);
        var watch = new HealthMonitor();
        var volumeMountFailures =
                new VolumeMountFailures(pod -> ChildResources.events(client, pod), clock);
        var narrator = new EventRecorder(client, clock);
        var unchangedSkip =
                new UnchangedSkip(
                        jobManagers, RunningOperator::address, () -> defaults, memory, clock);
        ResourceReconciler<FlinkDeployment, ChildResources> applications =
                (resource, childResources, store) ->
                        unchangedSkip.noting(
                                resource,
                                childResources,
                                new ClusterObserver(
                                        ChildReader.of(client, childResources, volumeMountFailures),
                                        jobManagers,
                                        RunningOperator::address,
                                        defaults,
                                        SpecValidators.NONE,
                                        rejectedManifests,
                                        watch,
                                        memory,
                                        new SnapshotReader(
                                                Optional.of(client), memory.refusedSnapshots()),
                                        clock),
                                noting ->
                                        new FlinkDeploymentReconciliation(
                                                        noting, store, effects, narrator, memory)
                                                .run(resource));
        var all =
                new CronJobs(
                        new CronObserver(
                                client,
                                () -> defaults,
                                SpecValidators.NONE,
                                rejectedManifests,
                                clock),
                        new CronEffects(client, rejectedManifests),
                        narrator,
                        new Ingresses(
                                client,
                                () -> defaults,
                                Ingresses.gateway(defaults),
                                narrator,
                                applications));
        var ofDeployments =
                new FlinkDeploymentReconciler(
                        guard.guarded(unchangedSkip.around(all)),
                        watched,
                        Ingresses.kind(defaults));
        deployments = ofDeployments.register(operator, _ -> {});
        var sessionJobs =
                new FlinkSessionJobReconciler(
                        new SessionJobs(
                                        client,
                                        jobManagers,
                                        RunningOperator::address,
                                        RunningOperator::jar,
                                        () -> defaults,
                                        SpecValidators.NONE,
                                        true,
                                        clock)
                                .passes(narrator::tell, new ObservationMemory()),
                        watched,
                        ofDeployments.shared());
        sessionJobs.register(operator, _ -> {});
        var stateSnapshots =
                new StateSnapshots(
                        client,
                        jobManagers,
                        RunningOperator::address,
                        (of, name) -> ofDeployments.shared().flatMap(it -> it.cached(of, name)),
                        true,
                        () -> defaults,
                        SpecValidators.NONE,
                        narrator::tell,
                        clock);
        var snapshots =
                new FlinkStateSnapshotReconciler(
                        guard.guarded(stateSnapshots), watched, stateSnapshots);
        snapshots.register(operator, _ -> {});
        var pairs =
                new FlinkBlueGreenDeploymentReconciler(
                        guard.guarded(
                                new BlueGreenDeployments(
                                        client,
                                        jobManagers,
                                        new PrometheusQueries(Waiting.direct()),
                                        RunningOperator::address,
                                        () -> defaults,
                                        SpecValidators.NONE,
                                        true,
                                        new ObservationMemory(),
                                        narrator::tell,
                                        clock)),
                        watched);
        pairs.register(operator, _ -> {});
        operator.start();
    }

    static Watched only(String namespace) {
        return Watched.always(Set.of(namespace));
    }

    /** A jar that nobody looks into. */
    private static Fetched jar(JarSource source) {
        try {
            Path jar = Files.createTempFile("job", ".jar");
            jar.toFile().deleteOnExit();
            return source.uri().filter(uri -> uri.contains("missing")).isPresent()
                    ? new Fetched.Refused("spec.job.jarURI: is answered with HTTP 404")
                    : new Fetched.Here(jar);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** Watches FlinkDeployments in these namespaces from now on. */
    void watch(Set<String> namespaces) {
        deployments.changeNamespaces(namespaces);
    }

    public FakeJobManager jobManagers() {
        return jobManagers;
    }

    public static URI address(FlinkDeployment resource) {
        return address(resource.getMetadata().getNamespace(), resource.getMetadata().getName());
    }

    public static URI address(String namespace, String name) {
        return URI.create("http://%s-rest.%s:8081".formatted(name, namespace));
    }

    @Override
    public void close() {
        leadership.ifPresent(Leadership::leave);
        operator.stop();
        leadership.ifPresent(lead -> lead.handOver(client));
        leadership.ifPresent(Leadership::close);
    }
}
