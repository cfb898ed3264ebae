// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.request;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code POST /jars/:id/run}: runs a jar's {@code main()} in the JobManager, which submits the job.
 *
 * @param jobId 32 hexadecimal digits; a JobManager that has it already runs it no second time
 * @param entryClass empty for the one the jar's manifest names
 * @param savepointPath what the job starts from; empty for nothing
 * @param configuration on top of the cluster's, for this job; Flink 1.17 and later
 * @param patience for the whole exchange, {@code main()} included
 */
public record RunRequest(
        String jobId,
        Optional<String> entryClass,
        List<String> arguments,
        Optional<Integer> parallelism,
        Optional<String> savepointPath,
        boolean allowNonRestoredState,
        Map<String, String> configuration,
        Duration patience) {
    public RunRequest {
        arguments = List.copyOf(arguments);
        configuration = Collections.unmodifiableMap(new LinkedHashMap<>(configuration));
    }
}
