// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.operator.model.AttemptHistory;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ReadinessDeadline;
import io.sluice.operator.model.SpecView;
import io.sluice.rules.config.Options;
import io.sluice.rules.diff.SpecDiff;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * When what the caches hold is enough to decide by. A cache that is late must not start a second
 * cluster, release a resource too early, take a cluster for another's, or a job for one that never
 * ran; nor does it say whose a cluster is. While a JobManager starts and nobody wants anything
 * else, nothing of that can come of a reconciliation, and there are many: each pod that changes
 * makes one.
 */
public final class CacheRule {
    private CacheRule() {}

    /**
     * Whether nothing has to be asked of the API server.
     *
     * @param seen by the caches
     * @param recorded the attempt that the status names
     * @param read reads the status; like all that is read, only of what starts
     * @param spec what is wanted, of a resource that was reconciled before
     * @param running the effective configuration of what runs
     */
    public static boolean isEnough(
            ClusterView seen,
            Optional<String> recorded,
            Supplier<FlinkDeploymentStatus> read,
            boolean deleting,
            Function<Optional<LastReconciledSpec>, SpecView> spec,
            Function<Optional<LastReconciledSpec>, Options> running,
            Instant now) {
        boolean isOfAttempt =
                seen.jobManager() instanceof JobManagerView.Present(_, var named, _, _)
                        && named.isPresent()
                        && named.equals(recorded);
        if (seen.isGone()
                || ((deleting || !isOfAttempt) && AttemptHistory.neverBegan(read.get()))) {
            return false;
        }
        if (seen.jobManager() instanceof JobManagerView.Present(_, var attempt, _, var everUp)
                && everUp
                && (attempt.isEmpty() || attempt.equals(recorded))) {
            return true;
        }
        FlinkDeploymentStatus status = read.get();
        Optional<LastReconciledSpec> lastReconciled =
                LastReconciledSpec.from(status.reconciliationStatus());
        boolean changes =
                isChanged(lastReconciled, spec.apply(lastReconciled))
                        || ReadinessDeadline.hasPassed(
                                status, running.apply(LastReconciledSpec.running(status)), now);
        return switch (seen.jobManager()) {
            case JobManagerView.Present(_, var attempt, _, var everUp) when !everUp ->
                    !deleting
                            && lastReconciled.isPresent()
                            && attempt.isPresent()
                            && attempt.equals(recorded)
                            && !changes
                            && !isUnderWay(status, seen);
            case JobManagerView.Present _, JobManagerView.Terminating _, JobManagerView.Absent _ ->
                    deleting || !changes;
        };
    }

    static boolean isChanged(Optional<LastReconciledSpec> lastReconciled, SpecView spec) {
        return lastReconciled.isPresent()
                && spec.changes(lastReconciled.get().spec(), SpecDiff.Effect.SCALE);
    }

    /** An upgrade is over once the Deployment of its attempt exists. */
    static boolean isUnderWay(FlinkDeploymentStatus status, ClusterView cluster) {
        boolean stands =
                cluster.jobManager() instanceof JobManagerView.Present(_, var attempt, _, _)
                        && attempt.isPresent()
                        && attempt.equals(status.attempt().id())
                        && status.attempt().stop().isEmpty();
        return switch (status.reconciliationStatus().state()) {
            case UPGRADING -> !stands;
            case ROLLING_BACK -> true;
            case DEPLOYED, ROLLED_BACK -> false;
        };
    }
}
