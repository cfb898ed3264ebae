// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.util.Optional;

/**
 * What a JobManager's configuration tells its {@code main()}.
 *
 * @param attempt the Deployment's annotation
 * @param jobId the id its job is submitted under
 * @param path the state to start from; what is not in the storage makes the job fail
 * @param keepsMetadata whether Flink is highly available
 * @param mayLoseState whether the user agreed to a start from nothing, or from an older state
 * @param version of Flink; metadata is of no use to another one
 * @param saving what the job keeps by itself
 */
public record Launch(
        String attempt,
        String jobId,
        Optional<String> path,
        boolean keepsMetadata,
        boolean mayLoseState,
        String version,
        StateSupport saving) {
    /**
     * What a job keeps by itself.
     *
     * @param results of ended jobs, where Flink is highly available
     * @param checkpoints whether the job makes any
     * @param afterCancellation whether its checkpoints are left then
     * @param folder whether one is configured for savepoints
     */
    public record StateSupport(
            boolean results, boolean checkpoints, boolean afterCancellation, boolean folder) {
        public static final StateSupport ALL = new StateSupport(true, true, true, true);
    }

    /** Of a job that keeps all there is to keep. */
    public Launch(
            String attempt,
            String jobId,
            Optional<String> path,
            boolean keepsMetadata,
            boolean mayLoseState,
            String version) {
        this(attempt, jobId, path, keepsMetadata, mayLoseState, version, StateSupport.ALL);
    }

    /** Where all are of one version. */
    public Launch(
            String attempt,
            String jobId,
            Optional<String> path,
            boolean keepsMetadata,
            boolean mayLoseState) {
        this(attempt, jobId, path, keepsMetadata, mayLoseState, "");
    }

    /** Of a job without state. */
    public static Launch stateless(String attempt) {
        return new Launch(attempt, attempt, Optional.empty(), false, true);
    }

    /** Whether a JobManager that restarts after the job's end leaves it ended. */
    boolean keepsResults() {
        return keepsMetadata && saving.results();
    }
}
