// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.api.spec.StateKind;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.ClusterConfig;
import io.sluice.flink.rest.JobException;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a JobManager says beside the job's state: read only where something is under way, or where
 * something has changed since it was last read.
 *
 * @param created when the resource was
 * @param savepoint what came of the savepoint that the status says was asked for
 * @param checkpoint likewise
 * @param disposals what came of the savepoints that are being deleted, by location
 * @param exceptions the job's, newest first; empty if they were not asked for
 * @param lastCheckpoint the last completed one that this process has seen of the job, which need
 *     not be its last
 * @param former the job of a JobManager that makes way for an attempt without state
 * @param snapshots the FlinkStateSnapshots that carry requests of the job
 */
@RecordBuilder
public record RunView(
        Instant created,
        AsyncResult savepoint,
        AsyncResult checkpoint,
        Map<String, DisposalResult> disposals,
        Optional<List<JobException>> exceptions,
        ClusterFacts cluster,
        Optional<CheckpointRef> lastCheckpoint,
        JobView former,
        Snapshots snapshots)
        implements RunViewBuilder.With {
    public RunView {
        disposals = Collections.unmodifiableMap(new LinkedHashMap<>(disposals));
        exceptions = exceptions.map(List::copyOf);
    }

    /** While no JobManager makes way for another. */
    public RunView(
            Instant created,
            AsyncResult savepoint,
            AsyncResult checkpoint,
            Map<String, DisposalResult> disposals,
            Optional<List<JobException>> exceptions,
            ClusterFacts cluster,
            Optional<CheckpointRef> lastCheckpoint) {
        this(
                created,
                savepoint,
                checkpoint,
                disposals,
                exceptions,
                cluster,
                lastCheckpoint,
                new JobView.NotAsked(),
                Snapshots.NONE);
    }

    /** Nothing was asked. */
    public static RunView none(Instant created) {
        return of(created, ClusterFacts.NONE);
    }

    /** Nothing but the cluster was asked. */
    public static RunView of(Instant created, ClusterFacts cluster) {
        return new RunView(
                created,
                new AsyncResult.NotAsked(),
                new AsyncResult.NotAsked(),
                Map.of(),
                Optional.empty(),
                cluster,
                Optional.empty());
    }

    public AsyncResult of(StateKind kind) {
        return switch (kind) {
            case SAVEPOINT -> savepoint;
            case CHECKPOINT -> checkpoint;
        };
    }

    public DisposalResult disposal(String location) {
        return Optional.ofNullable(disposals.get(location)).orElseGet(DisposalResult.NotAsked::new);
    }

    /**
     * FlinkStateSnapshots of the resource, read where something depends on them.
     *
     * @param areServed whether this operator serves FlinkStateSnapshots
     * @param requested those that the status has on record, by name
     * @param inProgress the names of the others for which Flink was asked, read before an upgrade
     * @param lastPeriodic when the newest periodic one of each kind was created, read when one is
     *     due and the status has none on record
     */
    public record Snapshots(
            boolean areServed,
            Map<String, SnapshotView> requested,
            List<String> inProgress,
            Map<StateKind, Instant> lastPeriodic) {
        public static final Snapshots NONE = new Snapshots(false, Map.of(), List.of(), Map.of());

        public Snapshots {
            lastPeriodic = Collections.unmodifiableMap(new LinkedHashMap<>(lastPeriodic));
            requested = Collections.unmodifiableMap(new LinkedHashMap<>(requested));
            inProgress = List.copyOf(inProgress);
        }

        /** The snapshot of that name. */
        public SnapshotView of(String name) {
            return Optional.ofNullable(requested.get(name)).orElseGet(SnapshotView.NotRead::new);
        }
    }

    /** What has become of a FlinkStateSnapshot that the operator was to create. */
    public sealed interface SnapshotView {
        /** It was not read. */
        record NotRead() implements SnapshotView {}

        /** There is none. */
        record Absent() implements SnapshotView {}

        /** There is none, and this process could not create it when it last tried. */
        record Refused(String message) implements SnapshotView {}

        /** It waits for its job or for its next try. */
        record Waiting() implements SnapshotView {}

        /** Flink was asked for it. */
        record InProgress() implements SnapshotView {}

        /**
         * It is complete.
         *
         * @param path empty for a checkpoint that Flink did not keep
         */
        record Complete(Optional<String> path) implements SnapshotView {}

        /** Nothing more comes of it. */
        record Failed(String message) implements SnapshotView {}

        /** Whether the resource exists. */
        default boolean exists() {
            return switch (this) {
                case NotRead _, Absent _, Refused _ -> false;
                case Waiting _, InProgress _, Complete _, Failed _ -> true;
            };
        }
    }

    /**
     * What the cluster says of itself; empty where it was not asked, or did not say.
     *
     * @param taskManagers how many have registered
     */
    public record ClusterFacts(Optional<ClusterConfig> config, Optional<Integer> taskManagers) {
        public static final ClusterFacts NONE =
                new ClusterFacts(Optional.empty(), Optional.empty());

        /** The key of {@code status.clusterInfo} that has Flink's version. */
        public static final String VERSION = "flink-version";

        public boolean isComplete() {
            return config.isPresent() && taskManagers.isPresent();
        }

        /** Whether the status has them. */
        public static boolean areRecorded(FlinkDeploymentStatus status) {
            return status.clusterInfo().containsKey(VERSION);
        }
    }
}
