// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.state;

import java.time.Duration;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.autoscaler.metrics.CollectedMetrics;
import org.apache.flink.autoscaler.metrics.ScalingMetric;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of a job over its metrics window. The engine has a map of boxed numbers for
 * each vertex of each sample, which takes several times the memory: here a sample is one array, and
 * what its numbers are is kept once for all samples in a row that have the same. A number is exact
 * to seven digits of what it differs from that of half an hour before at most. Immutable.
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
                    packed.put(at, known == null ? Sample.of(sample, at, newest(packed)) : known);
                });
        return new Samples(packed);
    }

    /** In the engine's form; a map of the caller's own, with samples that can't be changed. */
    public NavigableMap<Instant, CollectedMetrics> unpacked() {
        NavigableMap<Instant, CollectedMetrics> metrics = new TreeMap<>();
        samples.forEach((at, sample) -> metrics.put(at, sample.unpacked()));
        return metrics;
    }

    /** When the newest was taken; empty if there is none. */
    public Optional<Instant> newest() {
        return samples.isEmpty() ? Optional.empty() : Optional.of(samples.lastKey());
    }

    private static Optional<Sample> newest(NavigableMap<Instant, Sample> packed) {
        return Optional.ofNullable(packed.lastEntry()).map(Map.Entry::getValue);
    }

    private static final class Sample {
        private final Layout layout;
        private final Base base;
        private final float[] differences;

        private Sample(Layout layout, Base base, float[] differences) {
            this.layout = layout;
            this.base = base;
            this.differences = differences;
        }

        static Sample of(CollectedMetrics metrics, Instant at, Optional<Sample> before) {
            Optional<Sample> alike = before.filter(sample -> sample.layout.fits(metrics));
            Layout layout = alike.map(sample -> sample.layout).orElseGet(() -> Layout.of(metrics));
            double[] values = layout.pack(metrics);
            Base base =
                    alike.map(sample -> sample.base)
                            .filter(same -> same.isNear(at))
                            .orElseGet(() -> Base.of(values, at));
            return new Sample(layout, base, base.differences(values));
        }

        CollectedMetrics unpacked() {
            return new CollectedMetrics(
                    new OfVertices(this),
                    new Named(this, layout.global(), differences.length - layout.global().size()));
        }

        double value(int index) {
            return base.value(index) + differences[index];
        }
    }

    /**
     * What the samples of half an hour are told as differences to. Counters grow for as long as a
     * job runs, and what they grew by within half an hour is a float of which seven digits count.
     */
    private static final class Base {
        private static final Duration LONGEST = Duration.ofMinutes(30);

        private final Instant at;
        private final double[] values;

        private Base(Instant at, double[] values) {
            this.at = at;
            this.values = values;
        }

        static Base of(double[] values, Instant at) {
            return new Base(
                    at,
                    Arrays.stream(values).map(each -> Double.isFinite(each) ? each : 0).toArray());
        }

        boolean isNear(Instant other) {
            return Duration.between(at, other).abs().compareTo(LONGEST) < 0;
        }

        float[] differences(double[] others) {
            float[] differences = new float[others.length];
            for (int i = 0; i < others.length; i++) {
                differences[i] = (float) (others[i] - values[i]);
            }
            return differences;
        }

        double value(int index) {
            return values[index];
        }
    }

    /** The numbers of each vertex. They are read where they lie, and never copied. */
    private static final class OfVertices
            extends AbstractMap<JobVertexID, Map<ScalingMetric, Double>> {
        private final Sample sample;

        OfVertices(Sample sample) {
            this.sample = sample;
        }

        @Override
        public boolean containsKey(Object vertex) {
            return sample.layout.vertices().containsKey(vertex);
        }

        @Override
        public @Nullable Map<ScalingMetric, Double> get(Object vertex) {
            return Optional.ofNullable(sample.layout.vertices().get(vertex))
                    .map(this::named)
                    .orElse(null);
        }

        @Override
        public Set<Entry<JobVertexID, Map<ScalingMetric, Double>>> entrySet() {
            return sample.layout.vertices().entrySet().stream()
                    .map(vertex -> Map.entry(vertex.getKey(), named(vertex.getValue())))
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }

        private Map<ScalingMetric, Double> named(Layout.Place place) {
            return new Named(sample, place.metrics(), place.first());
        }
    }

    /** The numbers of one vertex, or of the whole job, by their names. */
    private static final class Named extends AbstractMap<ScalingMetric, Double> {
        private final Sample sample;
        private final List<ScalingMetric> names;
        private final int first;

        Named(Sample sample, List<ScalingMetric> names, int first) {
            this.sample = sample;
            this.names = names;
            this.first = first;
        }

        @Override
        public boolean containsKey(Object metric) {
            return names.contains(metric);
        }

        @Override
        public @Nullable Double get(Object metric) {
            int index = names.indexOf(metric);
            return index < 0 ? null : sample.value(first + index);
        }

        @Override
        public Set<Entry<ScalingMetric, Double>> entrySet() {
            Set<Entry<ScalingMetric, Double>> entries = new LinkedHashSet<>();
            for (int i = 0; i < names.size(); i++) {
                entries.add(Map.entry(names.get(i), sample.value(first + i)));
            }
            return entries;
        }
    }

    /**
     * What the numbers of a sample are, in their order: those of each vertex, then those of the
     * whole job.
     *
     * @param vertices in the order of their numbers
     * @param global of the whole job
     */
    private record Layout(Map<JobVertexID, Place> vertices, List<ScalingMetric> global) {
        /**
         * Where the numbers of a vertex are.
         *
         * @param first index of the first one
         */
        record Place(List<ScalingMetric> metrics, int first) {}

        static Layout of(CollectedMetrics sample) {
            Map<JobVertexID, Place> vertices = new LinkedHashMap<>();
            int next = 0;
            for (var vertex : sample.getVertexMetrics().entrySet()) {
                List<ScalingMetric> metrics = List.copyOf(vertex.getValue().keySet());
                vertices.put(vertex.getKey(), new Place(metrics, next));
                next += metrics.size();
            }
            return new Layout(vertices, List.copyOf(sample.getGlobalMetrics().keySet()));
        }

        boolean fits(CollectedMetrics sample) {
            return sample.getVertexMetrics().size() == vertices.size()
                    && has(sample.getGlobalMetrics(), global)
                    && vertices.entrySet().stream()
                            .allMatch(
                                    vertex ->
                                            Optional.ofNullable(
                                                            sample.getVertexMetrics()
                                                                    .get(vertex.getKey()))
                                                    .filter(
                                                            values ->
                                                                    has(
                                                                            values,
                                                                            vertex.getValue()
                                                                                    .metrics()))
                                                    .isPresent());
        }

        private static boolean has(Map<ScalingMetric, Double> values, List<ScalingMetric> names) {
            return values.size() == names.size() && values.keySet().containsAll(names);
        }

        double[] pack(CollectedMetrics sample) {
            int first = vertices.values().stream().mapToInt(each -> each.metrics().size()).sum();
            double[] values = new double[first + global.size()];
            vertices.forEach(
                    (vertex, place) ->
                            pack(
                                    place,
                                    sample.getVertexMetrics().getOrDefault(vertex, Map.of()),
                                    values));
            pack(new Place(global, first), sample.getGlobalMetrics(), values);
            return values;
        }

        private static void pack(Place place, Map<ScalingMetric, Double> from, double[] values) {
            for (int i = 0; i < place.metrics().size(); i++) {
                values[place.first() + i] = from.getOrDefault(place.metrics().get(i), Double.NaN);
            }
        }
    }
}
