// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.AttemptStatus;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.operator.model.AttemptHistory;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Target;

/**
 * What of a name is a resource's own. A name alone says nothing: a cluster, or Flink's metadata of
 * a job, may have been there before the resource was. An attempt is on record before anything is
 * made for it, and whatever is made belongs to the resource, by whichever operator.
 *
 * <pre>
 *   never taken up, at rest from the start ─┐
 *   first attempt recorded, not seen yet ───┴─▶ only what names its attempt, or belongs to it
 *   an attempt has come about ────────────────▶ all of its name
 * </pre>
 */
public final class ClusterOwnership {
    private ClusterOwnership() {}

    /** Whether a cluster was made for the resource, now or ever. */
    public static boolean hadCluster(StepContext context) {
        return !AttemptHistory.neverBegan(context.observed().status()) || stands(context);
    }

    /**
     * Whether something was taken up that the status does not say any more: it was cut or removed
     * by hand, by a tool, or by a restore. Called while the status says of no spec that it was
     * taken up. That stays so when the cluster is gone, until somebody removes the rest of the
     * status: the path that the spec names may have been there since long before.
     */
    public static boolean isOfLostStatus(ObservedState observed, FlinkDeploymentSpec spec) {
        return isEvident(observed) || (isProbable(observed) && mayNeedState(spec));
    }

    /** The same while the spec is invalid, and says nothing. */
    static boolean isOfLostStatus(ObservedState observed) {
        return isEvident(observed) || isProbable(observed);
    }

    /** What was taken up still stands, or is on record and can't be read. */
    private static boolean isEvident(ObservedState observed) {
        return isUnreadable(observed) || hasCluster(observed);
    }

    private static boolean isProbable(ObservedState observed) {
        return isTold(observed) || hasState(observed);
    }

    /** Whether what is left of the status tells of a job that had state. */
    private static boolean hasState(ObservedState observed) {
        FlinkDeploymentStatus status = observed.status();
        AttemptStatus attempt = status.attempt();
        return status.jobStatus().upgradeSavepointPath().isPresent()
                || RestorableState.mayHaveRun(StatusDraft.of(status))
                || (attempt.id().isPresent() && !attempt.startsEmpty());
    }

    private static boolean isUnreadable(ObservedState observed) {
        return observed.status().reconciliationStatus().lastReconciledSpec().isPresent();
    }

    private static boolean hasCluster(ObservedState observed) {
        return observed.cluster().owners().contains(observed.identity().uid())
                && !(observed.target() instanceof Target.SessionJob);
    }

    private static boolean isTold(ObservedState observed) {
        return observed.status()
                .condition("Ready")
                .filter(ready -> ready.reason().equals(Reason.STATUS_LOST.wire()))
                .isPresent();
    }

    /** A stateless job that is at rest starts nothing, and may be stateful when it is resumed. */
    private static boolean mayNeedState(FlinkDeploymentSpec spec) {
        return spec.job()
                .filter(
                        job ->
                                job.upgradeMode() != UpgradeMode.STATELESS
                                        || job.state() == DesiredJobState.SUSPENDED)
                .isPresent();
    }

    /** Whether the JobManager's Deployment that stands was made for the resource. */
    private static boolean stands(StepContext context) {
        boolean isOfAttempt =
                context.cluster().jobManager() instanceof JobManagerView.Present standing
                        && standing.isOf(context.attempt());
        return isOfAttempt
                || context.cluster().owners().contains(context.observed().identity().uid());
    }

    /**
     * Whether the JobManager's Deployment that stands may be somebody else's, made after the first
     * attempt was recorded: it is left alone.
     */
    public static boolean isForeign(StepContext context) {
        return !(context.cluster().jobManager() instanceof JobManagerView.Absent)
                && AttemptHistory.neverBegan(context.observed().status())
                && !stands(context);
    }

    /**
     * Whether pods are on their way out that may be an attempt's whose Deployment somebody has
     * deleted already. A refused attempt made none, and one that runs on is another's.
     */
    public static boolean mayBeGoing(StepContext context) {
        ClusterView cluster = context.cluster();
        boolean stands = cluster.jobManager() instanceof JobManagerView.Present;
        boolean runsOn = cluster.remnant().filter(it -> !it.overdue()).isPresent();
        return context.attempt().isPresent()
                && context.observed().refusal().isEmpty()
                && !stands
                && !runsOn
                && cluster.pods() > 0
                && cluster.strays().isEmpty();
    }

    /** What there is to say of a cluster that stands and is not the resource's. */
    public static String foreign(ObservedState observed) {
        return "Deployment or pods of cluster '"
                + observed.identity().name()
                + "' exist that were not made for it";
    }

    /** The same where something waits for its removal, and what to do. */
    public static String foreignInTheWay(ObservedState observed) {
        return foreign(observed)
                + ". Nothing is started until they are deleted. If nobody needs them: kubectl delete"
                + " deployment "
                + observed.identity().name()
                + " -n "
                + observed.identity().namespace();
    }
}
