// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.FlinkSessionJobSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.Condition;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.FlinkSessionJobStatus;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.ReconciliationState;
import io.sluice.api.status.StopStatus;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.StartOptions;
import io.sluice.operator.model.Target.SessionClusterView;
import io.sluice.operator.model.Target.SessionJobView;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import java.util.Optional;

/** A session cluster and its jobs as each sees the other: by what their resources say. */
public final class SessionClusterLinks {
    private SessionClusterLinks() {}

    /** The session cluster {@code name}, as its resource reports it. */
    public static SessionClusterView of(
            String name, Optional<FlinkDeployment> cluster, DefaultConfiguration defaults) {
        return cluster.filter(found -> found.getSpec() != null)
                .map(found -> of(name, found, defaults))
                .orElseGet(() -> SessionClusterView.missing(name));
    }

    private static SessionClusterView of(
            String name, FlinkDeployment cluster, DefaultConfiguration defaults) {
        FlinkDeploymentStatus status =
                Optional.ofNullable(cluster.getStatus())
                        .map(FlinkDeploymentStatus::of)
                        .orElse(FlinkDeploymentStatus.NEW);
        FlinkDeploymentSpec current = FlinkDeploymentSpec.parse(cluster.getSpec(), "spec").value();
        FlinkDeploymentSpec deployed =
                LastReconciledSpec.from(status.reconciliationStatus())
                        .map(LastReconciledSpec::spec)
                        .orElse(current);
        String namespace = cluster.getMetadata().getNamespace();
        boolean beingReplaced =
                status.condition("Ready")
                        .map(Condition::reason)
                        .filter(SessionClusterView::isHeld)
                        .isPresent();
        var running =
                new Options(
                        StartOptions.running(
                                options(namespace, deployed, defaults).configuration(),
                                status.attempt().startedWith()));
        Options next = options(namespace, current, defaults);
        return new SessionClusterView(
                name,
                state(status.jobManagerDeploymentStatus()),
                beingReplaced,
                next.findsMetadataOf(running)
                        && deployed.flinkVersion().equals(current.flinkVersion()),
                cluster.getMetadata().getDeletionTimestamp() != null,
                SessionClusterView.blocksDeletion(next),
                running.isHighlyAvailable(),
                deployed.flinkConfiguration(),
                deployed.flinkVersion());
    }

    private static SessionClusterView.State state(JobManagerDeploymentState jobManager) {
        return switch (jobManager) {
            case READY -> SessionClusterView.State.READY;
            case MISSING -> SessionClusterView.State.DOWN;
            case DEPLOYING, DEPLOYED_NOT_READY, ERROR -> SessionClusterView.State.NOT_READY;
        };
    }

    /** Whether it is on record that the cluster goes, and another one takes its place. */
    public static boolean isBeingReplaced(FlinkDeployment cluster) {
        return Optional.ofNullable(cluster.getStatus())
                .map(FlinkDeploymentStatus::of)
                .map(status -> status.reconciliationStatus().state())
                .filter(ReconciliationState.UPGRADING::equals)
                .isPresent();
    }

    private static Options options(
            String namespace, FlinkDeploymentSpec spec, DefaultConfiguration defaults) {
        return new Options(
                defaults.effective(namespace, spec.flinkVersion(), spec.flinkConfiguration()));
    }

    /** Whether {@code job} is, or waits to be, on the cluster {@code name} of its namespace. */
    public static boolean isOn(String name, FlinkSessionJob job) {
        return job.cluster().filter(name::equals).isPresent();
    }

    /**
     * Whether a job of the resource is over: another one is on record, or it is suspended. Where no
     * job is on record, as somebody has removed the status, none is known to be over.
     */
    public static boolean isOver(FlinkSessionJob resource, String jobId) {
        FlinkSessionJobStatus status =
                Optional.ofNullable(resource.getStatus())
                        .map(FlinkSessionJobStatus::of)
                        .orElse(FlinkSessionJobStatus.NEW);
        boolean isStopping = status.attempt().stop().filter(StopStatus::isUnderWay).isPresent();
        boolean isSuspended =
                LastReconciledSpec.from(status.reconciliationStatus())
                        .flatMap(before -> before.spec().job())
                        .filter(job -> job.state() == DesiredJobState.SUSPENDED)
                        .isPresent();
        return status.jobStatus()
                .jobId()
                .filter(recorded -> !recorded.equals(jobId) || (isSuspended && !isStopping))
                .isPresent();
    }

    /** A session job as its cluster sees it. */
    public static SessionJobView sessionJob(FlinkSessionJob job) {
        FlinkSessionJobStatus status =
                Optional.ofNullable(job.getStatus())
                        .map(FlinkSessionJobStatus::of)
                        .orElse(FlinkSessionJobStatus.NEW);
        Optional<JobSpec> reconciled =
                LastReconciledSpec.from(status.reconciliationStatus())
                        .flatMap(before -> before.spec().job())
                        .or(
                                () ->
                                        Optional.ofNullable(job.getSpec())
                                                .flatMap(SessionClusterLinks::jobOf));
        boolean atRest =
                reconciled.filter(spec -> spec.state() == DesiredJobState.SUSPENDED).isPresent();
        boolean stopping = status.attempt().stop().filter(StopStatus::isUnderWay).isPresent();
        boolean asking = stopping && isAsking(status);
        return new SessionJobView(
                job.getMetadata().getName(),
                status.jobStatus().jobId(),
                !atRest
                        && reconciled
                                .filter(spec -> spec.upgradeMode() != UpgradeMode.STATELESS)
                                .isPresent(),
                asking
                        || (atRest && !stopping)
                        || status.jobStatus().state().filter(JobState::isTerminal).isPresent(),
                stopping && !asking);
    }

    /**
     * Whether the job's end was seen and names no state that can be used: its JobManager has no
     * more to tell. One that was not seen may yet turn up.
     */
    private static boolean isAsking(FlinkSessionJobStatus status) {
        boolean unseen = status.jobStatus().state().equals(Optional.of(JobState.RECONCILING));
        return !unseen
                && status.conditions().stream()
                        .filter(condition -> condition.type().equals("Ready"))
                        .anyMatch(
                                condition ->
                                        condition.reason().equals(Reason.UPGRADE_FAILED.wire())
                                                || condition
                                                        .reason()
                                                        .equals(
                                                                Reason.CHECKPOINT_NOT_FOUND
                                                                        .wire()));
    }

    private static Optional<JobSpec> jobOf(ObjectNode spec) {
        return FlinkSessionJobSpec.parse(spec, "spec").value().job();
    }

    /** Whether a FlinkDeployment is, or last was, a session cluster. */
    static boolean isSession(
            FlinkDeployment resource, Optional<LastReconciledSpec> lastReconciled) {
        return lastReconciled
                .map(before -> before.spec().job().isEmpty())
                .orElseGet(
                        () ->
                                resource.getSpec() != null
                                        && !resource.getSpec().path("job").isObject());
    }
}
