// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.FlinkSessionJobSpec;
import io.sluice.autoscaler.collect.Cluster;
import io.sluice.autoscaler.collect.EffectiveConfiguration;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.Subject;
import io.sluice.autoscaler.govern.Footprint;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All jobs of the watched namespaces, as the API server last told of them. */
final class Resources implements Jobs {
    private final List<SharedIndexInformer<FlinkDeployment>> deployments;
    private final List<SharedIndexInformer<FlinkSessionJob>> sessionJobs;
    private final EffectiveConfiguration configuration;

    private Resources(
            List<SharedIndexInformer<FlinkDeployment>> deployments,
            List<SharedIndexInformer<FlinkSessionJob>> sessionJobs,
            EffectiveConfiguration configuration) {
        this.deployments = deployments;
        this.sessionJobs = sessionJobs;
        this.configuration = configuration;
    }

    /** Starts watching and returns at once; what can't be watched is tried again for ever. */
    static Resources watch(
            KubernetesClient client,
            List<String> namespaces,
            EffectiveConfiguration configuration) {
        return new Resources(
                informers(client, FlinkDeployment.class, namespaces),
                informers(client, FlinkSessionJob.class, namespaces),
                configuration);
    }

    @Override
    public boolean isKnown() {
        return Stream.concat(deployments.stream(), sessionJobs.stream())
                .allMatch(SharedIndexInformer::hasSynced);
    }

    @Override
    public List<Watched> all() {
        return Stream.concat(
                        stored(deployments).map(this::watched),
                        stored(sessionJobs).map(this::watched))
                .toList();
    }

    @Override
    public Optional<Watched> find(JobKey key) {
        Optional<Watched> found =
                switch (key.kind()) {
                    case FLINK_DEPLOYMENT -> named(deployments, key.path()).map(this::watched);
                    case FLINK_SESSION_JOB -> named(sessionJobs, key.path()).map(this::watched);
                    case JOB -> Optional.empty();
                };
        return found.filter(watched -> watched.key().equals(key));
    }

    @Override
    public Footprint takenIn(String namespace) {
        return stored(deployments)
                .filter(each -> each.getMetadata().getNamespace().equals(namespace))
                .map(Cluster::taken)
                .reduce(Footprint.NOTHING, Footprint::plus);
    }

    @Override
    public void close() {
        deployments.forEach(SharedIndexInformer::stop);
        sessionJobs.forEach(SharedIndexInformer::stop);
    }

    private Watched watched(FlinkDeployment resource) {
        return new Watched(JobKey.of(resource), () -> Subject.of(resource, configuration));
    }

    private Watched watched(FlinkSessionJob resource) {
        return new Watched(
                JobKey.of(resource),
                () -> Subject.of(resource, clusterOf(resource), configuration));
    }

    private Optional<FlinkDeployment> clusterOf(FlinkSessionJob job) {
        String path =
                job.getMetadata().getNamespace()
                        + "/"
                        + FlinkSessionJobSpec.parse(job.getSpec(), "spec")
                                .value()
                                .deploymentName()
                                .orElse("");
        return named(deployments, path);
    }

    private static <T extends HasMetadata> Optional<T> named(
            List<SharedIndexInformer<T>> informers, String path) {
        return informers.stream()
                .map(informer -> Optional.ofNullable(informer.getStore().getByKey(path)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static <T extends HasMetadata> Stream<T> stored(
            List<SharedIndexInformer<T>> informers) {
        return informers.stream()
                .map(informer -> informer.getStore().list())
                .flatMap(Collection::stream)
                .filter(resource -> resource.getMetadata().getDeletionTimestamp() == null);
    }

    private static <T extends HasMetadata> List<SharedIndexInformer<T>> informers(
            KubernetesClient client, Class<T> kind, List<String> namespaces) {
        var resources = client.resources(kind);
        List<SharedIndexInformer<T>> informers =
                namespaces.isEmpty()
                        ? List.of(resources.inAnyNamespace().runnableInformer(0))
                        : namespaces.stream()
                                .map(each -> resources.inNamespace(each).runnableInformer(0))
                                .toList();
        for (var informer : informers) {
            informer.exceptionHandler((_, _) -> true);
            var _ = informer.start();
        }
        return informers;
    }
}
