// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.JobState;
import io.sluice.operator.manifest.StartFrom;
import io.sluice.rules.config.Options;

/**
 * A run of a job that its JobManager has lost: without high availability a JobManager that restarts
 * begins the job anew, under the same id, from what it was first started with. The run on record
 * stays there, and with it what is known of its state, until a user has decided, or the job is
 * restarted from it as {@code kubernetes.operator.job.restart.lost-state} asks.
 */
final class LostRun {
    private static final String RESTARTS = "kubernetes.operator.job.restart.lost-state";

    private LostRun() {}

    /** The end of the run that is listed is not the end of the one on record. */
    static Decision decide(Pass pass, JobView.Seen seen) {
        Pass interrupted = Saving.interrupted(pass, true);
        Pass noticed =
                seen.state().isTerminal()
                        ? interrupted.with(
                                interrupted
                                        .draft()
                                        .with(JobState.RECONCILING, pass.snapshot().now()))
                        : interrupted.seeing(seen.state());
        boolean restarts = new Options(pass.effective()).flag(RESTARTS, false);
        return KnownState.bestKnown(pass)
                .filter(_ -> restarts && pass.isDesiredRunning())
                .map(known -> restart(noticed, known.path()))
                .orElseGet(
                        () ->
                                Objection.stuck(
                                        noticed, Reason.JOB_BEGAN_ANEW, KnownState.hint(pass)));
    }

    private static Decision restart(Pass pass, String path) {
        return Restart.of(
                pass,
                new StartFrom.Savepoint(path),
                Reason.RESTARTING_LOST_RUN,
                attempt ->
                        Note.warning(
                                "Job",
                                Reason.JOB_BEGAN_ANEW.wire(),
                                attempt,
                                "The JobManager restarted without the job's state; restarting the"
                                        + " job from "
                                        + path));
    }
}
