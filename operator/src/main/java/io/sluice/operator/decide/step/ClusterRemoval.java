// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.operator.model.Action;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.ClusterView.Remnant;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.Target;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Waits while a cluster's Deployment is being removed: nothing follows before all of the cluster is
 * gone.
 */
public final class ClusterRemoval {
    private ClusterRemoval() {}

    /**
     * TaskManagers that were left alone do not go by themselves, and are deleted.
     *
     * @param why it was removed; what is said as long as nothing is overdue
     */
    public static Decision awaitRemoval(StepContext context, Reason why) {
        return awaitRemoval(
                context,
                why,
                context.cluster().remnant().map(Remnant::text).orElse(""),
                ClusterActions.removal(context));
    }

    /** Waits for the removal of a cluster that is not the resource's, and changes nothing of it. */
    public static Decision awaitRemoval(StepContext context, Reason why, String detail) {
        return awaitRemoval(context, why, detail, new Action[0]);
    }

    /**
     * The decision, with the next step of a removal that has begun: whatever is decided besides, it
     * is carried on.
     */
    public static Decision withNextRemovalStep(ObservedState observed, Decision decision) {
        boolean isWaitedFor =
                observed.cluster().jobManager() instanceof JobManagerView.Terminating(var next)
                        && next.isPresent()
                        && decision.actions().stream().noneMatch(ClusterRemoval::isOfCluster);
        return isWaitedFor ? withNextStep(observed, decision) : decision;
    }

    private static Decision withNextStep(ObservedState observed, Decision decision) {
        StepContext context =
                FormerSpec.of(observed).orElseGet(() -> HeldChange.contextWithoutSpec(observed));
        return decision.withActions(
                Stream.concat(
                                decision.actions().stream(),
                                Stream.of(ClusterActions.removal(context)))
                        .toList());
    }

    private static boolean isOfCluster(Action action) {
        return action instanceof Action.DeleteCluster || action instanceof Action.StopJobManager;
    }

    /**
     * An upgrade that would take down what runs, and could not confirm that it is gone, waits.
     * Empty if nothing is in the way, or nothing runs: then there is nothing to be kept running.
     */
    public static Optional<StepResult> whenRemovalCannotBeConfirmed(
            StepContext context, LastReconciledSpec before) {
        boolean takesDown = context.isDesiredRunning() && !context.isUpgrading() && runs(context);
        return context.cluster()
                .podFacts()
                .obstacle()
                .filter(_ -> takesDown)
                .map(
                        obstacle ->
                                HeldChange.askHumanWithFormerSpec(
                                        context.observed(),
                                        before,
                                        Reason.WAITING_FOR_LOST_POD,
                                        obstacle.text()));
    }

    /** The job, or the session cluster, which need have no job to be of use. */
    private static boolean runs(StepContext context) {
        return switch (context.target()) {
            case Target.Application _ ->
                    context.observed().job() instanceof JobView.Seen seen && seen.isUp();
            case Target.SessionCluster(_, var jobs, _) -> jobs instanceof Target.Jobs.Listed;
            case Target.SessionJob _ -> false;
        };
    }

    private static Decision awaitRemoval(
            StepContext context, Reason why, String detail, Action[] actions) {
        return context.cluster()
                .remnant()
                .filter(Remnant::overdue)
                .map(remnant -> reportOverdueRemoval(context, remnant, actions))
                .orElseGet(() -> context.decide(why, detail, Optional.of(context.soon()), actions));
    }

    private static Decision reportOverdueRemoval(
            StepContext context, Remnant remnant, Action[] actions) {
        return context.withEvent(
                        ResourceEvent.of(
                                "Operator",
                                OperatorEvent.CLEANUP_FAILED,
                                "RemovalOverdue",
                                Reason.REMOVAL_OVERDUE.text() + " " + remnant.text()))
                .decide(
                        Reason.REMOVAL_OVERDUE,
                        remnant.text(),
                        Optional.of(context.soon()),
                        actions);
    }
}
