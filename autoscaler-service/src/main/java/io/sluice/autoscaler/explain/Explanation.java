// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import io.sluice.autoscaler.collect.JobKey;
import java.time.Instant;
import java.util.List;

/** The last look at one job: what was seen, and what came of it. */
public record Explanation(
        JobKey key, Instant at, List<VertexView> vertices, Verdict verdict, Counts counts) {
    public Explanation {
        vertices = List.copyOf(vertices);
    }
}
