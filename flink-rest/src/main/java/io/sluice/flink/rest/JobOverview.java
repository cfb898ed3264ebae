// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import java.time.Instant;
import java.util.Optional;

/**
 * One entry of {@code GET /jobs/overview}. A JobManager that has just started lists no job at all
 * before {@code main()} has submitted one or HA has recovered it: an absent entry is not a lost
 * job.
 *
 * @param state as Flink names it, for example {@code RUNNING}
 * @param endTime empty while the job has not ended
 * @param lastChange when the state of one of its tasks last changed
 */
public record JobOverview(
        String id,
        String name,
        String state,
        Instant startTime,
        Optional<Instant> endTime,
        TaskCounts tasks,
        Instant lastChange) {
    /** One whose tasks have not changed since it started. */
    public JobOverview(
            String id,
            String name,
            String state,
            Instant startTime,
            Optional<Instant> endTime,
            TaskCounts tasks) {
        this(id, name, state, startTime, endTime, tasks, startTime);
    }
}
