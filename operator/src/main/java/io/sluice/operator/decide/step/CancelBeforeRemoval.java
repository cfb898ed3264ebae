// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.JobState;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Target;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.LifecycleOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An application's job that nothing is to be started from, before its cluster is removed: it is
 * cancelled, so that Flink deletes what it keeps of it. Nothing hangs on that. What comes next is
 * on record already; a job that does not end, or can't be asked, does not hold it up.
 *
 * <pre>
 *   listed, lives ─▶ cancelled, looked at again ─▶ ended, or {@link #LIMIT} is over ─▶ removed
 *   no JobManager that lists it ──────────────────────────────────────────────────────▲
 * </pre>
 */
public final class CancelBeforeRemoval {
    /** How long a job may take to end. */
    public static final Duration LIMIT = Duration.ofSeconds(20);

    /** How long after a job's end Flink may be busy with deleting its files. */
    static final Duration CLEAN_UP = Duration.ofSeconds(1);

    private CancelBeforeRemoval() {}

    /**
     * The removal of a cluster in whose place a job is started without state, now or later. That
     * one is stateless counts, whatever the one before was.
     */
    public static Decision beforeFreshStart(StepContext context, Reason reason) {
        boolean isFresh =
                context.target() instanceof Target.Application
                        && context.isStateless()
                        && context.draft().job().upgradeSavepointPath().isEmpty();
        return isFresh ? decide(context, reason) : removeCluster(context, reason);
    }

    /** The removal of a cluster with its resource. */
    public static Decision beforeDeletion(StepContext context) {
        return context.target() instanceof Target.Application && mayBeCancelled(context)
                ? decide(context, Reason.DELETING)
                : removeCluster(context, Reason.DELETING);
    }

    /**
     * Where Flink is highly available, a job with state is not cancelled
     * (docs/contract/reconciler.md, section 11): what it has kept is kept until somebody deletes
     * it.
     */
    private static boolean mayBeCancelled(StepContext context) {
        Options running = context.running();
        boolean isStateless =
                LastReconciledSpec.running(context.observed().status())
                        .flatMap(before -> before.spec().job())
                        .map(JobSpec::upgradeMode)
                        .filter(mode -> mode == UpgradeMode.STATELESS)
                        .isPresent();
        return isStateless
                || !running.keepsMetadataInKubernetes()
                || running.get(LifecycleOptions.LAST_STATE_BY_CANCEL);
    }

    private static Decision decide(StepContext context, Reason reason) {
        if (JobFacts.recordedEnd(context).isPresent()
                || !(job(context) instanceof JobView.Seen seen)) {
            return removeCluster(context, reason);
        }
        StepContext dismissing =
                seen.overview().id().equals(context.jobId())
                        ? context.withDraft(
                                draft ->
                                        draft.withJobState(
                                                JobState.CANCELLING, context.observed().now()))
                        : context;
        return isOver(dismissing, seen)
                ? removeCluster(context, reason)
                : dismissing.decide(
                        reason, "", Optional.of(untilOver(dismissing, seen)), cancellation(seen));
    }

    /** While an attempt is on record that another's JobManager stands in the way of, that one's. */
    private static JobView job(StepContext context) {
        JobView former = context.observed().run().former();
        return former instanceof JobView.NotAsked ? context.observed().job() : former;
    }

    private static boolean isOver(StepContext context, JobView.Seen seen) {
        Instant now = context.observed().now();
        boolean isCleanedUp =
                seen.state().isTerminal()
                        && seen.overview()
                                .endTime()
                                .filter(end -> now.isBefore(end.plus(CLEAN_UP)))
                                .isEmpty();
        return isCleanedUp || !now.isBefore(since(context).plus(LIMIT));
    }

    /** The end is by the clock of the JobManager, which may be ahead. */
    private static Duration untilOver(StepContext context, JobView.Seen seen) {
        return seen.overview()
                .endTime()
                .map(end -> Duration.between(context.observed().now(), end.plus(CLEAN_UP)))
                .map(left -> left.compareTo(CLEAN_UP) < 0 ? left : CLEAN_UP)
                .filter(Duration::isPositive)
                .orElseGet(() -> context.untilStopped(since(context)));
    }

    /** Since when it lasts is on record: the job's state changed with it. */
    private static Instant since(StepContext context) {
        return context.draft().job().updateTime().orElse(Instant.MIN);
    }

    /** Cancels the job, unless it was cancelled already or has ended. */
    private static Action[] cancellation(JobView.Seen seen) {
        return seen.state().isTerminal() || seen.state() == JobState.CANCELLING
                ? new Action[0]
                : new Action[] {new Action.CancelJob(seen.overview().id())};
    }

    private static Decision removeCluster(StepContext context, Reason reason) {
        return context.decide(reason, context.soon(), ClusterActions.removal(context));
    }
}
