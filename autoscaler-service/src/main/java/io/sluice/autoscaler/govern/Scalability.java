// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.collect.JobOptions;
import io.sluice.rules.config.option.AutoscalerOptions;
import java.util.Comparator;
import java.util.List;

/** How many subtasks it takes for a vertex to do more, or less. */
sealed interface Scalability {
    /** Unless told otherwise, by the {@link Curve} that was measured. */
    record Learned() implements Scalability {}

    /** Each does as much as any other. */
    record Linear() implements Scalability {}

    /**
     * By one coefficient of all that was measured (docs/contract/autoscaler.md, section 4, step 2).
     *
     * @param least the coefficient is never below it
     */
    record Observed(int minObservations, double least) implements Scalability {
        private double coefficient(List<Vertex.Point> points) {
            if (points.size() < Math.max(1, minObservations)) {
                return 1;
            }
            Vertex.Point smallest =
                    points.reversed().stream()
                            .min(Comparator.comparingInt(Vertex.Point::parallelism))
                            .orElseThrow();
            double linear = smallest.rate() / smallest.parallelism();
            double products = 0;
            double squares = 0;
            for (Vertex.Point point : points) {
                products += point.parallelism() * point.rate();
                squares += (double) point.parallelism() * point.parallelism();
            }
            double coefficient = products / (squares * linear);
            return Double.isNaN(coefficient)
                    ? 1
                    : Math.ceil(Math.clamp(coefficient, least, 1) * 100) / 100;
        }
    }

    static Scalability of(JobOptions options) {
        if (options.text(AutoscalerOptions.OBSERVED_SCALABILITY).isEmpty()) {
            return new Learned();
        }
        return options.flag(AutoscalerOptions.OBSERVED_SCALABILITY)
                ? new Observed(
                        options.integer(AutoscalerOptions.OBSERVED_SCALABILITY_MIN_OBSERVATIONS, 0),
                        leastCoefficient(options))
                : new Linear();
    }

    private static double leastCoefficient(JobOptions options) {
        return options.numberIfSet(AutoscalerOptions.OBSERVED_SCALABILITY_COEFFICIENT_MIN, 0.01)
                .filter(least -> least <= 1)
                .orElseGet(AutoscalerOptions.OBSERVED_SCALABILITY_COEFFICIENT_MIN::otherwise);
    }

    /** Subtasks, not rounded, that do {@code factor} times as much as those that run. */
    default double subtasks(Vertex vertex, double factor) {
        return switch (this) {
            case Learned() -> Curve.subtasks(vertex, factor);
            case Linear() -> vertex.running() * factor;
            case Observed observed ->
                    vertex.running() * factor / observed.coefficient(vertex.curve());
        };
    }
}
