// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import io.sluice.flink.rest.CheckpointRef;
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
        boolean isNewer() {
            return version.equals(SessionShape.NEWER);
        }
    }

    private final Kind kind;
    private final Map<String, SubmittedJob> graphs = new TreeMap<>();
    private final Map<String, CheckpointRef> checkpoints = new HashMap<>();
    private final Set<String> results = new HashSet<>();

    SessionMetadata(Kind kind) {
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }

    void submitted(SubmittedJob job) {
        if (kind.isHighlyAvailable()) {
            graphs.put(job.id(), job);
        }
    }

    void completed(String jobId, CheckpointRef checkpoint) {
        if (kind.isHighlyAvailable()) {
            checkpoints.put(jobId, checkpoint);
        }
    }

    Optional<CheckpointRef> lastCheckpoint(String jobId) {
        return Optional.ofNullable(checkpoints.get(jobId));
    }

    /** Nothing is left of the job but its result. */
    void ended(String jobId) {
        graphs.remove(jobId);
        checkpoints.remove(jobId);
        if (kind.keepsResults()) {
            results.add(jobId);
        }
    }

    boolean hasResult(String jobId) {
        return results.contains(jobId);
    }

    /** Whether the job will be there again, or its end will. */
    boolean knows(String jobId) {
        return graphs.containsKey(jobId) || results.contains(jobId);
    }

    /** What a new process runs by itself. */
    List<SubmittedJob> toRecover() {
        return List.copyOf(graphs.values());
    }
}
