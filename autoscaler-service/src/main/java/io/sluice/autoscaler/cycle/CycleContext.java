// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.Footprint;
import io.sluice.autoscaler.govern.Health;
import io.sluice.autoscaler.govern.RescalingLimits;
import io.sluice.flink.rest.JobVertex;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What one look at a job goes by, beside its metrics.
 *
 * @param uptime by a clock that nobody sets
 * @param vertices as they run
 * @param health asked for once the metrics are there, for it may have changed meanwhile
 * @param rescalingLimits asked for last, by what the rescale would take more
 * @param taskManager what one TaskManager of the job takes
 * @param slotsEach how many slots it offers
 * @param pause the least time between two rescales that the service's own setting asks for
 */
public record CycleContext(
        Instant now,
        Instant uptime,
        FlinkConfiguration options,
        List<JobVertex> vertices,
        Supplier<Health> health,
        Function<Footprint, RescalingLimits> rescalingLimits,
        Footprint taskManager,
        int slotsEach,
        Duration pause) {
    public CycleContext {
        vertices = List.copyOf(vertices);
    }
}
