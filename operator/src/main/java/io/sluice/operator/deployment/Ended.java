// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.JobManagerDeploymentState;
import io.sluice.api.JobState;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.operator.deployment.StateView.LastCheckpoints;
import io.sluice.rules.config.Options;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A job that has ended. Its state is recorded before its end is, so that an end on record means
 * that the state is too; then a JobManager that could run the job again from nothing is removed: at
 * once where there is state to lose by that, as soon as its process is not the one that ran the job
 * where there is none. Any other is left for a while, with its log and its page.
 */
final class Ended {
    private static final Duration DEFAULT_TTL = Duration.ofDays(1);

    private Ended() {}

    /** The JobManager lists the job as ended. */
    static Decision seen(Pass pass, JobState state) {
        return switch (pass.snapshot().state().last()) {
            case LastCheckpoints.Told(Checkpoints told) -> {
                Optional<String> path =
                        told.latest()
                                .map(last -> last.discarded() ? KnownState.DISCARDED : last.path())
                                .or(() -> KnownState.withoutCheckpoints(pass));
                Pass known = pass.with(pass.draft().restorableFrom(path));
                yield recorded(known.seeing(state), state);
            }
            case LastCheckpoints.NotAsked _ when pass.discardsState() -> untold(pass, state);
            case LastCheckpoints.Unread _ when pass.discardsState() -> untold(pass, state);
            case LastCheckpoints.NotAsked _ -> pass.decided(Reason.STATE_UNREAD, pass.soon());
            case LastCheckpoints.Unread(var message) ->
                    pass.decided(Reason.STATE_UNREAD, message, Optional.of(pass.soon()));
        };
    }

    /** The job came to its own end while it was being stopped. */
    static Decision ofStopped(Pass pass) {
        return seen(
                pass.with(pass.draft().with(pass.draft().attempt().withoutStop())),
                JobState.FINISHED);
    }

    /** A stateless job's state is wanted only if its mode changes after its end. */
    private static Decision untold(Pass pass, JobState state) {
        return recorded(pass.seeing(state), state);
    }

    /** Whether what a JobManager still says of the job counts no more. */
    static boolean isSettled(Pass pass) {
        return JobFacts.recordedEnd(pass).isPresent() && (!pass.isStateless() || beginsAnew(pass));
    }

    /**
     * Whether the process that ran the job is gone, and the next one runs, or would run, it again.
     */
    private static boolean beginsAnew(Pass pass) {
        if (pass.leavesEnded()) {
            return false;
        }
        return JobFacts.isBack(pass)
                || (pass.cluster().jobManager() instanceof JobManagerView.Present standing
                        && !standing.available());
    }

    /** The end is on record. */
    static Decision recorded(Pass pass, JobState state) {
        if (pass.isSessionJob()) {
            return Observation.terminal(pass, state, Optional.of(pass.snapshot().polls().steady()));
        }
        boolean stands = pass.cluster().jobManager() instanceof JobManagerView.Present;
        Optional<Decision> again = Failed.decide(pass, state);
        if (again.isPresent()) {
            return again.get();
        }
        Decision decision =
                Observation.terminal(
                        missingUnless(stands, pass),
                        state,
                        wait(pass),
                        stands ? new Action[0] : pass.removal());
        if (!stands || pass.snapshot().now().isBefore(removal(pass))) {
            return decision;
        }
        return Observation.terminal(pass, state, Optional.of(pass.soon()), pass.removal());
    }

    private static Pass missingUnless(boolean stands, Pass pass) {
        return stands ? pass : pass.with(pass.draft().with(JobManagerDeploymentState.MISSING));
    }

    private static Optional<Duration> wait(Pass pass) {
        return pass.cluster().jobManager() instanceof JobManagerView.Absent
                ? Optional.empty()
                : Optional.of(pass.snapshot().polls().steady());
    }

    private static Instant removal(Pass pass) {
        if (pass.isStateless() ? beginsAnew(pass) : !pass.leavesEnded()) {
            return Instant.MIN;
        }
        Duration ttl =
                new Options(pass.effective())
                        .duration("kubernetes.operator.jm-deployment.shutdown-ttl", DEFAULT_TTL);
        return pass.draft().job().updateTime().orElse(pass.snapshot().now()).plus(ttl);
    }
}
