// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.FlinkStateSnapshotSpec;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.SavepointSpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is asked for of a job.
 *
 * @param savepoint empty for a checkpoint
 * @param backoffLimit how often a failed try is repeated; -1 is without limit
 * @param labels of the resource
 */
record SnapshotRequest(
        Optional<SavepointSpec> savepoint, int backoffLimit, Map<String, String> labels) {
    private static final int LONGEST_NAME = 253;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    SnapshotRequest {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /**
     * The resource to create.
     *
     * @param now goes into its name
     */
    FlinkStateSnapshot resource(String namespace, Job job, Instant now) {
        var snapshot = new FlinkStateSnapshot();
        snapshot.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(namespace)
                        .withName(name(job.name(), now))
                        .withLabels(labels)
                        .build());
        snapshot.setSpec(
                new FlinkStateSnapshotSpec(
                                Optional.of(
                                        new JobReference(
                                                Optional.of(job.kind()), Optional.of(job.name()))),
                                savepoint,
                                savepoint.isEmpty(),
                                backoffLimit)
                        .toJson());
        return snapshot;
    }

    /** {@code <job>-savepoint-<time>}, with as much of the job's name as has room. */
    private String name(String job, Instant now) {
        String rest = (savepoint.isPresent() ? "-savepoint-" : "-checkpoint-") + TIME.format(now);
        int room = LONGEST_NAME - rest.length();
        // What stands before a dash is to end with a letter or a digit.
        String front = job.length() <= room ? job : job.substring(0, room);
        return front.replaceFirst("(?<![-.])[-.]++$", "") + rest;
    }
}
