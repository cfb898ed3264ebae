// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import io.sluice.api.status.JobState;
import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.running.SnapshotRequests;
import io.sluice.operator.decide.step.AttemptIds;
import io.sluice.operator.decide.step.ClusterActions;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.JobFacts;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.upgrade.StopRequests;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.StateView.StopView;
import io.sluice.rules.config.option.LifecycleOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * The savepoint that {@code kubernetes.operator.job.savepoint-on-deletion} asks for. It must not
 * keep a resource from being deleted for ever: after {@code
 * kubernetes.operator.resource.cleanup.timeout} the resource goes without, and an event says so.
 */
final class SavepointOnDeletion {
    private SavepointOnDeletion() {}

    /** Whether one is to be made; decided by the last reconciled spec. */
    static boolean isWanted(StepContext context) {
        return context.running().get(LifecycleOptions.SAVEPOINT_ON_DELETION)
                && context.observed()
                        .lastReconciled()
                        .flatMap(before -> before.spec().job())
                        .isPresent()
                && !context.wasSuspended();
    }

    /** Empty once nothing has to be waited for. */
    static Optional<Decision> decide(StepContext context, JobManagerView.Present standing) {
        if (!isWanted(context)
                || JobFacts.recordedEnd(context).isPresent()
                || context.neverRan(standing)) {
            return Optional.empty();
        }
        return Optional.of(
                context.draft()
                        .attempt()
                        .stop()
                        .filter(stop -> stop.how() == StopStatus.How.SAVEPOINT)
                        .filter(StopStatus::isUnderWay)
                        .map(stop -> watchStop(context, stop))
                        .orElseGet(() -> beginStop(context)));
    }

    private static Decision beginStop(StepContext context) {
        String trigger =
                AttemptIds.trigger(
                        context.observed().identity().uid(),
                        context.observed().identity().generation(),
                        context.attempt().orElse("") + "/deletion",
                        1);
        StopStatus stop =
                new StopStatus(
                        StopStatus.How.SAVEPOINT,
                        trigger,
                        context.observed().identity().generation(),
                        1,
                        context.observed().now(),
                        Optional.empty());
        return askForStop(context, stop);
    }

    private static Decision askForStop(StepContext context, StopStatus stop) {
        return context.withDraft(draft -> draft.withStop(Optional.of(stop)))
                .decide(
                        Reason.DELETING,
                        "The job is being stopped with a savepoint first.",
                        Optional.of(context.soon()),
                        StopRequests.action(context, stop));
    }

    private static Decision watchStop(StepContext context, StopStatus stop) {
        return switch (context.observed().state().stop()) {
            case StopView.Known(SavepointStatus.Completed(var location)) ->
                    removeClusterAfter(context, location);
            case StopView.Known(SavepointStatus.Failed(var message, var location)) ->
                    location.map(path -> endAfter(context, path))
                            .orElseGet(() -> afterFailure(context, stop, message));
            case StopView.Known(SavepointStatus.InProgress _) ->
                    waitForSavepoint(context, stop, "");
            case StopView.Known(SavepointStatus.Unknown _) ->
                    isOver(context, stop)
                            ? giveUp(context, "nobody knows of it")
                            : askForStop(context, stop);
            case StopView.Silent(var message, _) -> waitForSavepoint(context, stop, message);
            case StopView.NotAsked _ -> waitForSavepoint(context, stop, "");
        };
    }

    private static Decision waitForSavepoint(StepContext context, StopStatus stop, String message) {
        return isOver(context, stop)
                ? giveUp(context, message)
                : context.decide(
                        Reason.DELETING,
                        "The job is being stopped with a savepoint first.",
                        Optional.of(context.soon()));
    }

    private static Decision afterFailure(StepContext context, StopStatus stop, String message) {
        if (isOver(context, stop) || stop.tries() >= StopRequests.MOST_TRIES) {
            return giveUp(context, message);
        }
        int tries = stop.tries() + 1;
        String trigger =
                AttemptIds.trigger(
                        context.observed().identity().uid(),
                        stop.generation(),
                        context.attempt().orElse("") + "/deletion",
                        tries);
        return askForStop(
                context,
                new StopStatus(
                        stop.how(),
                        trigger,
                        stop.generation(),
                        tries,
                        stop.at(),
                        Optional.empty()));
    }

    private static boolean isOver(StepContext context, StopStatus stop) {
        Duration limit = context.running().get(LifecycleOptions.CLEANUP_TIMEOUT);
        return context.observed().now().isAfter(stop.at().plus(limit));
    }

    private static Decision removeClusterAfter(StepContext context, String location) {
        return withoutSavepoint(withSavepoint(context, location));
    }

    /**
     * Once the savepoint is written, the stop may fail all the same, and the job runs on. A
     * cluster's removal ends it; on a cluster that stays it has to be cancelled.
     */
    private static Decision endAfter(StepContext context, String location) {
        return end(withSavepoint(context, location));
    }

    private static StepContext withSavepoint(StepContext context, String location) {
        return SnapshotRequests.withSavepointOfStop(context, location)
                .withDraft(draft -> draft.restorableFrom(Optional.of(location)))
                .withEvent(
                        ResourceEvent.of(
                                "Operator",
                                OperatorEvent.SAVEPOINT,
                                location,
                                "Stopped before deletion with savepoint " + location));
    }

    private static Decision giveUp(StepContext context, String message) {
        StepContext told =
                context.withEvent(
                        ResourceEvent.of(
                                "Operator",
                                OperatorEvent.SAVEPOINT_ERROR,
                                "deletion",
                                "No savepoint could be made before deletion: "
                                        + message
                                        + "; retained checkpoints stay where they are"));
        return end(told);
    }

    private static Decision end(StepContext context) {
        return context.target().hasOwnJobManager()
                ? withoutSavepoint(context)
                : SessionJobDeletion.cancel(context);
    }

    /** That the job has ended is on record, so that nothing is asked of it again. */
    private static Decision withoutSavepoint(StepContext context) {
        return context.withDraft(
                        draft ->
                                draft.withStop(Optional.empty())
                                        .withJobState(JobState.FINISHED, context.observed().now()))
                .decide(Reason.DELETING, context.soon(), ClusterActions.removal(context));
    }
}
