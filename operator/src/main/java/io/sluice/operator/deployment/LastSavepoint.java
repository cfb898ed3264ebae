// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.JobState;
import io.sluice.api.StopStatus;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.operator.deployment.StateView.StopView;
import java.time.Duration;
import java.util.Optional;

/**
 * The savepoint that {@code kubernetes.operator.job.savepoint-on-deletion} asks for. It must not
 * keep a resource from being deleted for ever: after {@code
 * kubernetes.operator.resource.cleanup.timeout} the resource goes without, and an event says so.
 */
final class LastSavepoint {
    private static final Duration CLEANUP_TIMEOUT = Duration.ofMinutes(5);

    private LastSavepoint() {}

    /** Whether one is to be made; decided by the spec that was taken up. */
    static boolean isWanted(Pass pass) {
        return pass.running().flag("kubernetes.operator.job.savepoint-on-deletion", false)
                && pass.snapshot().takenUp().flatMap(before -> before.spec().job()).isPresent()
                && !pass.wasSuspended();
    }

    /** Empty once nothing has to be waited for. */
    static Optional<Decision> decide(Pass pass, JobManagerView.Present standing) {
        if (!isWanted(pass) || JobFacts.recordedEnd(pass).isPresent() || pass.neverRan(standing)) {
            return Optional.empty();
        }
        return Optional.of(
                pass.draft()
                        .attempt()
                        .stop()
                        .filter(stop -> stop.how() == StopStatus.How.SAVEPOINT)
                        .filter(StopStatus::isUnderWay)
                        .map(stop -> watched(pass, stop))
                        .orElseGet(() -> begin(pass)));
    }

    private static Decision begin(Pass pass) {
        String trigger =
                Attempt.trigger(
                        pass.snapshot().identity().uid(),
                        pass.snapshot().identity().generation(),
                        pass.attempt().orElse("") + "/deletion",
                        1);
        StopStatus stop =
                new StopStatus(
                        StopStatus.How.SAVEPOINT,
                        trigger,
                        pass.snapshot().identity().generation(),
                        1,
                        pass.snapshot().now(),
                        Optional.empty());
        return asking(pass, stop);
    }

    private static Decision asking(Pass pass, StopStatus stop) {
        return pass.with(pass.draft().with(pass.draft().attempt().stoppedBy(stop)))
                .decided(
                        Reason.DELETING,
                        "The job is being stopped with a savepoint first.",
                        Optional.of(pass.soon()),
                        Stops.effect(pass, stop));
    }

    private static Decision watched(Pass pass, StopStatus stop) {
        return switch (pass.snapshot().state().stop()) {
            case StopView.Told(SavepointStatus.Completed(var location)) -> done(pass, location);
            case StopView.Told(SavepointStatus.Failed(var message, var location)) ->
                    location.map(path -> done(pass, path))
                            .orElseGet(() -> failed(pass, stop, message));
            case StopView.Told(SavepointStatus.InProgress _) -> waiting(pass, stop, "");
            case StopView.Told(SavepointStatus.Unknown _) ->
                    isOver(pass, stop) ? givenUp(pass, "nobody knows of it") : asking(pass, stop);
            case StopView.Silent(var message, _) -> waiting(pass, stop, message);
            case StopView.NotAsked _ -> waiting(pass, stop, "");
        };
    }

    private static Decision waiting(Pass pass, StopStatus stop, String message) {
        return isOver(pass, stop)
                ? givenUp(pass, message)
                : pass.decided(
                        Reason.DELETING,
                        "The job is being stopped with a savepoint first.",
                        Optional.of(pass.soon()));
    }

    private static Decision failed(Pass pass, StopStatus stop, String message) {
        if (isOver(pass, stop) || stop.tries() >= Stops.MOST_TRIES) {
            return givenUp(pass, message);
        }
        int tries = stop.tries() + 1;
        String trigger =
                Attempt.trigger(
                        pass.snapshot().identity().uid(),
                        stop.generation(),
                        pass.attempt().orElse("") + "/deletion",
                        tries);
        return asking(
                pass,
                new StopStatus(
                        stop.how(),
                        trigger,
                        stop.generation(),
                        tries,
                        stop.at(),
                        Optional.empty()));
    }

    private static boolean isOver(Pass pass, StopStatus stop) {
        Duration limit =
                pass.running()
                        .duration("kubernetes.operator.resource.cleanup.timeout", CLEANUP_TIMEOUT);
        return pass.snapshot().now().isAfter(stop.at().plus(limit));
    }

    private static Decision done(Pass pass, String location) {
        return settled(
                pass.with(pass.draft().restorableFrom(Optional.of(location)))
                        .telling(
                                Note.normal(
                                        "Operator",
                                        "Savepoint",
                                        location,
                                        "Stopped before deletion with savepoint " + location)));
    }

    private static Decision givenUp(Pass pass, String message) {
        Pass told =
                pass.telling(
                        Note.warning(
                                "Operator",
                                "SavepointError",
                                "deletion",
                                "No savepoint could be made before deletion: "
                                        + message
                                        + "; retained checkpoints stay where they are"));
        return pass.isSessionJob() ? HostedDeletion.cancelling(told) : settled(told);
    }

    /** That the job has ended is on record, so that nothing is asked of it again. */
    private static Decision settled(Pass pass) {
        Draft draft =
                pass.draft()
                        .with(pass.draft().attempt().withoutStop())
                        .with(JobState.FINISHED, pass.snapshot().now());
        return pass.with(draft).decided(Reason.DELETING, pass.soon(), pass.removal());
    }
}
