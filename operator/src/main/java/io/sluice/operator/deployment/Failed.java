// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.JobState;
import io.sluice.operator.manifest.StartFrom;
import io.sluice.rules.config.Options;
import java.util.Optional;

/**
 * A job that failed for good, and that {@code kubernetes.operator.job.restart.failed} asks to start
 * again: from the state that its end put on record, and from nothing only where there was none to
 * keep. Finished and cancelled jobs stay as they are.
 */
final class Failed {
    private Failed() {}

    /** Empty if the job stays as it is. */
    static Optional<Decision> decide(Pass pass, JobState state) {
        boolean asked =
                state == JobState.FAILED
                        && pass.isDesiredRunning()
                        && (pass.discardsState() || !pass.isStateless())
                        && new Options(pass.effective())
                                .flag("kubernetes.operator.job.restart.failed", false);
        if (!asked) {
            return Optional.empty();
        }
        return switch (UpgradePlan.of(Standing.of(pass))) {
            case UpgradePlan.StartFresh _ -> Optional.of(restart(pass, new StartFrom.Nothing()));
            case UpgradePlan.Restore(var from) -> Optional.of(restart(pass, from));
            case UpgradePlan.AskHuman(var why) ->
                    Optional.of(Objection.stuck(pass, why, KnownState.hint(pass)));
            case UpgradePlan.Wait _, UpgradePlan.Stop _ -> Optional.empty();
        };
    }

    private static Decision restart(Pass pass, StartFrom from) {
        return Restart.of(
                pass,
                from,
                Reason.RESTARTING_FAILED_JOB,
                attempt ->
                        Note.warning(
                                "JobManagerDeployment",
                                "Submit",
                                attempt,
                                "Restarting the failed job " + StateText.of(pass, from)));
    }
}
