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
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

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
    SnapshotJob read(String namespace, Optional<JobReference> reference) {
        Optional<String> name = reference.flatMap(JobReference::name);
        Optional<ResourceKind> kind = reference.flatMap(JobReference::kind);
        if (name.isEmpty() || kind.isEmpty()) {
            return gone();
        }
        return kind.get() == ResourceKind.FLINK_SESSION_JOB
                ? get(FlinkSessionJob.class, namespace, name.get())
                        .map(this::sessionJob)
                        .orElseGet(SnapshotJobReader::gone)
                : get(FlinkDeployment.class, namespace, name.get())
                        .map(this::deployment)
                        .orElseGet(SnapshotJobReader::gone);
    }

    private static SnapshotJob gone() {
        return SnapshotJob.without(
                new SnapshotTarget.Gone(), Redaction.of(FlinkConfiguration.EMPTY));
    }

    private SnapshotJob deployment(FlinkDeployment resource) {
        FlinkDeploymentStatus status = FlinkDeploymentStatus.of(status(resource));
        FlinkDeploymentSpec spec =
                LastReconciledSpec.running(status)
                        .map(LastReconciledSpec::spec)
                        .orElseGet(() -> spec(resource));
        boolean isReady = status.jobManagerDeploymentStatus() == JobManagerDeploymentState.READY;
        String namespace = resource.getMetadata().getNamespace();
        return job(
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

    private SnapshotJob sessionJob(FlinkSessionJob resource) {
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
        return job(
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

    private SnapshotJob job(
            String namespace,
            JobResource resource,
            With unready,
            Optional<URI> at,
            Optional<FlinkVersion> version,
            FlinkConfiguration effective) {
        JobPhase phase = resource.phase(at.isPresent() ? Optional.empty() : Optional.of(unready));
        JobView job =
                at.flatMap(uri -> resource.job().jobId().map(id -> JobReader.job(rest, uri, id)))
                        .orElseGet(JobView.NotAsked::new);
        return new SnapshotJob(
                phase.target(job),
                resource.job().jobId(),
                at,
                new JobOptions(
                        new Options(effective).savepointFolder(),
                        version.map(it -> it.isAtLeast(FlinkVersion.V1_17)).orElse(true),
                        limits(effective, defaults.granted(namespace, version))),
                Redaction.of(effective));
    }

    private static Map<StateKind, RetentionLimits> limits(
            FlinkConfiguration effective, FlinkConfiguration granted) {
        Map<StateKind, RetentionLimits> limits = new EnumMap<>(StateKind.class);
        for (StateKind kind : StateKind.values()) {
            limits.put(kind, RetentionLimits.of(kind, effective, granted));
        }
        return limits;
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
