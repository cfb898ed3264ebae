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
        JobView former)
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
                new JobView.NotAsked());
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
