// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.JobState;
import io.sluice.api.StopStatus;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.operator.deployment.Target.Host;
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
final class HostedDeletion {
    private static final Duration CLEANUP_TIMEOUT = Duration.ofMinutes(5);

    /** How long a {@code main()} may take of which nobody hears any more. */
    private static final Duration MAIN = Duration.ofMinutes(2);

    private HostedDeletion() {}

    static Decision decide(Pass pass, Target.SessionJob job) {
        if (isOver(pass, job.host())) {
            return Deletion.released(pass);
        }
        if (!job.host().isReady()) {
            return waiting(pass, "FlinkDeployment '" + job.host().name() + "' is not ready.");
        }
        return switch (pass.snapshot().job()) {
            case JobView.NotAsked _ -> waiting(pass, "The JobManager was not asked.");
            case JobView.Unreachable(var message, _) -> waiting(pass, message);
            case JobView.NotListed _ -> unlisted(pass, job);
            case JobView.Seen seen when seen.state().isTerminal() -> Deletion.released(pass);
            case JobView.Seen _ -> ending(pass);
        };
    }

    /**
     * No job can be left of it, or its cluster takes it along. A cluster that has a JobManager and
     * is not ready may run it all the same.
     */
    private static boolean isOver(Pass pass, Host host) {
        boolean gone =
                host.state() == Host.State.MISSING
                        || (host.deleting() && !host.blocking())
                        || (host.state() == Host.State.DOWN && !host.highlyAvailable());
        return gone
                || (JobFacts.neverRan(pass) && !isUntold(pass))
                || pass.jobId().isEmpty()
                || JobFacts.recordedEnd(pass).isPresent();
    }

    /** Another operator may have submitted the job, and its cluster has not said. */
    private static boolean isUntold(Pass pass) {
        boolean told =
                switch (pass.snapshot().job()) {
                    case JobView.Seen _, JobView.NotListed _ -> true;
                    case JobView.NotAsked _, JobView.Unreachable _ -> false;
                };
        return !told && AttemptHistory.isUnrecorded(pass.snapshot().status());
    }

    private static Decision ending(Pass pass) {
        if (cancellation(pass).isPresent()) {
            return cancelling(pass);
        }
        var standing = new JobManagerView.Present("", pass.attempt(), true, true);
        return LastSavepoint.decide(pass, standing).orElseGet(() -> cancelling(pass));
    }

    static Decision cancelling(Pass pass) {
        StopStatus stop = cancellation(pass).orElseGet(() -> next(pass));
        if (isOverdue(pass, stop)) {
            return givenUp(pass, "its cancellation does not end");
        }
        return recorded(pass, stop, JobState.CANCELLING)
                .decided(
                        Reason.DELETING,
                        "The job is being cancelled.",
                        Optional.of(pass.soon()),
                        new Action.CancelJob(pass.jobId()));
    }

    /**
     * Not there, and it may yet turn up: it was asked for a moment ago, or is being recovered with
     * its JobManager.
     */
    private static Decision unlisted(Pass pass, Target.SessionJob job) {
        boolean inDoubt = JobFacts.isInDoubt(pass.snapshot()) || JobFacts.isMissed(pass);
        boolean mayTurnUp = inDoubt || job.host().highlyAvailable();
        Duration patience = inDoubt ? MAIN : Hosted.TURNING_UP;
        StopStatus stop = cancellation(pass).orElseGet(() -> next(pass));
        Pass noted = recorded(pass, stop, JobState.INITIALIZING);
        boolean young = pass.snapshot().now().isBefore(unlistedSince(noted, stop).plus(patience));
        boolean running = job.submission().isUnderWay();
        if (!mayTurnUp || (!young && !running)) {
            return Deletion.released(pass);
        }
        return isOverdue(pass, stop)
                ? givenUp(pass, "it may yet turn up")
                : noted.decided(
                        Reason.DELETING,
                        "The job may yet turn up on its cluster.",
                        Optional.of(pass.soon()));
    }

    /** A JobManager that was silent, or that listed the job, has as long again to recover it. */
    private static Instant unlistedSince(Pass noted, StopStatus stop) {
        return Stream.concat(Stream.of(stop.at()), noted.draft().job().updateTime().stream())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static Decision waiting(Pass pass, String why) {
        StopStatus stop = cancellation(pass).orElseGet(() -> next(pass));
        return isOverdue(pass, stop)
                ? givenUp(pass, why)
                : recorded(pass, stop, JobState.RECONCILING)
                        .decided(Reason.DELETING, why, Optional.of(pass.soon()));
    }

    private static Decision givenUp(Pass pass, String why) {
        return Deletion.released(
                pass.telling(
                        Note.warning(
                                "Operator",
                                "CleanupFailed",
                                "deletion",
                                "The job "
                                        + pass.jobId()
                                        + " could not be cancelled and may run on: "
                                        + why)));
    }

    private static Pass recorded(Pass pass, StopStatus stop, JobState state) {
        return pass.with(
                pass.draft()
                        .with(pass.draft().attempt().stoppedBy(stop))
                        .with(state, pass.snapshot().now()));
    }

    /** The cancellation for the deletion, once it is on record. */
    private static Optional<StopStatus> cancellation(Pass pass) {
        String trigger = next(pass).triggerId();
        return pass.stopUnderWay().filter(stop -> stop.triggerId().equals(trigger));
    }

    private static StopStatus next(Pass pass) {
        return Farewell.cancel(pass, "/deletion");
    }

    private static boolean isOverdue(Pass pass, StopStatus stop) {
        return pass.snapshot().now().isAfter(stop.at().plus(limit(pass)));
    }

    /** How long a job is waited for of which nobody knows whether it is there. */
    static Duration limit(Pass pass) {
        return pass.running()
                .duration("kubernetes.operator.resource.cleanup.timeout", CLEANUP_TIMEOUT);
    }
}
