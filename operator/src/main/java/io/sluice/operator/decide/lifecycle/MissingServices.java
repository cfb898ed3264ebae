// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import io.sluice.api.status.JobState;
import io.sluice.operator.decide.step.ClusterActions;
import io.sluice.operator.decide.step.ClusterOwnership;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.FormerSpec;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A JobManager whose pod is ready and which gives no answer may have lost its Services: somebody
 * has deleted them, and nobody but the operator makes them. Without them neither the operator nor,
 * where Flink is not highly available, a new TaskManager reaches it.
 */
public final class MissingServices {
    /** A JobManager that only restarts answers within this time. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private MissingServices() {}

    /** Has the Services looked at, where nothing else is done and nobody reaches the JobManager. */
    public static Decision withServices(ObservedState observed, Decision decision) {
        boolean mayBeMissing =
                decision.actions().isEmpty()
                        && (isSilent(observed) || decision.reason() == Reason.NO_TASK_MANAGERS);
        return mayBeMissing
                ? FormerSpec.of(observed)
                        .filter(MissingServices::stands)
                        .map(ClusterActions::services)
                        .map(services -> decision.withActions(List.of(services)))
                        .orElse(decision)
                : decision;
    }

    /**
     * For how long the JobManager may be silent yet before they are looked at, from now on; empty
     * if it answers, or has been silent for longer.
     */
    public static Optional<Duration> until(ObservedState observed) {
        return silentSince(observed)
                .map(since -> Duration.between(observed.now(), since.plus(PATIENCE)))
                .filter(Duration::isPositive);
    }

    /**
     * Whether the JobManager that stands is that of the attempt on record, or of a former operator.
     */
    private static boolean stands(StepContext context) {
        return context.cluster().jobManager()
                        instanceof JobManagerView.Present(_, var attempt, var available, _)
                && available
                && (attempt.isEmpty() || attempt.equals(context.attempt()))
                && !ClusterOwnership.isForeign(context);
    }

    private static boolean isSilent(ObservedState observed) {
        return silentSince(observed).isPresent() && until(observed).isEmpty();
    }

    private static Optional<Instant> silentSince(ObservedState observed) {
        return switch (observed.target()) {
            case Target.Application _ ->
                    observed.job() instanceof JobView.Unreachable(_, var noAnswer)
                                    && noAnswer == NoAnswer.NO_ANSWER
                                    && observed.status().jobStatus().state().stream()
                                            .allMatch(JobState.RECONCILING::equals)
                            ? observed.status().jobStatus().updateTime()
                            : Optional.empty();
            case Target.SessionCluster(_, var jobs, var since) ->
                    jobs instanceof Jobs.Silent(_, var noAnswer) && noAnswer == NoAnswer.NO_ANSWER
                            ? since
                            : Optional.empty();
            case Target.SessionJob _ -> Optional.empty();
        };
    }
}
