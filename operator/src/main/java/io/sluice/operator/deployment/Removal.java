// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.operator.deployment.ClusterView.Remnant;
import java.util.Optional;
import java.util.stream.Stream;

/** A cluster's Deployment is on its way out: nothing follows before all of the cluster is gone. */
final class Removal {
    private Removal() {}

    /**
     * TaskManagers that were left alone do not go by themselves, and are deleted.
     *
     * @param why it was removed; what is said as long as nothing is overdue
     */
    static Decision awaited(Pass pass, Reason why) {
        return awaited(
                pass, why, pass.cluster().remnant().map(Remnant::text).orElse(""), pass.removal());
    }

    /** Of a cluster that is not the resource's: nothing of it is touched. */
    static Decision awaited(Pass pass, Reason why, String detail) {
        return awaited(pass, why, detail, new Action[0]);
    }

    /**
     * The decision, with the next step of a removal that has begun: whatever is decided besides, it
     * is carried on.
     */
    static Decision carriedOn(Snapshot snapshot, Decision decision) {
        boolean isWaitedFor =
                snapshot.cluster().jobManager() instanceof JobManagerView.Terminating(var next)
                        && next.isPresent()
                        && decision.actions().stream().noneMatch(Removal::isOfCluster);
        return isWaitedFor ? withNextStep(snapshot, decision) : decision;
    }

    private static Decision withNextStep(Snapshot snapshot, Decision decision) {
        Pass pass =
                snapshot.takenUp()
                        .map(before -> FormerSpec.of(snapshot, before))
                        .orElseGet(() -> Objection.pass(snapshot));
        return new Decision(
                decision.reason(),
                decision.detail(),
                decision.status(),
                Stream.concat(decision.actions().stream(), Stream.of(pass.removal())).toList(),
                decision.notes(),
                decision.checkAgain());
    }

    private static boolean isOfCluster(Action action) {
        return action instanceof Action.DeleteCluster || action instanceof Action.StopJobManager;
    }

    /**
     * An upgrade that would take down what runs, and could not confirm that it is gone, waits.
     * Empty if nothing is in the way, or nothing runs: then there is nothing to be kept running.
     */
    static Optional<StepResult> unconfirmable(Pass pass, TakenUp before) {
        boolean takesDown = pass.isDesiredRunning() && !pass.isUpgrading() && runs(pass);
        return pass.cluster()
                .podFacts()
                .obstacle()
                .filter(_ -> takesDown)
                .map(
                        obstacle ->
                                Objection.asking(
                                        pass.snapshot(),
                                        before,
                                        Reason.WAITING_FOR_LOST_POD,
                                        obstacle.text()));
    }

    /** The job, or the session cluster, which need have no job to be of use. */
    private static boolean runs(Pass pass) {
        return switch (pass.snapshot().target()) {
            case Target.Application _ ->
                    pass.snapshot().job() instanceof JobView.Seen seen && seen.isUp();
            case Target.SessionCluster(_, var jobs, _) -> jobs instanceof Target.Jobs.Listed;
            case Target.SessionJob _ -> false;
        };
    }

    private static Decision awaited(Pass pass, Reason why, String detail, Action[] actions) {
        return pass.cluster()
                .remnant()
                .filter(Remnant::overdue)
                .map(remnant -> overdue(pass, remnant, actions))
                .orElseGet(() -> pass.decided(why, detail, Optional.of(pass.soon()), actions));
    }

    private static Decision overdue(Pass pass, Remnant remnant, Action[] actions) {
        return pass.telling(
                        Note.warning(
                                "Operator",
                                "CleanupFailed",
                                "RemovalOverdue",
                                Reason.REMOVAL_OVERDUE.text() + " " + remnant.text()))
                .decided(Reason.REMOVAL_OVERDUE, remnant.text(), Optional.of(pass.soon()), actions);
    }
}
