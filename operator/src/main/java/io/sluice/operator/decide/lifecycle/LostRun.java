// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import io.sluice.api.status.JobState;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.running.StateTriggers;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.StatusDraft;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.upgrade.NewAttempt;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.LifecycleOptions;

/**
 * A run of a job that its JobManager has lost: without high availability a JobManager that restarts
 * begins the job anew, under the same id, from what it was first started with. The run on record
 * stays there, and with it what is known of its state, until a user has decided, or the job is
 * restarted from it as {@code kubernetes.operator.job.restart.lost-state} asks.
 */
final class LostRun {
    private LostRun() {}

    /** The end of the run that is listed is not the end of the one on record. */
    static Decision decide(StepContext context, JobView.Seen seen) {
        StepContext interrupted = StateTriggers.withInterruptedTriggers(context, true);
        StepContext noticed =
                seen.state().isTerminal()
                        ? interrupted.withDraft(
                                draft ->
                                        draft.withJobState(
                                                JobState.RECONCILING, context.observed().now()))
                        : interrupted.withJobState(seen.state());
        boolean restarts =
                new Options(context.effective()).get(LifecycleOptions.RESTART_LOST_STATE);
        return RestorableState.bestKnown(context)
                .filter(_ -> restarts && context.isDesiredRunning())
                .map(known -> restartFrom(noticed, known.path()))
                .orElseGet(
                        () ->
                                HeldChange.askHuman(
                                        noticed.withDraft(StatusDraft::uninterrupted),
                                        Reason.STATE_LOST,
                                        RestorableState.whereStateMayBe(context)));
    }

    private static Decision restartFrom(StepContext context, String path) {
        return NewAttempt.record(
                context,
                new StartFrom.Savepoint(path),
                Reason.RESTARTING_LOST_RUN,
                attempt ->
                        ResourceEvent.warning(
                                "Job",
                                Reason.STATE_LOST,
                                attempt,
                                "The JobManager restarted without the job's state; restarting the"
                                        + " job from "
                                        + path));
    }
}
