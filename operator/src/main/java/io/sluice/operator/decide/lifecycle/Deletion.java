// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import io.sluice.operator.decide.step.CancelBeforeRemoval;
import io.sluice.operator.decide.step.ClusterOwnership;
import io.sluice.operator.decide.step.ClusterRemoval;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.FormerSpec;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.StatusDraft;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.upgrade.SessionClusterGuard;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.AttemptHistory;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.Target;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The end of a resource. What is left in Kubernetes is all that can hold it up: no spec, version or
 * JobManager can be broken enough to keep it from ending. A last savepoint, where one is asked for,
 * has a limited time, and so has the cancellation of what runs. What is not the resource's own is
 * not touched ({@link ClusterOwnership}).
 */
public final class Deletion {
    private Deletion() {}

    public static Decision decide(ObservedState observed) {
        StepContext context = HeldChange.contextWithoutSpec(observed);
        if (observed.target() instanceof Target.SessionJob job) {
            return SessionJobDeletion.decide(FormerSpec.of(observed).orElse(context), job);
        }
        Optional<Decision> blocked = SessionClusterGuard.blockDeletion(context);
        if (blocked.isPresent()) {
            return blocked.get();
        }
        if (!ClusterOwnership.hadCluster(context)) {
            return ClusterOwnership.mayBeGoing(context)
                    ? ClusterRemoval.awaitRemoval(context, Reason.DELETING)
                    : releaseWithoutCluster(context);
        }
        return removeCluster(
                AttemptHistory.neverBegan(observed.status())
                        ? context.withDraft(StatusDraft::deployed)
                        : context);
    }

    /**
     * Removes the cluster. The status says that there was one: once that is gone, nothing else
     * does.
     */
    private static Decision removeCluster(StepContext context) {
        ObservedState observed = context.observed();
        if (observed.cluster().isGone()) {
            return release(context);
        }
        return switch (observed.cluster().jobManager()) {
            case JobManagerView.Present standing ->
                    SavepointOnDeletion.decide(context, standing)
                            .orElseGet(() -> CancelBeforeRemoval.beforeDeletion(context));
            case JobManagerView.Terminating _, JobManagerView.Absent _ ->
                    ClusterRemoval.awaitRemoval(context, Reason.DELETING);
        };
    }

    /** Whatever there is of its name is another's: a hand-run cluster, an earlier job's state. */
    private static Decision releaseWithoutCluster(StepContext context) {
        String left = left(context.observed());
        return context.withEvent(
                        ResourceEvent.of(
                                "Operator",
                                OperatorEvent.CLEANUP,
                                "Cleanup",
                                left.isEmpty()
                                        ? "Cleaned up: nothing was started for the resource"
                                        : "Released: nothing was started for the resource. "
                                                + left))
                .decide(
                        Reason.DELETED,
                        left,
                        Optional.empty(),
                        new Action.ReleaseUnbegun(context.draft().job().jobId()));
    }

    private static String left(ObservedState observed) {
        Optional<String> cluster =
                Optional.of(ClusterOwnership.foreign(observed))
                        .filter(_ -> !observed.cluster().isGone())
                        .map(foreign -> foreign + "; they are left as they are.");
        String jobs =
                observed.state().recoverable().stream()
                        .filter(
                                id ->
                                        !observed.status()
                                                .jobStatus()
                                                .jobId()
                                                .equals(Optional.of(id)))
                        .sorted()
                        .collect(Collectors.joining(", "));
        Optional<String> metadata =
                Optional.of(jobs)
                        .filter(ids -> !ids.isEmpty())
                        .map(
                                ids ->
                                        "High-availability ConfigMaps name checkpoints of jobs that"
                                                + " were not started for it, and are left: "
                                                + ids
                                                + ".");
        return Stream.of(cluster, metadata)
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" "));
    }

    static Decision release(StepContext context) {
        return context.withEvent(
                        ResourceEvent.of(
                                "Operator",
                                OperatorEvent.CLEANUP,
                                "Cleanup",
                                "Cleaned up: nothing is left of the resource"))
                .decide(Reason.DELETED, "", Optional.empty(), new Action.ReleaseResource());
    }
}
