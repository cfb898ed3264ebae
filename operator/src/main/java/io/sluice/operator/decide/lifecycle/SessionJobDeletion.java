// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import io.sluice.api.status.JobState;
import io.sluice.api.status.StopStatus;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.JobFacts;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.upgrade.FormerJobCancellation;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.AttemptHistory;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.SessionClusterView;
import io.sluice.rules.config.option.LifecycleOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The end of a session job: its job is cancelled, with a savepoint if one is asked for. A cluster
 * that does not answer holds it up no longer than {@code
 * kubernetes.operator.resource.cleanup.timeout}.
 */
final class SessionJobDeletion {

    /** How long a {@code main()} may take of which nobody hears any more. */
    private static final Duration MAIN = Duration.ofMinutes(2);

    private SessionJobDeletion() {}

    static Decision decide(StepContext context, Target.SessionJob job) {
        if (isOver(context, job.cluster())) {
            return Deletion.release(context);
        }
        if (!job.cluster().isReady()) {
            return waitForEnd(
                    context, "FlinkDeployment '" + job.cluster().name() + "' is not ready.");
        }
        return switch (context.observed().job()) {
            case JobView.NotAsked _ -> waitForEnd(context, "The JobManager was not asked.");
            case JobView.Unreachable(var message, _) -> waitForEnd(context, message);
            case JobView.NotListed _ -> whenNotListed(context, job);
            case JobView.Seen seen when seen.state().isTerminal() -> Deletion.release(context);
            case JobView.Seen _ -> endJob(context);
        };
    }

    /**
     * No job can be left of it, or its cluster takes it along. A cluster that has a JobManager and
     * is not ready may run it all the same.
     */
    private static boolean isOver(StepContext context, SessionClusterView cluster) {
        boolean gone =
                cluster.state() == SessionClusterView.State.MISSING
                        || (cluster.deleting() && !cluster.blocking())
                        || (cluster.state() == SessionClusterView.State.DOWN
                                && !cluster.highlyAvailable());
        return gone
                || (JobFacts.neverRan(context) && !isUntold(context))
                || context.jobId().isEmpty()
                || JobFacts.recordedEnd(context).isPresent();
    }

    /** Another operator may have submitted the job, and its cluster has not said. */
    private static boolean isUntold(StepContext context) {
        boolean told =
                switch (context.observed().job()) {
                    case JobView.Seen _, JobView.NotListed _ -> true;
                    case JobView.NotAsked _, JobView.Unreachable _ -> false;
                };
        return !told && AttemptHistory.isUnrecorded(context.observed().status());
    }

    private static Decision endJob(StepContext context) {
        if (cancellation(context).isPresent()) {
            return cancel(context);
        }
        var standing = new JobManagerView.Present("", context.attempt(), true, true);
        return SavepointOnDeletion.decide(context, standing).orElseGet(() -> cancel(context));
    }

    static Decision cancel(StepContext context) {
        StopStatus stop =
                cancellation(context)
                        .or(() -> waiting(context).map(since -> next(context, since.at())))
                        .orElseGet(() -> next(context));
        if (isOverdue(context, stop)) {
            return giveUp(context, "its cancellation does not end");
        }
        return recorded(context, stop, JobState.CANCELLING)
                .decide(
                        Reason.DELETING,
                        "The job is being cancelled.",
                        Optional.of(context.soon()),
                        new Action.CancelJob(context.jobId()));
    }

    /**
     * Not there, and it may yet turn up: it was asked for a moment ago, or is being recovered with
     * its JobManager.
     */
    private static Decision whenNotListed(StepContext context, Target.SessionJob job) {
        boolean inDoubt = JobFacts.isInDoubt(context.observed()) || JobFacts.isMissed(context);
        boolean mayTurnUp = inDoubt || job.cluster().highlyAvailable();
        Duration patience = inDoubt ? MAIN : SessionJobLifecycle.TURNING_UP;
        StopStatus stop = begun(context);
        StepContext noted = recorded(context, stop, JobState.INITIALIZING);
        boolean young =
                context.observed().now().isBefore(unlistedSince(noted, stop).plus(patience));
        boolean running = job.submission().isUnderWay();
        if (!mayTurnUp || (!young && !running)) {
            return Deletion.release(context);
        }
        return isOverdue(context, stop)
                ? giveUp(context, "it may yet turn up")
                : noted.decide(
                        Reason.DELETING,
                        "The job may yet turn up on its cluster.",
                        Optional.of(context.soon()));
    }

    /** A JobManager that was silent, or that listed the job, has as long again to recover it. */
    private static Instant unlistedSince(StepContext noted, StopStatus stop) {
        return Stream.concat(Stream.of(stop.at()), noted.draft().job().updateTime().stream())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static Decision waitForEnd(StepContext context, String why) {
        StopStatus stop = begun(context);
        return isOverdue(context, stop)
                ? giveUp(context, why)
                : recorded(context, stop, JobState.RECONCILING)
                        .decide(Reason.DELETING, why, Optional.of(context.soon()));
    }

    private static Decision giveUp(StepContext context, String why) {
        return Deletion.release(
                context.withEvent(
                        ResourceEvent.of(
                                "Operator",
                                OperatorEvent.CLEANUP_FAILED,
                                "deletion",
                                "The job "
                                        + context.jobId()
                                        + " could not be cancelled and may run on: "
                                        + why)));
    }

    private static StepContext recorded(StepContext context, StopStatus stop, JobState state) {
        return context.withDraft(
                draft ->
                        draft.withStop(Optional.of(stop))
                                .withJobState(state, context.observed().now()));
    }

    /**
     * Returns the stop that the deletion has recorded, or else a record of when it began to wait. A
     * job whose JobManager is silent is asked for its savepoint once the JobManager answers again.
     */
    private static StopStatus begun(StepContext context) {
        return context.stopUnderWay()
                .filter(stop -> stop.how() == StopStatus.How.SAVEPOINT)
                .filter(_ -> SavepointOnDeletion.isWanted(context))
                .or(() -> cancellation(context))
                .or(() -> waiting(context))
                .orElseGet(() -> newWait(context));
    }

    /** The cancellation for the deletion, once it is on record. */
    private static Optional<StopStatus> cancellation(StepContext context) {
        return onRecord(context, next(context));
    }

    private static StopStatus next(StepContext context) {
        return FormerJobCancellation.newCancellation(context, "/deletion");
    }

    private static StopStatus next(StepContext context, Instant at) {
        StopStatus stop = next(context);
        return new StopStatus(
                stop.how(), stop.triggerId(), stop.generation(), stop.tries(), at, stop.failure());
    }

    /** Since when the deletion waits for a JobManager that has not been asked for anything yet. */
    private static Optional<StopStatus> waiting(StepContext context) {
        return onRecord(context, newWait(context));
    }

    private static StopStatus newWait(StepContext context) {
        return FormerJobCancellation.newCancellation(context, "/deletion/wait");
    }

    private static Optional<StopStatus> onRecord(StepContext context, StopStatus stop) {
        return context.stopUnderWay().filter(it -> it.triggerId().equals(stop.triggerId()));
    }

    private static boolean isOverdue(StepContext context, StopStatus stop) {
        return context.observed().now().isAfter(stop.at().plus(limit(context)));
    }

    /** How long a job is waited for of which nobody knows whether it is there. */
    static Duration limit(StepContext context) {
        return context.running().get(LifecycleOptions.CLEANUP_TIMEOUT);
    }
}
