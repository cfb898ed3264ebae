// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import io.sluice.flink.rest.CheckpointRef;
import io.sluice.operator.deployment.simulation.FlinkLaunch;
import io.sluice.operator.deployment.simulation.hands.MetadataRecords;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What outlives a JobManager's process of a session cluster with high availability: the jobs that
 * have not ended, their last checkpoint, and the results of those that have. Empty without high
 * availability.
 */
final class SessionMetadata {
    /**
     * @param keepsResults whether the results of ended jobs stay
     * @param version of Flink
     */
    record Kind(boolean isHighlyAvailable, boolean keepsResults, String version) {
        static Kind of(FlinkLaunch launch) {
            return new Kind(
                    launch.isHighlyAvailable(),
                    "false".equals(launch.options().get("job-result-store.delete-on-commit")),
                    launch.version());
        }

        boolean isNewer() {
            return version.equals(SessionShape.NEWER);
        }
    }

    /**
     * What is left for any process, whichever Flink it is.
     *
     * @param records which say what of it is there; empty if all of it always is
     */
    record Kept(
            Optional<MetadataRecords> records,
            Map<String, SubmittedJob> graphs,
            Map<String, CheckpointRef> checkpoints,
            Set<String> results) {
        Kept(Optional<MetadataRecords> records) {
            this(records, new TreeMap<>(), new HashMap<>(), new HashSet<>());
        }
    }

    /** The name of the record that is of no single job. */
    private static final String CLUSTER = "cluster";

    private final Kind kind;
    private final Kept kept;

    SessionMetadata(Kind kind, Kept kept) {
        this.kind = kind;
        this.kept = kept;
    }

    Kind kind() {
        return kind;
    }

    private String graph(String jobId) {
        return (kind.isNewer() ? "executionPlan-" : "jobGraph-") + jobId;
    }

    private static String key(CheckpointRef checkpoint) {
        return "checkpointID-%019d".formatted(checkpoint.id());
    }

    void submitted(SubmittedJob job) {
        if (kind.isHighlyAvailable()) {
            kept.graphs().put(job.id(), job);
            kept.records().ifPresent(records -> submitted(records, job));
        }
    }

    private void submitted(MetadataRecords records, SubmittedJob job) {
        records.create(CLUSTER);
        records.create(job.id());
        records.change(
                CLUSTER, Map.of(graph(job.id()), Optional.of(Long.toString(job.generation()))));
    }

    void completed(String jobId, CheckpointRef checkpoint) {
        if (kind.isHighlyAvailable()) {
            Map<String, Optional<String>> values = new TreeMap<>();
            Optional.ofNullable(kept.checkpoints().put(jobId, checkpoint))
                    .ifPresent(before -> values.put(key(before), Optional.empty()));
            values.put(key(checkpoint), Optional.of(checkpoint.path()));
            kept.records().ifPresent(records -> records.change(jobId, values));
        }
    }

    Optional<CheckpointRef> lastCheckpoint(String jobId) {
        return Optional.ofNullable(kept.checkpoints().get(jobId))
                .filter(_ -> kind.isHighlyAvailable())
                .filter(it -> has(jobId, key(it)));
    }

    private boolean has(String name, String key) {
        return kept.records().map(records -> records.read(name).containsKey(key)).orElse(true);
    }

    /** Nothing is left of the job but its result. */
    void ended(String jobId) {
        if (!kind.isHighlyAvailable()) {
            return;
        }
        kept.graphs().remove(jobId);
        kept.checkpoints().remove(jobId);
        kept.records().ifPresent(records -> ended(records, jobId));
        if (kind.keepsResults()) {
            kept.results().add(jobId);
        }
    }

    private void ended(MetadataRecords records, String jobId) {
        records.delete(jobId);
        records.change(CLUSTER, Map.of(graph(jobId), Optional.empty()));
    }

    boolean hasResult(String jobId) {
        return kind.isHighlyAvailable() && kept.results().contains(jobId);
    }

    /** Whether the job will be there again, or its end will. */
    boolean knows(String jobId) {
        return isKept(jobId) || hasResult(jobId);
    }

    boolean isKept(String jobId) {
        return kind.isHighlyAvailable()
                && kept.graphs().containsKey(jobId)
                && has(CLUSTER, graph(jobId));
    }

    /** Jobs that are kept, but for a Flink of another kind. */
    List<SubmittedJob> leftBehind() {
        return kept.graphs().values().stream()
                .filter(
                        job ->
                                has(CLUSTER, "jobGraph-" + job.id())
                                        || has(CLUSTER, "executionPlan-" + job.id()))
                .filter(job -> !isKept(job.id()))
                .toList();
    }

    /** What a new process runs by itself. */
    List<SubmittedJob> toRecover() {
        return kept.graphs().values().stream().filter(job -> isKept(job.id())).toList();
    }
}
