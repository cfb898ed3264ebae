// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.state;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.autoscaler.metrics.CollectedMetrics;
import org.apache.flink.autoscaler.metrics.ScalingMetric;
import org.apache.flink.runtime.jobgraph.JobVertexID;

/**
 * What was measured of a job over its metrics window. The engine has a map of boxed numbers for
 * each vertex of each sample, which takes several times the memory: here a sample is one array, and
 * what its numbers are is kept once for all samples in a row that have the same. Immutable.
 */
public final class Samples {
    public static final Samples NONE = new Samples(new TreeMap<>());

    private final NavigableMap<Instant, Sample> samples;

    private Samples(NavigableMap<Instant, Sample> samples) {
        this.samples = samples;
    }

    public static Samples of(SortedMap<Instant, CollectedMetrics> metrics) {
        return NONE.replacedBy(metrics);
    }

    /** The samples {@code metrics} and no others; those of a moment that is known stay as known. */
    public Samples replacedBy(SortedMap<Instant, CollectedMetrics> metrics) {
        NavigableMap<Instant, Sample> packed = new TreeMap<>();
        metrics.forEach(
                (at, sample) -> {
                    Sample known = samples.get(at);
                    packed.put(at, known == null ? Sample.of(sample, newestLayout(packed)) : known);
                });
        return new Samples(packed);
    }

    /** In the engine's form; a map of the caller's own. */
    public NavigableMap<Instant, CollectedMetrics> unpacked() {
        NavigableMap<Instant, CollectedMetrics> metrics = new TreeMap<>();
        samples.forEach((at, sample) -> metrics.put(at, sample.unpacked()));
        return metrics;
    }

    /** When the newest was taken; empty if there is none. */
    public Optional<Instant> newest() {
        return samples.isEmpty() ? Optional.empty() : Optional.of(samples.lastKey());
    }

    private static Optional<Layout> newestLayout(NavigableMap<Instant, Sample> packed) {
        return Optional.ofNullable(packed.lastEntry()).map(newest -> newest.getValue().layout);
    }

    private static final class Sample {
        private final Layout layout;
        private final double[] values;

        private Sample(Layout layout, double[] values) {
            this.layout = layout;
            this.values = values;
        }

        /**
         * @param before of the sample before
         */
        static Sample of(CollectedMetrics metrics, Optional<Layout> before) {
            Layout layout =
                    before.filter(same -> same.fits(metrics)).orElseGet(() -> Layout.of(metrics));
            return new Sample(layout, layout.pack(metrics));
        }

        CollectedMetrics unpacked() {
            return layout.unpack(values);
        }
    }

    /**
     * What the numbers of a sample are, in their order: those of each vertex, then those of the
     * whole job.
     *
     * @param metrics of each of the {@code vertices}
     * @param global of the whole job
     */
    private record Layout(
            List<JobVertexID> vertices,
            List<List<ScalingMetric>> metrics,
            List<ScalingMetric> global) {
        static Layout of(CollectedMetrics sample) {
            List<JobVertexID> vertices = new ArrayList<>();
            List<List<ScalingMetric>> metrics = new ArrayList<>();
            sample.getVertexMetrics()
                    .forEach(
                            (vertex, values) -> {
                                vertices.add(vertex);
                                metrics.add(List.copyOf(values.keySet()));
                            });
            return new Layout(
                    List.copyOf(vertices),
                    List.copyOf(metrics),
                    List.copyOf(sample.getGlobalMetrics().keySet()));
        }

        boolean fits(CollectedMetrics sample) {
            boolean fits =
                    sample.getVertexMetrics().size() == vertices.size()
                            && has(sample.getGlobalMetrics(), global);
            for (int i = 0; i < vertices.size() && fits; i++) {
                Map<ScalingMetric, Double> values = sample.getVertexMetrics().get(vertices.get(i));
                fits = values != null && has(values, metrics.get(i));
            }
            return fits;
        }

        private static boolean has(Map<ScalingMetric, Double> values, List<ScalingMetric> names) {
            return values.size() == names.size() && values.keySet().containsAll(names);
        }

        double[] pack(CollectedMetrics sample) {
            double[] values =
                    new double[metrics.stream().mapToInt(List::size).sum() + global.size()];
            int next = 0;
            for (int i = 0; i < vertices.size(); i++) {
                Map<ScalingMetric, Double> ofVertex =
                        sample.getVertexMetrics().getOrDefault(vertices.get(i), Map.of());
                for (ScalingMetric metric : metrics.get(i)) {
                    values[next++] = ofVertex.getOrDefault(metric, Double.NaN);
                }
            }
            for (ScalingMetric metric : global) {
                values[next++] = sample.getGlobalMetrics().getOrDefault(metric, Double.NaN);
            }
            return values;
        }

        CollectedMetrics unpack(double[] values) {
            Map<JobVertexID, Map<ScalingMetric, Double>> ofVertices = new HashMap<>();
            int next = 0;
            for (int i = 0; i < vertices.size(); i++) {
                ofVertices.put(vertices.get(i), named(metrics.get(i), values, next));
                next += metrics.get(i).size();
            }
            return new CollectedMetrics(ofVertices, named(global, values, next));
        }

        private static Map<ScalingMetric, Double> named(
                List<ScalingMetric> names, double[] values, int first) {
            Map<ScalingMetric, Double> named = new EnumMap<>(ScalingMetric.class);
            for (int i = 0; i < names.size(); i++) {
                named.put(names.get(i), values[first + i]);
            }
            return named;
        }
    }
}
