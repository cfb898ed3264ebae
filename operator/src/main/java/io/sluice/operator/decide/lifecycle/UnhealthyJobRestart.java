// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.RestorableStateText;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.upgrade.NewAttempt;
import io.sluice.operator.decide.upgrade.UpgradeSituations;
import io.sluice.operator.model.ClusterHealth;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.util.Optional;

/**
 * A job that runs and does not get on: it is started again, where that costs no state
 * (docs/contract/reconciler.md, section 10: stateless, or with its last state in high-availability
 * metadata).
 */
final class UnhealthyJobRestart {
    private UnhealthyJobRestart() {}

    /** What is observed of the job, unless it is to be started again. */
    static Decision decide(StepContext context) {
        Optional<String> finding = finding(context);
        if (finding.isEmpty()) {
            return JobObservation.decide(context);
        }
        return source(context)
                .map(from -> restart(context, from, finding.get()))
                .orElseGet(
                        () ->
                                HeldChange.withReason(
                                        JobObservation.decide(
                                                context.withEvent(
                                                        note(
                                                                context,
                                                                context.attempt().orElse(""),
                                                                Reason.JOB_UNHEALTHY.text()
                                                                        + " "
                                                                        + finding.get()))),
                                        Reason.JOB_UNHEALTHY,
                                        finding.get(),
                                        context.observed()));
    }

    private static Optional<String> finding(StepContext context) {
        return context.observed().job() instanceof JobView.Seen(var state, _) && !state.isTerminal()
                ? context.observed().health().flatMap(ClusterHealth::finding)
                : Optional.empty();
    }

    private static Optional<StartFrom> source(StepContext context) {
        if (context.discardsState()) {
            return Optional.of(new StartFrom.Nothing());
        }
        return UpgradeSituations.of(context).recoverable()
                ? Optional.of(new StartFrom.LastState())
                : Optional.empty();
    }

    private static Decision restart(StepContext context, StartFrom from, String finding) {
        Decision decision =
                NewAttempt.record(
                        context,
                        from,
                        Reason.RESTARTING_UNHEALTHY_JOB,
                        attempt ->
                                note(
                                        context,
                                        attempt,
                                        "Restarting the unhealthy job "
                                                + RestorableStateText.describe(context, from)
                                                + ": "
                                                + finding));
        return HeldChange.withReason(
                decision, Reason.RESTARTING_UNHEALTHY_JOB, finding, context.observed());
    }

    private static ResourceEvent note(StepContext context, String key, String message) {
        return ResourceEvent.of(
                "Job", OperatorEvent.RESTART_UNHEALTHY_JOB, context.jobId() + "/" + key, message);
    }
}
