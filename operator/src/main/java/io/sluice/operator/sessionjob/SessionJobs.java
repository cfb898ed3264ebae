// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.status.AttemptStatus;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.act.SessionJobGraphs;
import io.sluice.operator.act.SnapshotCreation;
import io.sluice.operator.artifact.Artifacts;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.Target.SessionClusterView;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.SessionClusterLinks;
import io.sluice.operator.observe.snapshot.SnapshotReader;
import io.sluice.operator.reconcile.Reconciliation;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.sessionjob.SessionJobEffects.Attempted;
import io.sluice.operator.sessionjob.SessionJobObserver.RelatedResources;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.process.Uptime;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Puts the parts together that reconcile session jobs.
 *
 * @param address where the JobManager of a cluster answers
 * @param validators are asked beside the built-in rules
 * @param servesSnapshots whether the operator serves FlinkStateSnapshots
 */
public record SessionJobs(
        KubernetesClient client,
        JobManagerRest rest,
        Function<FlinkDeployment, URI> address,
        Artifacts artifacts,
        Supplier<DefaultConfiguration> defaults,
        SpecValidators validators,
        boolean servesSnapshots,
        InstantSource clock) {
    /** A cluster that is being replaced has seen a stop by then, and waits for it. */
    private static final Duration SEEN = Duration.ofSeconds(30);

    public ResourceReconciler<FlinkSessionJob, RelatedResources> passes(
            BiConsumer<FlinkSessionJob, List<ResourceEvent>> narrator, ObservationMemory memory) {
        return passes(
                narrator,
                memory,
                new Submissions(
                        Executors.newVirtualThreadPerTaskExecutor(),
                        new Uptime(),
                        Submissions.Places.of(new Options(defaults.get().own()))));
    }

    /**
     * @param submissions of this process
     */
    public ResourceReconciler<FlinkSessionJob, RelatedResources> passes(
            BiConsumer<FlinkSessionJob, List<ResourceEvent>> narrator,
            ObservationMemory memory,
            Submissions submissions) {
        SessionJobEffects effects =
                new SessionJobEffects(
                        rest,
                        memory,
                        new SnapshotCreation(client, memory.refusedSnapshots())::create,
                        artifacts,
                        submissions,
                        this::isCurrent,
                        this::mayEnd,
                        clock);
        return (resource, cached, store) -> {
            RelatedResources around = certain(resource, cached);
            URI at = at(resource, around.cluster());
            return new Reconciliation<FlinkSessionJob>(
                            new SessionJobObserver(
                                            _ -> around,
                                            rest,
                                            at,
                                            defaults.get(),
                                            validators,
                                            submissions,
                                            memory,
                                            new SnapshotReader(
                                                    Optional.of(client)
                                                            .filter(_ -> servesSnapshots),
                                                    memory.refusedSnapshots()),
                                            clock)
                                    ::observe,
                            store,
                            (read, action) -> {
                                if (action instanceof Action.Release) {
                                    removeGraphs(read);
                                }
                                effects.perform(read, at, action);
                            },
                            narrator,
                            (decision, stored) ->
                                    SessionJobStatus.render(decision.status(), stored),
                            memory,
                            "flinksessionjobs.flink.apache.org")
                    .run(resource);
        };
    }

    /** What is released must not run again, whichever version of Flink the cluster goes back to. */
    private void removeGraphs(FlinkSessionJob resource) {
        resource.cluster()
                .filter(_ -> SessionJobStatus.of(resource).jobStatus().jobId().isPresent())
                .map(
                        name ->
                                new SessionJobGraphs(
                                        client, resource.getMetadata().getNamespace(), name))
                .ifPresent(graphs -> graphs.removeAllOf(resource));
    }

    /**
     * Where a cluster is gone or down no job is left of a deleted resource, and nobody asks its
     * JobManager: that it is must not be a cache's word, which may be an old one.
     */
    private RelatedResources certain(FlinkSessionJob resource, RelatedResources cached) {
        boolean mayBeReleased =
                resource.isMarkedForDeletion()
                        && !clusterView(resource, cached.cluster()).takesJobs();
        return mayBeReleased ? new RelatedResources(cluster(resource), cached.overrides()) : cached;
    }

    private URI at(FlinkSessionJob resource, Optional<FlinkDeployment> cluster) {
        return address.apply(cluster.orElseGet(() -> named(resource)));
    }

    /** A resource with the name of a cluster that is not there. */
    private static FlinkDeployment named(FlinkSessionJob resource) {
        FlinkDeployment cluster = new FlinkDeployment();
        cluster.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(resource.getMetadata().getNamespace())
                        .withName(resource.cluster().filter(SessionJobs::isName).orElse("none"))
                        .build());
        return cluster;
    }

    /** What is no name of a resource must not shape an address. */
    private static boolean isName(String name) {
        return name.matches("[a-z]([-a-z0-9]{0,43}[a-z0-9])?");
    }

    /**
     * A reconciliation that read late must neither bring a former attempt back nor use a cluster
     * that is being replaced. The jar has to be on record, too: an attempt that another operator
     * has recorded as refused counts as one that never ran, and the next one may be started at
     * once.
     */
    private boolean isCurrent(Attempted attempted) {
        var metadata = attempted.resource().getMetadata();
        Optional<FlinkSessionJob> now =
                Optional.ofNullable(
                        client.resources(FlinkSessionJob.class)
                                .inNamespace(metadata.getNamespace())
                                .withName(metadata.getName())
                                .get());
        return now.filter(found -> metadata.getUid().equals(found.getMetadata().getUid()))
                        .filter(found -> found.getMetadata().getDeletionTimestamp() == null)
                        .map(found -> SessionJobStatus.of(found).attempt())
                        .filter(recorded -> recorded.jar().equals(Optional.of(attempted.jar())))
                        .flatMap(AttemptStatus::id)
                        .equals(Optional.of(attempted.attempt()))
                && takesJobs(attempted.resource());
    }

    /**
     * A cluster that goes while its job ends takes along what became of it. That a stop is on
     * record the cluster sees before it goes, or else this sees that it goes: then the job lives
     * on, to be stopped by a later reconciliation. If both see each other it is the cluster that
     * waits.
     */
    private boolean mayEnd(FlinkSessionJob resource) {
        boolean isYoung =
                SessionJobStatus.of(resource)
                        .attempt()
                        .stop()
                        .filter(stop -> stop.at().plus(SEEN).isAfter(clock.instant()))
                        .isPresent();
        return !isYoung || cluster(resource).filter(SessionClusterLinks::isBeingReplaced).isEmpty();
    }

    private boolean takesJobs(FlinkSessionJob resource) {
        return clusterView(resource, cluster(resource)).takesJobs();
    }

    private SessionClusterView clusterView(
            FlinkSessionJob resource, Optional<FlinkDeployment> cluster) {
        return SessionClusterLinks.of(resource.cluster().orElse(""), cluster, defaults.get());
    }

    /**
     * The cluster as the API server has it now; empty if it is not there, or the resource names
     * none.
     */
    private Optional<FlinkDeployment> cluster(FlinkSessionJob resource) {
        return resource.cluster()
                .map(
                        name ->
                                client.resources(FlinkDeployment.class)
                                        .inNamespace(resource.getMetadata().getNamespace())
                                        .withName(name)
                                        .get());
    }
}
