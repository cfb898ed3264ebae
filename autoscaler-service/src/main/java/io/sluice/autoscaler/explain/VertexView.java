// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import io.sluice.autoscaler.decide.Measure;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One vertex as last seen.
 *
 * @param published the parallelism it is meant to have, if it was ever scaled
 * @param measures the engine's metrics by name; empty as long as nothing could be evaluated
 */
public record VertexView(
        String id,
        String name,
        int parallelism,
        int maxParallelism,
        Optional<Integer> published,
        SortedMap<String, Measure> measures) {
    public VertexView {
        measures = Collections.unmodifiableSortedMap(new TreeMap<>(measures));
    }

    public Optional<Double> measure(String metric) {
        return Optional.ofNullable(measures.get(metric))
                .map(Measure::value)
                .filter(value -> !value.isNaN());
    }
}
