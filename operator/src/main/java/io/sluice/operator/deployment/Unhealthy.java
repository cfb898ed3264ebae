// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.operator.manifest.StartFrom;
import java.util.Optional;

/**
 * A job that runs and does not get on: it is started again, where that costs no state
 * (docs/contract/reconciler.md, section 10: stateless, or with its last state in high-availability
 * metadata).
 */
final class Unhealthy {
    private Unhealthy() {}

    /** What is observed of the job, unless it is to be started again. */
    static Decision decide(Pass pass) {
        Optional<String> finding = finding(pass);
        if (finding.isEmpty()) {
            return Observation.decide(pass);
        }
        return source(pass)
                .map(from -> restart(pass, from, finding.get()))
                .orElseGet(
                        () ->
                                Objection.saying(
                                        Observation.decide(
                                                pass.telling(
                                                        note(
                                                                pass,
                                                                pass.attempt().orElse(""),
                                                                Reason.JOB_UNHEALTHY.text()
                                                                        + " "
                                                                        + finding.get()))),
                                        Reason.JOB_UNHEALTHY,
                                        finding.get(),
                                        pass.snapshot()));
    }

    private static Optional<String> finding(Pass pass) {
        return pass.snapshot().job() instanceof JobView.Seen(var state, _) && !state.isTerminal()
                ? pass.snapshot().health().flatMap(ClusterHealth::finding)
                : Optional.empty();
    }

    private static Optional<StartFrom> source(Pass pass) {
        if (pass.discardsState()) {
            return Optional.of(new StartFrom.Nothing());
        }
        return Standing.of(pass).recoverable()
                ? Optional.of(new StartFrom.LastState())
                : Optional.empty();
    }

    private static Decision restart(Pass pass, StartFrom from, String finding) {
        Decision decision =
                Restart.of(
                        pass,
                        from,
                        Reason.RESTARTING_UNHEALTHY_JOB,
                        attempt ->
                                note(
                                        pass,
                                        attempt,
                                        "Restarting the unhealthy job "
                                                + StateText.of(pass, from)
                                                + ": "
                                                + finding));
        return Objection.saying(
                decision, Reason.RESTARTING_UNHEALTHY_JOB, finding, pass.snapshot());
    }

    private static Note note(Pass pass, String key, String message) {
        return Note.warning("Job", "RestartUnhealthyJob", pass.jobId() + "/" + key, message);
    }
}
