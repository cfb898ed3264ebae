// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.RawResource;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.FlinkSessionJobStatus;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.decide.step.RetentionLimits;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.Target.SessionClusterView;
import io.sluice.operator.observe.JobReader;
import io.sluice.operator.observe.SessionClusterLinks;
import io.sluice.operator.statesnapshot.SnapshotObservedState.JobOptions;
import io.sluice.operator.statesnapshot.SnapshotTarget.With;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.Redaction;
import java.net.URI;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Finds the job of a snapshot: the API server itself is asked, as a cache that is late would make a
 * snapshot of a job that was just created come to nothing.
 *
 * @param address where the JobManager of a cluster answers
 */
record SnapshotJobReader(
        KubernetesClient client,
        JobManagerRest rest,
        Function<FlinkDeployment, URI> address,
        DefaultConfiguration defaults) {
    private static final ResourceKind DEPLOYMENT = ResourceKind.FLINK_DEPLOYMENT;
    private static final ResourceKind PAIR = ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT;

    /**
     * What the resources say of a job.
     *
     * @param unready what the job is busy with while there is no JobManager that could be asked
     * @param at where its JobManager answers; empty if there is none that can
     * @param version of Flink; empty if it is not known
     */
    private record Found(
            String namespace,
            JobResource resource,
            With unready,
            Optional<URI> at,
            Optional<FlinkVersion> version,
            FlinkConfiguration effective) {}

    SnapshotJob read(String namespace, Optional<JobReference> reference) {
        return asked(find(namespace, reference));
    }

    /** The job, or what stands in for it, whose JobManager may delete what the job has written. */
    SnapshotJob readForDisposal(String namespace, Optional<JobReference> reference) {
        return asked(findAny(namespace, reference));
    }

    private SnapshotJob asked(Optional<Found> found) {
        return found.map(this::asked)
                .orElseGet(
                        () ->
                                SnapshotJob.without(
                                        new SnapshotTarget.Gone(),
                                        Redaction.of(FlinkConfiguration.EMPTY)));
    }

    /**
     * How many snapshots of {@code kind} the job, or what stands in for it, keeps; empty if there
     * is neither. Its JobManager is not asked.
     */
    Optional<RetentionLimits> limits(
            String namespace, Optional<JobReference> reference, StateKind kind) {
        return findAny(namespace, reference).map(found -> limits(found, kind));
    }

    /** The same, as a resource says it that a cache has. Nobody is asked. */
    RetentionLimits limits(FlinkDeployment cached, StateKind kind) {
        return limits(deployment(cached), kind);
    }

    private RetentionLimits limits(Found found, StateKind kind) {
        return RetentionLimits.of(
                kind, found.effective(), defaults.granted(found.namespace(), found.version()));
    }

    private Optional<Found> find(String namespace, Optional<JobReference> reference) {
        Optional<String> name = reference.flatMap(JobReference::name);
        Optional<ResourceKind> kind = reference.flatMap(JobReference::kind);
        if (name.isEmpty() || kind.isEmpty()) {
            return Optional.empty();
        }
        return kind.get() == ResourceKind.FLINK_SESSION_JOB
                ? get(FlinkSessionJob.class, namespace, name.get()).map(this::sessionJob)
                : get(FlinkDeployment.class, namespace, name.get()).map(this::deployment);
    }

    /** Each transition of a pair deletes the half whose savepoints it leaves to the other one. */
    private Optional<Found> findAny(String namespace, Optional<JobReference> reference) {
        return find(namespace, reference)
                .or(
                        () ->
                                reference
                                        .filter(it -> it.kind().equals(Optional.of(DEPLOYMENT)))
                                        .flatMap(JobReference::name)
                                        .flatMap(name -> otherHalf(namespace, name)));
    }

    private Optional<Found> otherHalf(String namespace, String half) {
        return Stream.of(HalfColor.values())
                .flatMap(
                        color ->
                                color
                                        .pairOf(half)
                                        .map(pair -> otherHalf(namespace, pair, color))
                                        .stream())
                .flatMap(Optional::stream)
                .findFirst()
                .map(this::deployment);
    }

    private Optional<FlinkDeployment> otherHalf(String namespace, String pair, HalfColor color) {
        return get(FlinkDeployment.class, namespace, color.other().nameIn(pair))
                .filter(
                        found ->
                                found.getMetadata().getOwnerReferences().stream()
                                        .filter(it -> it.getKind().equals(PAIR.wire()))
                                        .anyMatch(it -> it.getName().equals(pair)));
    }

    private Found deployment(FlinkDeployment resource) {
        FlinkDeploymentStatus status = FlinkDeploymentStatus.of(status(resource));
        FlinkDeploymentSpec spec =
                LastReconciledSpec.running(status)
                        .map(LastReconciledSpec::spec)
                        .orElseGet(() -> spec(resource));
        boolean isReady = status.jobManagerDeploymentStatus() == JobManagerDeploymentState.READY;
        String namespace = resource.getMetadata().getNamespace();
        return new Found(
                namespace,
                new JobResource(
                        isLeaving(resource),
                        spec.job().isPresent(),
                        status.jobStatus(),
                        status.lifecycleState(),
                        status.attempt()),
                With.DEPLOYMENT,
                Optional.of(address.apply(resource)).filter(_ -> isReady),
                spec.flinkVersion(),
                defaults.effective(namespace, spec.flinkVersion(), spec.flinkConfiguration()));
    }

    private Found sessionJob(FlinkSessionJob resource) {
        String namespace = resource.getMetadata().getNamespace();
        FlinkSessionJobStatus status = FlinkSessionJobStatus.of(status(resource));
        String name = resource.cluster().orElse("");
        Optional<FlinkDeployment> cluster =
                name.isEmpty() ? Optional.empty() : get(FlinkDeployment.class, namespace, name);
        SessionClusterView view = SessionClusterLinks.of(name, cluster, defaults);
        boolean isReady = view.state() == SessionClusterView.State.READY;
        FlinkDeploymentSpec spec =
                LastReconciledSpec.from(status.reconciliationStatus())
                        .map(LastReconciledSpec::spec)
                        .orElseGet(() -> spec(resource));
        return new Found(
                namespace,
                new JobResource(
                        isLeaving(resource),
                        true,
                        status.jobStatus(),
                        status.lifecycleState(),
                        status.attempt()),
                With.CLUSTER,
                cluster.filter(_ -> isReady).map(address),
                view.version(),
                defaults.effective(
                        namespace,
                        view.version(),
                        view.configuration(),
                        spec.flinkConfiguration()));
    }

    private SnapshotJob asked(Found found) {
        Optional<URI> at = found.at();
        Optional<String> jobId = found.resource().job().jobId();
        JobPhase phase =
                found.resource()
                        .phase(at.isPresent() ? Optional.empty() : Optional.of(found.unready()));
        JobView job =
                at.flatMap(uri -> jobId.map(id -> JobReader.job(rest, uri, id)))
                        .orElseGet(JobView.NotAsked::new);
        return new SnapshotJob(
                phase.target(job),
                jobId,
                at,
                new JobOptions(
                        new Options(found.effective()).savepointFolder(),
                        found.version().map(it -> it.isAtLeast(FlinkVersion.V1_17)).orElse(true)),
                Redaction.of(found.effective()));
    }

    private static boolean isLeaving(RawResource resource) {
        return resource.getMetadata().getDeletionTimestamp() != null;
    }

    private <R extends RawResource> Optional<R> get(Class<R> kind, String namespace, String name) {
        return Optional.ofNullable(
                client.resources(kind).inNamespace(namespace).withName(name).get());
    }

    private static ObjectNode status(RawResource resource) {
        return Optional.ofNullable(resource.getStatus())
                .orElseGet(JsonNodeFactory.instance::objectNode);
    }

    /** A session job's fields are a part of a deployment's. */
    private static FlinkDeploymentSpec spec(RawResource resource) {
        ObjectNode raw =
                Optional.ofNullable(resource.getSpec())
                        .orElseGet(JsonNodeFactory.instance::objectNode);
        return FlinkDeploymentSpec.parse(raw, "spec").value();
    }
}
