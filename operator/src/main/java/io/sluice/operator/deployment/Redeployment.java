// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.AttemptStatus.ReplacedJob;
import io.sluice.api.AttemptStatus.SeenCheckpoint;
import io.sluice.api.AttemptStatus.StartedWith;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobSpec;
import io.sluice.api.ReconciledSpec;
import io.sluice.operator.deployment.Pass.JobId;
import io.sluice.operator.manifest.StartFrom;
import io.sluice.rules.config.Options;
import java.util.List;
import java.util.Optional;

/**
 * A changed {@code spec.job.savepointRedeployNonce}: the job is started from the savepoint that the
 * user names, whatever its state may be. What is known of the job that makes way stays on record
 * until the new one has run, and so do its high-availability metadata: should the user go back to
 * the spec that ran before, that job goes on, and is not started from a path that it left behind
 * long ago.
 *
 * <pre>
 *   nonce changed ─▶ back to the last stable spec, from a redeployment that never ran?
 *                      ├── no ─▶ from spec.job.initialSavepointPath
 *                      └── yes ─▶ metadata of the job before? ─▶ from those
 *                                    └── none ─▶ a human is asked
 * </pre>
 */
final class Redeployment {
    private Redeployment() {}

    static StepResult decide(
            Snapshot snapshot, TakenUp before, FlinkDeploymentSpec spec, ReconciledSpec wanted) {
        Draft draft = Draft.of(snapshot.status());
        Pass pass = Upgrade.ofNewSpec(new Pass(snapshot, wanted, spec, draft, List.of()));
        return Removal.unconfirmable(pass, before)
                .orElseGet(
                        () ->
                                draft.attempt()
                                        .replaced()
                                        .filter(_ -> TakenUp.isStable(draft.reconciliation(), spec))
                                        .map(replaced -> revert(pass, before, replaced))
                                        .orElseGet(() -> redeploy(pass)));
    }

    private static StepResult redeploy(Pass pass) {
        String path = pass.spec().job().flatMap(JobSpec::initialSavepointPath).orElse("");
        Pass recorded =
                pass.with(pass.draft().with(pass.draft().attempt().replacing(replaced(pass))));
        return Upgrade.takeUp(recorded, new StartFrom.Savepoint(path));
    }

    /** The job that makes way; of several redeployments in a row the last that has run. */
    private static Optional<ReplacedJob> replaced(Pass pass) {
        Draft draft = pass.draft();
        return draft.attempt()
                .replaced()
                .or(
                        () ->
                                draft.job()
                                        .jobId()
                                        .filter(
                                                _ ->
                                                        draft.reconciliation()
                                                                .lastStableSpec()
                                                                .isPresent())
                                        .map(
                                                id ->
                                                        new ReplacedJob(
                                                                id,
                                                                draft.attempt().startedWith(),
                                                                KnownState.bestKnown(pass))));
    }

    /** The user undoes a redeployment that has not come about. */
    private static StepResult revert(Pass pass, TakenUp before, ReplacedJob replaced) {
        if (!isRecoverable(pass, replaced)) {
            return Objection.asking(
                    pass.snapshot(), before, Reason.REDEPLOYMENT_REVERTED, hint(replaced));
        }
        Draft draft = pass.draft().withJobId(replaced.jobId());
        Pass back =
                pass.with(
                        draft.with(
                                replaced.startedWith()
                                        .map(draft.attempt()::startedWith)
                                        .orElse(draft.attempt())
                                        .having(replaced.lastCheckpoint())
                                        .replacing(Optional.empty())));
        return Upgrade.takeUp(back, new StartFrom.LastState(), JobId.KEPT);
    }

    /** Whether this is how the decision ends what was begun when {@code before} was stored. */
    static boolean isUndone(FlinkDeploymentStatus before, Decision decision) {
        return before.attempt().replaced().isPresent()
                && decision.status().attempt().replaced().isEmpty();
    }

    private static boolean isRecoverable(Pass pass, ReplacedJob replaced) {
        boolean isSameFlink =
                replaced.startedWith()
                        .map(StartedWith::flinkVersion)
                        .filter(pass.version()::equals)
                        .isPresent();
        return isSameFlink
                && pass.snapshot().state().recoverable().contains(replaced.jobId())
                && new Options(pass.effective()).isHighlyAvailable();
    }

    private static String hint(ReplacedJob replaced) {
        return replaced.lastCheckpoint()
                .map(SeenCheckpoint::path)
                .map(path -> "The last state that is known of the job before is " + path + ".")
                .orElse("");
    }
}
