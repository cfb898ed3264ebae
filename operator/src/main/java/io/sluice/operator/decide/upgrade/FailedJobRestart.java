// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.status.JobState;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.RestorableStateText;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.LifecycleOptions;
import java.util.Optional;

/**
 * A job that failed for good, and that {@code kubernetes.operator.job.restart.failed} asks to start
 * again: from the state that its end put on record, and from nothing only where there was none to
 * keep. Finished and cancelled jobs stay as they are.
 */
public final class FailedJobRestart {
    private FailedJobRestart() {}

    /** Empty if the job stays as it is. */
    public static Optional<Decision> decide(StepContext context, JobState state) {
        boolean asked =
                state == JobState.FAILED
                        && context.isDesiredRunning()
                        && (context.discardsState() || !context.isStateless())
                        && new Options(context.effective()).get(LifecycleOptions.RESTART_FAILED);
        if (!asked) {
            return Optional.empty();
        }
        return switch (UpgradePlan.of(UpgradeSituations.of(context))) {
            case UpgradePlan.StartFresh _ ->
                    Optional.of(restartFrom(context, new StartFrom.Nothing()));
            case UpgradePlan.Restore(var from) -> Optional.of(restartFrom(context, from));
            case UpgradePlan.AskHuman(var why) ->
                    Optional.of(
                            HeldChange.askHuman(
                                    context, why, RestorableState.whereStateMayBe(context)));
            case UpgradePlan.Wait _, UpgradePlan.Stop _ -> Optional.empty();
        };
    }

    private static Decision restartFrom(StepContext context, StartFrom from) {
        return NewAttempt.record(
                context,
                from,
                Reason.RESTARTING_FAILED_JOB,
                attempt ->
                        ResourceEvent.of(
                                "JobManagerDeployment",
                                OperatorEvent.FAILED_JOB_SUBMIT,
                                attempt,
                                "Restarting the failed job "
                                        + RestorableStateText.describe(context, from)));
    }
}
