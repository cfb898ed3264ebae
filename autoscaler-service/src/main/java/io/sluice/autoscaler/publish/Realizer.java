// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.flink.rest.JobDetails;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** Sees to it that a job gets the parallelism that was decided on; asked with every look. */
@FunctionalInterface
public interface Realizer {
    /** The operator carries out what is published. */
    Realizer OPERATOR = (_, _, _, _) -> Optional.empty();

    /**
     * @param at the job's JobManager
     * @param overrides parallelism by vertex id; empty if the job was never scaled
     * @return why it can't, for people
     */
    Optional<String> carryOut(JobKey key, URI at, JobDetails job, Map<String, Integer> overrides);
}
