// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import io.sluice.autoscaler.collect.JobKey;
import java.util.function.Supplier;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;

/**
 * What the engine is told of a job that runs.
 *
 * @param jobId 32 hexadecimal digits
 */
public record EngineJob(
        JobKey key,
        String jobId,
        Configuration options,
        Supplier<RestClusterClient<String>> client) {
    public EngineJob with(Configuration other) {
        return new EngineJob(key, jobId, other, client);
    }
}
