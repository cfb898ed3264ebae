// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.decide.Graph;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The last look at one job: what was seen, and what came of it.
 *
 * @param restart how long a rescale stops the job, measured or expected; empty if unknown yet
 * @param ignored options that could not be read, or have no effect: key and remedy
 */
public record Explanation(
        JobKey key,
        Instant at,
        List<VertexView> vertices,
        Graph graph,
        Verdict verdict,
        Counts counts,
        Optional<Duration> restart,
        List<String> ignored,
        Timeline timeline) {
    public Explanation {
        vertices = List.copyOf(vertices);
        ignored = List.copyOf(ignored);
    }
}
