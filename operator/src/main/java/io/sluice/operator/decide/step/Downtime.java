// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.Interruption;
import io.sluice.api.status.JobState;
import io.sluice.api.status.LastUpgrade;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ResourceEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Measures how long an upgrade keeps a job down: what {@link LastUpgrade} tells.
 *
 * <pre>
 *   runs ─▶ stop, or removal, about to be requested: {@link Interruption} recorded
 *             ├── all tasks of another attempt run ─▶ {@link LastUpgrade}, event, metric
 *             ├── the attempt fails, or is replaced or rolled back ─▶ still down, since then
 *             └── the stop fails, the job is suspended, comes to its end, or loses its state ─▶ no figure
 * </pre>
 *
 * Both ends are recorded with status writes that are made anyway, so that a figure costs no write,
 * and is the same whichever process of the operator comes to it. A job that did not run when its
 * spec was changed has no figure, as the upgrade has not taken it down; neither has a restart that
 * no change of the spec asks for.
 */
public final class Downtime {
    private Downtime() {}

    /**
     * The context of a decision that ends the job for another spec to run in its place. Called
     * before the draft says so.
     */
    public static StepContext begin(StepContext running) {
        boolean begins =
                running.draft().attempt().interruption().isEmpty()
                        && !running.observed().identity().deleting()
                        && running.isDesiredRunning()
                        && running.stopUnderWay().isEmpty()
                        && isUp(running);
        if (!begins) {
            return running;
        }
        UpgradeMode mode =
                running.spec().job().map(JobSpec::upgradeMode).orElse(UpgradeMode.STATELESS);
        var interruption = new Interruption(running.observed().now(), mode);
        return running.withDraft(
                draft ->
                        draft.withAttempt(
                                draft.attempt().withInterruption(Optional.of(interruption))));
    }

    /** Whether all tasks run, or ran when the operator last could tell. */
    private static boolean isUp(StepContext context) {
        boolean was =
                context.observed()
                        .status()
                        .jobStatus()
                        .state()
                        .equals(Optional.of(JobState.RUNNING));
        return switch (context.observed().job()) {
            case JobView.Seen seen -> seen.isUp() || (was && !seen.state().isTerminal());
            case JobView.Unreachable _ -> was;
            case JobView.NotAsked _, JobView.NotListed _ -> false;
        };
    }

    /**
     * All tasks of the job run. That there is an interruption on record then means that another
     * attempt came about: a stop that fails removes it.
     */
    public static StepContext end(StepContext running, JobView.Seen seen) {
        return running.draft()
                .attempt()
                .interruption()
                .map(interruption -> end(running, seen, interruption))
                .orElse(running);
    }

    private static StepContext end(
            StepContext running, JobView.Seen seen, Interruption interruption) {
        var last =
                new LastUpgrade(
                        running.draft().attempt().rolledBack()
                                ? LastUpgrade.Outcome.ROLLED_BACK
                                : LastUpgrade.Outcome.UPGRADED,
                        interruption.mode(),
                        interruption.since(),
                        began(interruption, seen, running.observed().now()));
        return running.withEvent(event(running, seen, last))
                .withDraft(draft -> draft.uninterrupted().withLastUpgrade(Optional.of(last)));
    }

    /**
     * When the last task began to run: of tasks that all run, Flink's last change of a task. The
     * JobManager's clock is another than the operator's, and an earlier Flink may not tell.
     */
    private static Instant began(Interruption interruption, JobView.Seen seen, Instant now) {
        Instant change = seen.overview().lastChange();
        return change.isBefore(interruption.since()) || change.isAfter(now) ? now : change;
    }

    private static ResourceEvent event(StepContext running, JobView.Seen seen, LastUpgrade last) {
        String what =
                switch (last.outcome()) {
                    case UPGRADED -> "The upgrade (" + last.mode().wire() + ")";
                    case ROLLED_BACK ->
                            "The upgrade ("
                                    + last.mode().wire()
                                    + ") was rolled back. It and the rollback";
                };
        return ResourceEvent.of(
                "Job",
                OperatorEvent.DOWNTIME,
                running.attempt().orElse(""),
                what
                        + " kept the job down for "
                        + LastUpgrade.text(last.downtime())
                        + parts(running, seen, last));
    }

    /**
     * Where the time went, if what is known of it is in order: clocks differ, and an attempt that
     * was replaced has left no times.
     */
    private static String parts(StepContext running, JobView.Seen seen, LastUpgrade last) {
        Instant created = seen.overview().startTime();
        Instant recorded =
                running.draft()
                        .reconciliation()
                        .reconciliationTimestamp()
                        .orElse(last.stopRequested());
        boolean isInOrder =
                Stream.of(
                                Duration.between(last.stopRequested(), recorded),
                                Duration.between(recorded, created),
                                Duration.between(created, last.running()))
                        .noneMatch(Duration::isNegative);
        return isInOrder
                ? ": "
                        + LastUpgrade.text(Duration.between(last.stopRequested(), recorded))
                        + " until the job's state was known, "
                        + LastUpgrade.text(Duration.between(recorded, created))
                        + " until Flink had the new job, "
                        + LastUpgrade.text(Duration.between(created, last.running()))
                        + " until all its tasks ran"
                : "";
    }
}
