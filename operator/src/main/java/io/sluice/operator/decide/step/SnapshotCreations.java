// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkStateSnapshotSpec;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.SavepointSpec;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.TriggerType;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ProcessOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the FlinkStateSnapshots that the operator makes are called, and what is in them
 * (docs/contract/snapshots.md, section 2).
 */
public final class SnapshotCreations {
    /** So long the creation of the snapshot of a savepoint that exists is tried. */
    public static final Duration REGISTERED_WITHIN = Duration.ofMinutes(10);

    private static final Pattern BETWEEN_WORDS = Pattern.compile("[\\s,()=!]+");
    private static final int RETRIES = 4;
    private static final int LONGEST_NAME = 253;

    private SnapshotCreations() {}

    /**
     * The job's part of the name is shortened where a resource's name would be too long.
     *
     * @param job the name of its resource
     * @param since a time that is on record, so that a repeated creation has the same name
     */
    public static String name(String job, StateKind kind, TriggerType type, Instant since) {
        String end =
                "-"
                        + kind.word()
                        + "-"
                        + type.wire().toLowerCase(Locale.ROOT)
                        + "-"
                        + since.toEpochMilli();
        return job.substring(0, Math.min(job.length(), LONGEST_NAME - end.length())) + end;
    }

    /** The keys that the operator's label selector names, whatever it says of them. */
    public static List<String> inheritedLabels(FlinkConfiguration own) {
        return new Options(own)
                .get(ProcessOptions.LABEL_SELECTOR)
                .map(selector -> List.of(BETWEEN_WORDS.split(selector)))
                .orElseGet(List::of);
    }

    public static FlinkStateSnapshotSpec ofSavepoint(JobReference job, SavepointSpec savepoint) {
        return new FlinkStateSnapshotSpec(Optional.of(job), Optional.of(savepoint), false, RETRIES);
    }

    public static FlinkStateSnapshotSpec ofCheckpoint(JobReference job) {
        return new FlinkStateSnapshotSpec(Optional.of(job), Optional.empty(), true, RETRIES);
    }
}
