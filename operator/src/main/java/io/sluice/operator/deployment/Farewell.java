// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.JobState;
import io.sluice.api.StopStatus;
import io.sluice.operator.deployment.Target.Host;
import java.util.Optional;

/**
 * The former job of a session job's resource, before the next one is taken up: an application's is
 * removed with its cluster ({@link Dismissal}), this one has to be cancelled, and to have ended for
 * certain.
 */
final class Farewell {
    private Farewell() {}

    /** Empty once the former job has ended, and for everything that is no session job. */
    static Optional<Decision> of(Pass pass) {
        if (!pass.isSessionJob() || Hosted.neverRan(pass) || Ended.state(pass).isPresent()) {
            return Optional.empty();
        }
        if (pass.sessionJob().get().host().state() == Host.State.MISSING) {
            return Optional.empty();
        }
        return switch (pass.snapshot().job()) {
            case JobView.Seen seen when seen.state().isTerminal() -> Optional.empty();
            case JobView.Seen _ -> Optional.of(cancelling(pass));
            case JobView.NotListed _ -> unlisted(pass);
            case JobView.NotAsked _ -> Optional.of(waiting(pass, ""));
            case JobView.Unreachable(var message) -> Optional.of(waiting(pass, message));
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

    private static Optional<Decision> unlisted(Pass pass) {
        Pass missed = pass.with(pass.draft().with(JobState.RECONCILING, pass.snapshot().now()));
        return Observation.isGone(missed) ? Optional.empty() : Optional.of(waiting(missed, ""));
    }

    private static Decision waiting(Pass pass, String detail) {
        return pass.decided(Reason.WAITING_FOR_FORMER_JOB, detail, Optional.of(pass.soon()));
    }
}
