// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.StateKind;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.SnapshotOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * How many savepoints or checkpoints of a job are kept track of, and for how long.
 *
 * @param deletes whether those beyond the limits are deleted ({@code
 *     kubernetes.operator.savepoint.cleanup.enabled})
 * @param count at least 1
 * @param age empty without a limit, as for checkpoints
 */
public record RetentionLimits(boolean deletes, int count, Optional<Duration> age) {
    /**
     * The limits of a job: those of savepoints are at most what the platform grants, those of
     * checkpoints are Flink's own.
     *
     * @param effective what the job runs with
     * @param granted what the operator's configuration alone says
     */
    public static RetentionLimits of(StateKind kind, Options effective, Options granted) {
        boolean deletes = effective.get(SnapshotOptions.CLEANUP);
        return switch (kind) {
            case SAVEPOINT ->
                    new RetentionLimits(
                            deletes,
                            Math.max(1, count(effective, granted)),
                            Optional.of(age(effective, granted)));
            case CHECKPOINT ->
                    new RetentionLimits(
                            deletes,
                            Math.max(1, effective.get(FlinkOptions.RETAINED_CHECKPOINTS)),
                            Optional.empty());
        };
    }

    /** As above, from configurations. */
    public static RetentionLimits of(
            StateKind kind, FlinkConfiguration effective, FlinkConfiguration granted) {
        return of(kind, new Options(effective), new Options(granted));
    }

    private static int count(Options effective, Options granted) {
        int most =
                granted.get(SnapshotOptions.HISTORY_MAX_COUNT_THRESHOLD).orElse(Integer.MAX_VALUE);
        return Math.min(effective.get(SnapshotOptions.HISTORY_MAX_COUNT), most);
    }

    private static Duration age(Options effective, Options granted) {
        Duration asked = effective.get(SnapshotOptions.HISTORY_MAX_AGE);
        return granted.get(SnapshotOptions.HISTORY_MAX_AGE_THRESHOLD)
                .filter(cap -> cap.compareTo(asked) < 0)
                .orElse(asked);
    }
}
