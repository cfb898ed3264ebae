// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.operator.decide.step.ClusterActions;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.JobFacts;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.StatusDraft;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.upgrade.FailedJobRestart;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.LifecycleOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A job that has ended. Its state is recorded before its end is, so that an end on record means
 * that the state is too; then a JobManager that could run the job again from nothing is removed: at
 * once where there is state to lose by that, as soon as its process is not the one that ran the job
 * where there is none. Any other is left for a while, with its log and its page.
 */
public final class EndedJob {

    private EndedJob() {}

    /** The JobManager lists the job as ended. One that failed is still to come back. */
    static Decision recordEnd(StepContext listed, JobState state) {
        StepContext context =
                state == JobState.FAILED ? listed : listed.withDraft(StatusDraft::uninterrupted);
        return switch (context.observed().state().last()) {
            case LastCheckpoints.Known(Checkpoints told) -> {
                Optional<String> path =
                        told.latest()
                                .map(
                                        last ->
                                                last.discarded()
                                                        ? RestorableState.DISCARDED
                                                        : last.path())
                                .or(() -> RestorableState.withoutCheckpoints(context));
                StepContext known = context.withDraft(draft -> draft.restorableFrom(path));
                yield afterRecordedEnd(known.withJobState(state), state);
            }
            case LastCheckpoints.NotAsked _ when context.discardsState() ->
                    recordEndWithoutState(context, state);
            case LastCheckpoints.Unread _ when context.discardsState() ->
                    recordEndWithoutState(context, state);
            case LastCheckpoints.NotAsked _ -> context.decide(Reason.STATE_UNREAD, context.soon());
            case LastCheckpoints.Unread(var message) ->
                    context.decide(Reason.STATE_UNREAD, message, Optional.of(context.soon()));
        };
    }

    /** The job came to its own end while it was being stopped. */
    public static Decision endedWhileBeingStopped(StepContext context) {
        return recordEnd(
                context.withDraft(draft -> draft.withStop(Optional.empty())), JobState.FINISHED);
    }

    /** A stateless job's state is wanted only if its mode changes after its end. */
    private static Decision recordEndWithoutState(StepContext context, JobState state) {
        return afterRecordedEnd(context.withJobState(state), state);
    }

    /** Whether what a JobManager still says of the job counts no more. */
    static boolean isSettled(StepContext context) {
        return JobFacts.recordedEnd(context).isPresent()
                && (!context.isStateless() || beginsAnew(context));
    }

    /**
     * Whether the process that ran the job is gone, and the next one runs, or would run, it again.
     */
    private static boolean beginsAnew(StepContext context) {
        if (context.leavesEnded()) {
            return false;
        }
        return JobFacts.isBack(context)
                || (context.cluster().jobManager() instanceof JobManagerView.Present standing
                        && !standing.available());
    }

    /** The end is on record. */
    static Decision afterRecordedEnd(StepContext context, JobState state) {
        if (!context.target().hasOwnJobManager()) {
            return JobObservation.whenEnded(
                    context, state, Optional.of(context.observed().polls().steady()));
        }
        boolean stands = context.cluster().jobManager() instanceof JobManagerView.Present;
        Optional<Decision> again = FailedJobRestart.decide(context, state);
        if (again.isPresent()) {
            return again.get();
        }
        Decision decision =
                JobObservation.whenEnded(
                        missingUnless(stands, context),
                        state,
                        wait(context),
                        stands ? new Action[0] : ClusterActions.removal(context));
        if (!stands || context.observed().now().isBefore(removal(context))) {
            return decision;
        }
        return JobObservation.whenEnded(
                context, state, Optional.of(context.soon()), ClusterActions.removal(context));
    }

    private static StepContext missingUnless(boolean stands, StepContext context) {
        return stands
                ? context
                : context.withDraft(
                        draft -> draft.withJobManager(JobManagerDeploymentState.MISSING));
    }

    private static Optional<Duration> wait(StepContext context) {
        return context.cluster().jobManager() instanceof JobManagerView.Absent
                ? Optional.empty()
                : Optional.of(context.observed().polls().steady());
    }

    private static Instant removal(StepContext context) {
        if (context.isStateless() ? beginsAnew(context) : !context.leavesEnded()) {
            return Instant.MIN;
        }
        Duration ttl = new Options(context.effective()).get(LifecycleOptions.SHUTDOWN_TTL);
        return context.draft().job().updateTime().orElse(context.observed().now()).plus(ttl);
    }
}
