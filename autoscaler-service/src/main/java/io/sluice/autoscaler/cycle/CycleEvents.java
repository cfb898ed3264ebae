// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import io.sluice.autoscaler.collect.JobOptions;
import io.sluice.autoscaler.decide.AutoscalerEvent;
import io.sluice.autoscaler.decide.EngineEvent;
import io.sluice.autoscaler.explain.Explanation;
import io.sluice.autoscaler.govern.HoldReason;
import io.sluice.rules.config.option.AutoscalerOptions;
import io.sluice.rules.config.option.Option;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What people are told of a look, beside what the engine tells. */
final class CycleEvents {
    private static final Duration QUIET = Duration.ofMinutes(30);

    /** A job that was scaled up works off what piled up in less than this. */
    private static final Duration LONG_BEHIND = Duration.ofMinutes(30);

    private CycleEvents() {}

    /** A look failed, and not in the engine, which tells of its own failures. */
    static EngineEvent failure(String why) {
        return EngineEvent.of(AutoscalerEvent.AUTOSCALER_ERROR, why);
    }

    /** A JobManager answers with more than is read. */
    static EngineEvent tooLarge(String why) {
        return EngineEvent.of(AutoscalerEvent.JOB_MANAGER_ANSWER_TOO_LARGE, why);
    }

    /** The service does not use some entries of the state that was stored for the job. */
    static EngineEvent discarded(String why) {
        return EngineEvent.of(
                        AutoscalerEvent.STATE_DISCARDED,
                        "the autoscaler starts again without the contents of its ConfigMap: " + why)
                .quietFor(QUIET);
    }

    /** A change has been held for minutes. */
    static EngineEvent held(HoldNotice.Told told, JobOptions options) {
        return EngineEvent.of(AutoscalerEvent.SCALING_HELD, told.why())
                .keyed(told.reason().name())
                .quietFor(options.duration(AutoscalerOptions.EVENT_INTERVAL));
    }

    /** The job has not kept up for long, whatever was decided. */
    static Optional<EngineEvent> behind(Explanation seen) {
        return seen.behind()
                .filter(time -> time.compareTo(LONG_BEHIND) >= 0)
                .map(
                        time ->
                                EngineEvent.of(
                                                AutoscalerEvent.JOB_BEHIND,
                                                "the job has not kept up with its load for %d min%s; the last decision: %s"
                                                        .formatted(
                                                                time.toMinutes(),
                                                                waiting(seen),
                                                                seen.verdict().why()))
                                        .keyed("behind")
                                        .quietFor(QUIET));
    }

    private static String waiting(Explanation seen) {
        return seen.lagSeconds().map(", its records wait for %.0f s"::formatted).orElse("");
    }

    /**
     * A quota is in the way.
     *
     * @param scaling what was held, for people
     */
    static Optional<EngineEvent> quota(HoldReason reason, JobOptions options, String scaling) {
        return switch (reason) {
            case JOB_QUOTA ->
                    Optional.of(
                            quota(
                                    reason,
                                    options,
                                    scaling,
                                    List.of(
                                            AutoscalerOptions.QUOTA_CPU,
                                            AutoscalerOptions.QUOTA_MEMORY)));
            case NAMESPACE_QUOTA ->
                    Optional.of(
                            quota(
                                    reason,
                                    options,
                                    scaling,
                                    List.of(
                                            AutoscalerOptions.NAMESPACE_QUOTA_CPU,
                                            AutoscalerOptions.NAMESPACE_QUOTA_MEMORY)));
            case RESOURCE_QUOTA ->
                    Optional.of(
                            quota(
                                    reason,
                                    options,
                                    scaling,
                                    "the ResourceQuota (kubectl describe quota)"));
            case NOTHING_CHANGED,
                    SWITCHED_OFF,
                    RECOMMEND_ONLY,
                    JOB_NOT_STABLE,
                    JOB_RECOVERING,
                    PAIR_IN_TRANSITION,
                    METRICS_UNKNOWN,
                    METRICS_CONTRADICT,
                    PARALLELISM_OUT_OF_RANGE,
                    MORE_DOES_NOT_HELP,
                    SCALE_UP_PENDING,
                    COOLING_DOWN,
                    REVERSAL_TOO_SOON,
                    LOAD_JUMPS,
                    BACKLOG_SHRINKS,
                    JOB_IS_LATE,
                    LOAD_RISES,
                    CHANGE_TOO_SMALL,
                    NOT_WORTH_A_RESTART,
                    DAY_BUDGET_SPENT,
                    FLEET_BUSY ->
                    Optional.empty();
        };
    }

    private static EngineEvent quota(
            HoldReason reason, JobOptions options, String scaling, List<Option<?>> quotas) {
        return quota(
                reason,
                options,
                scaling,
                quotas.stream()
                        .flatMap(
                                quota ->
                                        options
                                                .text(quota)
                                                .map(value -> quota.key() + "=" + value)
                                                .stream())
                        .collect(Collectors.joining(", ")));
    }

    private static EngineEvent quota(
            HoldReason reason, JobOptions options, String scaling, String limits) {
        return EngineEvent.of(
                        AutoscalerEvent.RESOURCE_QUOTA_REACHED,
                        "held, for %s: %s; raise %s, or lower %s"
                                .formatted(
                                        reason.text(),
                                        scaling,
                                        limits,
                                        AutoscalerOptions.MAX_PARALLELISM.key()))
                .keyed(reason.name())
                .quietFor(options.duration(AutoscalerOptions.EVENT_INTERVAL));
    }
}
