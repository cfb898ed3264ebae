// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.sluice.autoscaler.collect.JobOptions;
import io.sluice.autoscaler.decide.EngineEvent;
import io.sluice.autoscaler.govern.HoldReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What people are told of a look, beside what the engine tells. */
final class Notices {
    private static final Duration QUIET = Duration.ofMinutes(30);

    private Notices() {}

    /** A look failed, and not in the engine, which tells of its own failures. */
    static EngineEvent failure(String why) {
        return new EngineEvent(
                EngineEvent.Severity.WARNING,
                "AutoscalerError",
                why,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** A JobManager answers with more than is read. */
    static EngineEvent tooLarge(String why) {
        return new EngineEvent(
                EngineEvent.Severity.WARNING,
                "JobManagerAnswerTooLarge",
                why,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** The service does not use some entries of the state that was stored for the job. */
    static EngineEvent discarded(String why) {
        return new EngineEvent(
                EngineEvent.Severity.WARNING,
                "AutoscalerStateDiscarded",
                "the autoscaler begins anew without what its ConfigMap held: " + why,
                Optional.empty(),
                Optional.of(QUIET),
                Optional.empty());
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
                            quota(reason, options, scaling, List.of("quota.cpu", "quota.memory")));
            case NAMESPACE_QUOTA ->
                    Optional.of(
                            quota(
                                    reason,
                                    options,
                                    scaling,
                                    List.of(
                                            "governor.namespace-quota.cpu",
                                            "governor.namespace-quota.memory")));
            case NOTHING_CHANGED,
                    SWITCHED_OFF,
                    RECOMMEND_ONLY,
                    JOB_NOT_STABLE,
                    JOB_RECOVERING,
                    METRICS_UNKNOWN,
                    METRICS_CONTRADICT,
                    PARALLELISM_OUT_OF_RANGE,
                    MORE_DOES_NOT_HELP,
                    SCALE_UP_PENDING,
                    COOLING_DOWN,
                    REVERSAL_TOO_SOON,
                    LOAD_JUMPS,
                    LOAD_RISES,
                    CHANGE_TOO_SMALL,
                    NOT_WORTH_A_RESTART,
                    DAY_BUDGET_SPENT,
                    FLEET_BUSY ->
                    Optional.empty();
        };
    }

    private static EngineEvent quota(
            HoldReason reason, JobOptions options, String scaling, List<String> keys) {
        String limits =
                keys.stream()
                        .flatMap(
                                key ->
                                        options
                                                .text(key)
                                                .map(value -> "job.autoscaler." + key + "=" + value)
                                                .stream())
                        .collect(Collectors.joining(", "));
        return new EngineEvent(
                EngineEvent.Severity.WARNING,
                "ResourceQuotaReached",
                "held, for %s: %s; raise %s, or lower job.autoscaler.vertex.max-parallelism"
                        .formatted(reason.text(), scaling, limits),
                Optional.of(reason.name()),
                Optional.of(options.duration("scaling.event.interval").orElse(QUIET)),
                Optional.empty());
    }
}
