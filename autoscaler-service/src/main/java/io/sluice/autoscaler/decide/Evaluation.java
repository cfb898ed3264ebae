// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What came of one cycle of the engine.
 *
 * @param seen metrics by vertex id and metric name; empty if nothing could be evaluated
 * @param proposed overrides as the engine would publish them; equal to the published ones if it
 *     wants no change
 * @param notReady why nothing was collected, if so
 * @param windowFull whether there are enough samples to decide on
 * @param failure what the engine swallowed
 */
public record Evaluation(
        Map<String, SortedMap<String, Measure>> seen,
        SortedMap<String, Integer> proposed,
        List<EngineEvent> events,
        Optional<String> notReady,
        int samples,
        boolean windowFull,
        Optional<Throwable> failure) {}
