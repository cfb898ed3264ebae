// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.JobState;
import io.sluice.api.StopStatus;
import io.sluice.operator.deployment.StateView.Retention;
import io.sluice.operator.deployment.Target.Host;
import io.sluice.operator.manifest.StartFrom;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The former job of a session job's resource, before the next one is taken up: an application's is
 * removed with its cluster ({@link Dismissal}), this one has to be cancelled, and to have ended for
 * certain.
 */
final class Farewell {
    /** Flink can be told to put them into no folder of the job. */
    private static final Pattern CHECKPOINT = Pattern.compile("(?:/([0-9a-f]{32}))?/chk-\\d+/?$");

    private Farewell() {}

    /**
     * Empty once the former job has ended, and for everything that is no session job.
     *
     * @param from what the next one is to start from
     */
    static Optional<StepResult> of(Pass pass, StartFrom from) {
        if (!pass.isSessionJob() || JobFacts.neverRan(pass) || JobFacts.recordedEnd(pass).isPresent()) {
            return Optional.empty();
        }
        if (pass.sessionJob().get().host().state() == Host.State.MISSING) {
            return Optional.empty();
        }
        return switch (pass.snapshot().job()) {
            case JobView.Seen seen when seen.state().isTerminal() -> Optional.empty();
            case JobView.Seen seen ->
                    Optional.of(
                            seen.isUncancelled() && isOwnCheckpoint(pass, from)
                                    ? sparing(pass)
                                    : cancelling(pass));
            case JobView.NotListed _ -> unlisted(pass);
            case JobView.NotAsked _ -> Optional.of(waiting(pass, ""));
            case JobView.Unreachable(var message, _) -> Optional.of(waiting(pass, message));
        };
    }

    /** Whether the former job made what the next one is to start from, and may delete it. */
    private static boolean isOwnCheckpoint(Pass pass, StartFrom from) {
        if (!(from instanceof StartFrom.Savepoint(var path))) {
            return false;
        }
        Matcher matcher = CHECKPOINT.matcher(path);
        return matcher.find()
                && Optional.ofNullable(matcher.group(1))
                        .filter(other -> !other.equals(pass.jobId()))
                        .isEmpty();
    }

    /** A human has named a checkpoint of the job that runs. */
    private static StepResult sparing(Pass pass) {
        Snapshot snapshot = pass.snapshot();
        TakenUp before = snapshot.takenUp().orElseThrow();
        Retention retention = snapshot.state().retention();
        return switch (retention) {
            case Retention.NotAsked _, Retention.Unread _ ->
                    Objection.waiting(snapshot, before, Reason.STATE_UNREAD, retention.doubt());
            case Retention.Told(var told) ->
                    switch (told) {
                        case RETAINED, NO_CHECKPOINTS -> cancelling(pass);
                        case DELETED ->
                                Objection.asking(
                                        snapshot,
                                        before,
                                        Reason.CHECKPOINTS_NOT_RETAINED,
                                        "spec.job.initialSavepointPath names one of them.");
                    };
        };
    }

    private static Decision cancelling(Pass pass) {
        return pass.stopUnderWay()
                .filter(stop -> stop.how() == StopStatus.How.CANCEL)
                .map(stop -> Stopping.again(pass, stop))
                .orElseGet(() -> Stopping.begin(pass, cancel(pass, "")));
    }

    /** A cancellation; the same whenever the same pass is repeated. */
    static StopStatus cancel(Pass pass, String occasion) {
        var identity = pass.snapshot().identity();
        String trigger =
                Attempt.trigger(
                        identity.uid(),
                        identity.generation(),
                        pass.attempt().orElse("") + occasion + "/cancel",
                        1);
        return new StopStatus(
                StopStatus.How.CANCEL,
                trigger,
                identity.generation(),
                1,
                pass.snapshot().now(),
                Optional.empty());
    }

    private static Optional<StepResult> unlisted(Pass pass) {
        Pass missed = pass.with(pass.draft().with(JobState.RECONCILING, pass.snapshot().now()));
        return JobFacts.isGone(missed) ? Optional.empty() : Optional.of(waiting(missed, ""));
    }

    private static Decision waiting(Pass pass, String detail) {
        return pass.decided(Reason.WAITING_FOR_FORMER_JOB, detail, Optional.of(pass.soon()));
    }
}
