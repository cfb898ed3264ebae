// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.JobSpec;
import io.sluice.api.JobState;
import io.sluice.api.UpgradeMode;
import io.sluice.rules.config.Options;
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
final class Dismissal {
    /** How long a job may take to end. */
    static final Duration LIMIT = Duration.ofSeconds(20);

    /** How long after a job's end Flink may be busy with deleting its files. */
    static final Duration CLEAN_UP = Duration.ofSeconds(1);

    private Dismissal() {}

    /**
     * The removal of a cluster in whose place a job is started without state, now or later. That
     * one is stateless counts, whatever the one before was.
     */
    static Decision forFreshStart(Pass pass, Reason reason) {
        boolean isFresh =
                pass.snapshot().target() instanceof Target.Application
                        && pass.isStateless()
                        && pass.draft().job().upgradeSavepointPath().isEmpty();
        return isFresh ? decide(pass, reason) : removed(pass, reason);
    }

    /** The removal of a cluster with its resource. */
    static Decision forDeletion(Pass pass) {
        return pass.snapshot().target() instanceof Target.Application && mayBeCancelled(pass)
                ? decide(pass, Reason.DELETING)
                : removed(pass, Reason.DELETING);
    }

    /**
     * Where Flink is highly available, a job with state is not cancelled
     * (docs/contract/reconciler.md, section 11): what it has kept is kept until somebody deletes
     * it.
     */
    private static boolean mayBeCancelled(Pass pass) {
        Options running = pass.running();
        boolean isStateless =
                TakenUp.running(pass.snapshot().status())
                        .flatMap(before -> before.spec().job())
                        .map(JobSpec::upgradeMode)
                        .filter(mode -> mode == UpgradeMode.STATELESS)
                        .isPresent();
        return isStateless
                || !running.isHighlyAvailable()
                || running.flag(
                        "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled", false);
    }

    private static Decision decide(Pass pass, Reason reason) {
        if (JobFacts.recordedEnd(pass).isPresent() || !(job(pass) instanceof JobView.Seen seen)) {
            return removed(pass, reason);
        }
        Pass dismissing =
                seen.overview().id().equals(pass.jobId())
                        ? pass.with(pass.draft().with(JobState.CANCELLING, pass.snapshot().now()))
                        : pass;
        return isOver(dismissing, seen)
                ? removed(pass, reason)
                : dismissing.decided(reason, "", Optional.of(pass.briefly()), cancellation(seen));
    }

    /** While an attempt is on record that another's JobManager stands in the way of, that one's. */
    private static JobView job(Pass pass) {
        JobView former = pass.snapshot().run().former();
        return former instanceof JobView.NotAsked ? pass.snapshot().job() : former;
    }

    /** Since when it lasts is on record: the job's state changed with it. */
    private static boolean isOver(Pass pass, JobView.Seen seen) {
        Instant now = pass.snapshot().now();
        Instant since = pass.draft().job().updateTime().orElse(Instant.MIN);
        boolean isCleanedUp =
                seen.state().isTerminal()
                        && seen.overview()
                                .endTime()
                                .filter(end -> now.isBefore(end.plus(CLEAN_UP)))
                                .isEmpty();
        return isCleanedUp || !now.isBefore(since.plus(LIMIT));
    }

    /** Not again of a job that has heard it. */
    private static Action[] cancellation(JobView.Seen seen) {
        return seen.state().isTerminal() || seen.state() == JobState.CANCELLING
                ? new Action[0]
                : new Action[] {new Action.CancelJob(seen.overview().id())};
    }

    private static Decision removed(Pass pass, Reason reason) {
        return pass.decided(reason, pass.soon(), pass.removal());
    }
}
