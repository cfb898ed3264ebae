// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.ParallelismBounds;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How parallel the job's vertices are, and are allowed to be. */
public sealed interface ScalingView {
    /** The autoscaler wants nothing, or the job does not run yet. */
    record NotAsked() implements ScalingView {}

    /** Its scheduler can't be asked: another parallelism takes another start. */
    record ByRestart() implements ScalingView {}

    /** The JobManager can't say, although its scheduler can be asked. */
    record Unavailable(String message) implements ScalingView {}

    /**
     * A standalone cluster: its TaskManagers are a Deployment.
     *
     * @param standing how many it is to have now; empty if the Deployment is not there
     */
    record TaskManagers(Optional<Integer> standing) implements ScalingView {}

    /** Vertices as they run, with the bounds that are in force, by vertex id. */
    record Known(List<JobVertex> vertices, Map<String, ParallelismBounds> bounds)
            implements ScalingView {
        public Known {
            vertices = List.copyOf(vertices);
            bounds = Collections.unmodifiableMap(new LinkedHashMap<>(bounds));
        }
    }
}
