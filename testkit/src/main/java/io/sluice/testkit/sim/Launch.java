// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.util.Optional;

/**
 * What a JobManager's configuration tells its {@code main()}.
 *
 * @param attempt the Deployment's annotation
 * @param jobId the id its job is submitted under
 * @param path the state to start from; what is not in the storage makes the job fail
 * @param keepsMetadata whether Flink is highly available, and keeps the results of ended jobs
 * @param mayLoseState whether the user agreed to a start from nothing, or from an older state
 * @param version of Flink; metadata is of no use to another one
 */
public record Launch(
        String attempt,
        String jobId,
        Optional<String> path,
        boolean keepsMetadata,
        boolean mayLoseState,
        String version) {
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
}
