// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.util.Optional;

/**
 * What a JobManager's configuration tells its {@code main()}.
 *
 * @param attempt the Deployment's annotation
 * @param jobId the id its job is submitted under
 * @param path the state to start from; what is not in the storage makes the job fail
 * @param metadata where Flink keeps its high-availability metadata
 * @param mayLoseState whether the user agreed to a start from nothing, or from an older state
 * @param version of Flink; metadata is of no use to another one
 * @param saving what the job keeps by itself
 */
public record Launch(
        String attempt,
        String jobId,
        Optional<String> path,
        Metadata metadata,
        boolean mayLoseState,
        String version,
        StateSupport saving) {
    /** Where the high-availability metadata of a cluster are. */
    public sealed interface Metadata {
        /** Flink is not highly available. */
        record None() implements Metadata {}

        /** In ConfigMaps, by the cluster's name. */
        record ConfigMaps() implements Metadata {}

        /** In ZooKeeper, which nobody but Flink asks. */
        record ZooKeeper(String clusterId) implements Metadata {}
    }

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
        this(
                attempt,
                jobId,
                path,
                keepsMetadata ? new Metadata.ConfigMaps() : new Metadata.None(),
                mayLoseState,
                version,
                StateSupport.ALL);
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

    /** Whether Flink is highly available. */
    boolean keepsMetadata() {
        return !(metadata instanceof Metadata.None);
    }

    /** Whether an operator can read which checkpoint of the job is the newest. */
    boolean hasReadableMetadata() {
        return metadata instanceof Metadata.ConfigMaps;
    }

    /** Under what the metadata of a job are kept; other clusters' metadata begin otherwise. */
    String place() {
        return metadata instanceof Metadata.ZooKeeper(var clusterId) ? clusterId + "/" : "";
    }

    /** Whether a JobManager that restarts after the job's end leaves it ended. */
    boolean keepsResults() {
        return keepsMetadata() && saving.results();
    }
}
