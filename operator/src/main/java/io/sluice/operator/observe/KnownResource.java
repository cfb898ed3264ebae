// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.DeploymentMode;
import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.StopStatus;
import io.sluice.manifest.StateOptions;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ReadinessDeadline;
import io.sluice.operator.model.SpecView;
import io.sluice.rules.config.Options;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of a resource before its JobManager is asked.
 *
 * @param found what the caches hold
 * @param lastReconciled the spec that was reconciled last
 * @param runs the spec that a cluster was made of
 * @param running the options that the cluster runs with
 * @param at where its JobManager answers
 */
record KnownResource(
        FlinkDeployment resource,
        ChildResources found,
        ClusterView cluster,
        FlinkDeploymentStatus status,
        Optional<LastReconciledSpec> lastReconciled,
        Optional<LastReconciledSpec> runs,
        SpecView spec,
        Map<String, Integer> overrides,
        Optional<AutoscalerOverrides.Hold> hold,
        Options running,
        Optional<Integer> taskManagers,
        URI at,
        Instant now) {
    boolean deleting() {
        return resource.getMetadata().getDeletionTimestamp() != null;
    }

    /** The job that its JobManager can be asked about. */
    Optional<String> jobId() {
        return status.jobStatus().jobId().filter(_ -> isAvailable());
    }

    /** The end that was asked for, of a job that can be asked about it. */
    Optional<StopStatus> stop() {
        return status.attempt()
                .stop()
                .filter(StopStatus::isUnderWay)
                .filter(_ -> jobId().isPresent());
    }

    boolean isStandalone() {
        return runs.filter(it -> it.spec().mode() == DeploymentMode.STANDALONE).isPresent();
    }

    boolean isAvailable() {
        return cluster.jobManager() instanceof JobManagerView.Present(_, _, var available, _)
                && available;
    }

    boolean mayCancel() {
        return StateReader.mayCancel(status, spec, running, mayRestart() || isLeftStanding(), now);
    }

    /** Whether another operator left the cluster of a job that is at rest on record. */
    private boolean isLeftStanding() {
        return cluster.jobManager() instanceof JobManagerView.Present(_, var attempt, _, _)
                && attempt.isEmpty()
                && lastReconciled
                        .flatMap(taken -> taken.spec().job())
                        .filter(job -> job.state() == DesiredJobState.SUSPENDED)
                        .isPresent();
    }

    /** Whether the reconciliation may come to start a job: then its state has to be known. */
    boolean mayRestart() {
        boolean stands = cluster.jobManager() instanceof JobManagerView.Present;
        boolean begins =
                lastReconciled.isPresent()
                        && (CacheRule.isChanged(lastReconciled, spec) || !stands || isUnderWay());
        return begins || ReadinessDeadline.hasPassed(status, running, now);
    }

    /** Then its state is where it was to be restored from: in the metadata, if anywhere. */
    boolean hasEndedBeforeItRan(JobView job) {
        return job instanceof JobView.Seen seen
                && seen.state().isTerminal()
                && status.jobStatus()
                        .upgradeSavepointPath()
                        .equals(Optional.of(StateOptions.LAST_STATE));
    }

    /** Whether an upgrade or a rollback is on record that has not come about. */
    boolean isUnderWay() {
        return CacheRule.isUnderWay(status, cluster);
    }
}
