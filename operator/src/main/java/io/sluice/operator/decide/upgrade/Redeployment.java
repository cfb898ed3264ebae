// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.status.AttemptStatus;
import io.sluice.api.status.AttemptStatus.ReplacedJob;
import io.sluice.api.status.AttemptStatus.SeenCheckpoint;
import io.sluice.api.status.AttemptStatus.StartedWith;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.step.ClusterRemoval;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.StatusDraft;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepContext.JobId;
import io.sluice.operator.decide.step.StepResult;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.Reason;
import io.sluice.rules.config.Options;
import java.util.Optional;

/**
 * A changed {@code spec.job.savepointRedeployNonce}: the job is started from the savepoint that the
 * user names, whatever its state may be. What is known of the job that makes way stays on record
 * until the new one has run, and so do its high-availability metadata: should the user go back to
 * the spec that ran before, that job goes on, and is not started from a path that it left behind
 * long ago.
 *
 * <pre>
 *   nonce changed ─▶ back to the nonce before a redeployment, while that had not run?
 *                      ├── no ─▶ from spec.job.initialSavepointPath
 *                      └── yes ─▶ has it run since, or are there no metadata of the job before?
 *                                    ├── no ─▶ from those
 *                                    └── yes ─▶ a human is asked
 * </pre>
 */
public final class Redeployment {
    private Redeployment() {}

    public static StepResult decide(SpecChange change) {
        LastReconciledSpec before = change.before();
        StatusDraft draft = change.context().draft();
        StepContext context = Upgrade.ofNewSpec(change.context());
        return ClusterRemoval.whenRemovalCannotBeConfirmed(context, before)
                .orElseGet(
                        () ->
                                draft.attempt()
                                        .replaced()
                                        .filter(replaced -> isBackTo(replaced, change.spec()))
                                        .map(
                                                replaced ->
                                                        revertToReplacedJob(
                                                                context, before, replaced))
                                        .orElseGet(() -> redeploy(context, before)));
    }

    /**
     * Whether the job of the redeployment on record has made state of its own. It has if the
     * operator has seen it run, or if the record names another path than the user did.
     */
    private static boolean hasRun(StatusDraft draft, LastReconciledSpec before) {
        return draft.reconciliation().isStable()
                || draft.job()
                        .upgradeSavepointPath()
                        .filter(path -> !Optional.of(path).equals(initialPath(before.spec())))
                        .isPresent();
    }

    /**
     * Whatever else has changed with the nonce: that of the spec before says which job is meant.
     */
    private static boolean isBackTo(ReplacedJob replaced, FlinkDeploymentSpec spec) {
        return replaced.redeployNonce().equals(spec.savepointRedeployNonce());
    }

    private static Optional<String> initialPath(FlinkDeploymentSpec spec) {
        return spec.job().flatMap(JobSpec::initialSavepointPath);
    }

    private static StepResult redeploy(StepContext context, LastReconciledSpec before) {
        String path = initialPath(context.spec()).orElse("");
        StepContext recorded =
                context.withDraft(
                        draft ->
                                draft.withAttempt(
                                        draft.attempt().withReplaced(replaced(context, before))));
        return Upgrade.startAttempt(recorded, new StartFrom.Savepoint(path));
    }

    /** The job that makes way; of several redeployments in a row the last that has run. */
    private static Optional<ReplacedJob> replaced(StepContext context, LastReconciledSpec before) {
        StatusDraft draft = context.draft();
        return draft.attempt()
                .replaced()
                .filter(_ -> !hasRun(draft, before))
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
                                                                RestorableState.bestKnown(context),
                                                                before.spec()
                                                                        .savepointRedeployNonce())));
    }

    /**
     * The user undoes a redeployment that had not come about. If its job has run since, the job
     * before is not restored in its place.
     */
    private static StepResult revertToReplacedJob(
            StepContext context, LastReconciledSpec before, ReplacedJob replaced) {
        if (hasRun(context.draft(), before) || !isRecoverable(context, replaced)) {
            return HeldChange.askHumanWithFormerSpec(
                    context.observed(), before, Reason.REDEPLOYMENT_REVERTED, hint(replaced));
        }
        StatusDraft draft = context.draft().withJobId(replaced.jobId());
        AttemptStatus attempt = draft.attempt();
        AttemptStatus former =
                attempt.with()
                        .startedWith(replaced.startedWith().or(attempt::startedWith))
                        .lastCheckpoint(replaced.lastCheckpoint())
                        .replaced(Optional.empty())
                        .build();
        return Upgrade.startAttempt(
                context.withDraft(draft.withAttempt(former)),
                new StartFrom.LastState(),
                JobId.KEPT);
    }

    /** Whether this is how the decision ends what was begun when {@code before} was stored. */
    static boolean isUndone(FlinkDeploymentStatus before, Decision decision) {
        return before.attempt().replaced().isPresent()
                && decision.status().attempt().replaced().isEmpty();
    }

    private static boolean isRecoverable(StepContext context, ReplacedJob replaced) {
        boolean isSameFlink =
                replaced.startedWith()
                        .map(StartedWith::flinkVersion)
                        .filter(context.version()::equals)
                        .isPresent();
        return isSameFlink
                && context.observed().state().recoverable().contains(replaced.jobId())
                && new Options(context.effective()).keepsMetadataInKubernetes();
    }

    private static String hint(ReplacedJob replaced) {
        return replaced.lastCheckpoint()
                .map(SeenCheckpoint::path)
                .map(path -> "The last state that is known of the job before is " + path + ".")
                .orElse("");
    }
}
