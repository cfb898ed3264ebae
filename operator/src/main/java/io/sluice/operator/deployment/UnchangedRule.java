// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.spec.StateKind;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobLog;
import io.sluice.api.status.ReconciliationState;
import io.sluice.operator.decide.lifecycle.MissingServices;
import io.sluice.operator.decide.running.TriggerSchedule;
import io.sluice.operator.decide.step.FormerSpec;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.ClusterHealth;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.RunView;
import io.sluice.operator.model.ScalingView;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.Jobs;
import io.sluice.operator.observe.JobManagerAnswer;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.rules.config.Options;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides whether a reconciliation would do nothing again, and for how long, as long as nothing
 * that it read changes. What it does because of the time alone is known beforehand.
 */
public final class UnchangedRule {
    /** Then a silent JobManager has a reconciliation of its own again. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private UnchangedRule() {}

    /**
     * For how long; empty if the reconciliation after this one may do something.
     *
     * @param reason what a reconciliation over {@code snapshot} ended with, without changing the
     *     status
     * @param memory of what was looked at closely; what could not be read then has to be read yet
     */
    public static Optional<Duration> of(
            ObservedState observed, Reason reason, ObservationMemory memory) {
        boolean isSettled =
                !observed.identity().deleting()
                        && !(observed.target() instanceof Target.SessionJob)
                        && isScaled(observed)
                        && isAtRest(observed.status())
                        && isNoNews(observed, reason, memory);
        return isSettled
                ? FormerSpec.of(observed)
                        .flatMap(context -> of(context, untilNews(observed, memory)))
                : Optional.empty();
    }

    /** Nothing is wanted of its vertices, or what is wanted is on record with what it runs with. */
    private static boolean isScaled(ObservedState observed) {
        return switch (observed.scaling()) {
            case ScalingView.NotAsked _ -> observed.overrides().isEmpty();
            case ScalingView.ByRestart _ -> true;
            case ScalingView.Unavailable _, ScalingView.TaskManagers _, ScalingView.Known _ ->
                    false;
        };
    }

    /** What runs does so as it should, or its JobManager does not answer. */
    private static boolean isNoNews(
            ObservedState observed, Reason reason, ObservationMemory memory) {
        return switch (JobManagerAnswer.in(observed)) {
            case JobManagerAnswer.OfJob(_, JobView.Seen seen) ->
                    reason == Reason.JOB_RUNNING && seen.isUp() && isRead(observed, memory);
            case JobManagerAnswer.OfJob(_, JobView.Unreachable(_, var noAnswer)) ->
                    noAnswer.isToldBy(reason, Reason.JOB_UNREACHABLE);
            case JobManagerAnswer.OfCluster(Jobs.Listed _) ->
                    reason == Reason.SESSION_CLUSTER_READY && isRead(observed, memory);
            case JobManagerAnswer.OfCluster(Jobs.Silent(_, var noAnswer)) ->
                    noAnswer.isToldBy(reason, Reason.SESSION_CLUSTER_UNREACHABLE);
            case JobManagerAnswer.OfJob _, JobManagerAnswer.OfCluster _ -> false;
        };
    }

    /** Whether nothing is left to read that is read when something has changed. */
    private static boolean isRead(ObservedState observed, ObservationMemory memory) {
        return RunView.ClusterFacts.areRecorded(observed.status())
                && untilNews(observed, memory).compareTo(Duration.ZERO) > 0;
    }

    private static Duration untilNews(ObservedState observed, ObservationMemory memory) {
        Instant now = observed.now();
        return JobManagerAnswer.in(observed)
                .lastChange()
                .map(change -> memory.due(observed.identity().uid(), change, now))
                .map(due -> Duration.between(now, due))
                .orElseGet(() -> MissingServices.until(observed).orElse(LONGEST));
    }

    /**
     * @param longest so long nothing has to be read anew
     */
    private static Optional<Duration> of(StepContext context, Duration longest) {
        Options options = new Options(context.effective());
        if (ClusterHealth.Thresholds.of(options).enabled()) {
            return Optional.empty();
        }
        return Stream.concat(
                        Stream.of(longest),
                        Stream.of(StateKind.values())
                                .flatMap(
                                        kind ->
                                                TriggerSchedule.until(context, kind, options)
                                                        .stream()))
                .min(Duration::compareTo);
    }

    /** Nothing is under way, and no savepoint is kept that will once be too old. */
    private static boolean isAtRest(FlinkDeploymentStatus status) {
        JobLog log = status.jobStatus().log();
        return status.reconciliationStatus().state() == ReconciliationState.DEPLOYED
                && status.reconciliationStatus().isStable()
                && status.attempt().stop().isEmpty()
                && Stream.of(StateKind.values()).allMatch(kind -> log.of(kind).trigger().isEmpty())
                && log.savepoints().history().size() <= 1
                && log.savepoints().history().stream().allMatch(it -> it.disposal().isEmpty());
    }
}
