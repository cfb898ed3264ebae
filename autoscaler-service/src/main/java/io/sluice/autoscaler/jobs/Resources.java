// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.jobs;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.autoscaler.collect.Cluster;
import io.sluice.autoscaler.collect.EffectiveConfiguration;
import io.sluice.autoscaler.collect.Footprint;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.Subject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** All jobs that this installation serves, as the API server last told of them. */
public final class Resources implements Jobs {
    private final Served served;
    private final Watches<FlinkDeployment> deployments;
    private final Watches<FlinkSessionJob> sessionJobs;

    /** Served or not: a session job's cluster needs no label, and takes of the same quota. */
    private final Watches<FlinkDeployment> clusters;

    private final EffectiveConfiguration configuration;

    private Resources(
            Served served,
            Watches<FlinkDeployment> deployments,
            Watches<FlinkSessionJob> sessionJobs,
            Watches<FlinkDeployment> clusters,
            EffectiveConfiguration configuration) {
        this.served = served;
        this.deployments = deployments;
        this.sessionJobs = sessionJobs;
        this.clusters = clusters;
        this.configuration = configuration;
    }

    /** Starts watching and returns at once; what can't be watched is tried again for ever. */
    public static Resources watch(
            KubernetesClient client, Served served, EffectiveConfiguration configuration) {
        Set<String> namespaces = served.namespaces();
        Optional<String> labels = served.labelSelector();
        var deployments = Watches.of(client, FlinkDeployment.class, namespaces, labels);
        return new Resources(
                served,
                deployments,
                Watches.of(client, FlinkSessionJob.class, namespaces, labels),
                labels.isEmpty()
                        ? deployments
                        : Watches.of(client, FlinkDeployment.class, namespaces, Optional.empty()),
                configuration);
    }

    @Override
    public boolean isKnown() {
        return served.isKnown()
                && deployments.isKnown()
                && sessionJobs.isKnown()
                && clusters.isKnown();
    }

    /** How many lists of namespaces the API server refuses, by kind. */
    public Map<String, Integer> refused() {
        return Map.of(
                "FlinkDeployment", deployments.refused(), "FlinkSessionJob", sessionJobs.refused());
    }

    @Override
    public List<Watched> all() {
        Predicate<HasMetadata> isServed = served.now();
        return Stream.concat(
                        deployments.all().filter(isServed).map(this::watched),
                        sessionJobs.all().filter(isServed).map(this::watched))
                .toList();
    }

    @Override
    public Optional<Watched> find(JobKey key) {
        Predicate<HasMetadata> isServed = served.now();
        Optional<Watched> found =
                switch (key.kind()) {
                    case FLINK_DEPLOYMENT ->
                            deployments.find(key.path()).filter(isServed).map(this::watched);
                    case FLINK_SESSION_JOB ->
                            sessionJobs.find(key.path()).filter(isServed).map(this::watched);
                    case JOB -> Optional.empty();
                };
        return found.filter(watched -> watched.key().equals(key));
    }

    /** The FlinkDeployment of this name, served or not, until it is gone. */
    Optional<FlinkDeployment> deployment(String namespace, String name) {
        return clusters.find(namespace + "/" + name);
    }

    @Override
    public Footprint takenIn(String namespace) {
        return clusters.all()
                .filter(each -> each.getMetadata().getNamespace().equals(namespace))
                .map(Cluster::taken)
                .reduce(Footprint.NOTHING, Footprint::plus);
    }

    @Override
    public void close() {
        deployments.close();
        sessionJobs.close();
        clusters.close();
        served.close();
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
        return clusters.find(job.getMetadata().getNamespace() + "/" + job.cluster().orElse(""));
    }
}
