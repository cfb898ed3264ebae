// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.flink.autoscaler.metrics.CollectedMetrics;
import org.apache.flink.autoscaler.metrics.ScalingMetric;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.junit.jupiter.api.Test;

class SamplesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123456789Z");
    private static final JobVertexID SOURCE = JobVertexID.fromHexString("0a".repeat(16));
    private static final JobVertexID SINK = JobVertexID.fromHexString("0b".repeat(16));
    private static final int WINDOW = 60;

    @Test
    void givesBackWhatItWasGivenWhateverIsMissingInWhichSample() {
        NavigableMap<Instant, CollectedMetrics> metrics = new TreeMap<>();
        metrics.put(
                NOW,
                sample(
                        Map.of(
                                SOURCE,
                                Map.of(ScalingMetric.LAG, Double.NaN, ScalingMetric.LOAD, 0.5),
                                SINK,
                                Map.of(ScalingMetric.LOAD, Double.POSITIVE_INFINITY)),
                        Map.of(ScalingMetric.GC_PRESSURE, 0.25)));
        metrics.put(
                NOW.plusSeconds(15),
                sample(Map.of(SOURCE, Map.of(ScalingMetric.LOAD, 0.75)), Map.of()));
        metrics.put(
                NOW.plusSeconds(30),
                sample(
                        Map.of(SOURCE, Map.of(ScalingMetric.LAG, 7.0), SINK, Map.of()),
                        Map.of(ScalingMetric.NUM_TASK_SLOTS_USED, 4.0)));
        metrics.put(NOW.plusSeconds(45), sample(Map.of(), Map.of()));

        Samples samples = Samples.of(metrics);

        assertSame(samples, metrics);
        assertThat(samples.newest()).contains(NOW.plusSeconds(45));
        assertThat(Samples.NONE.newest()).isEmpty();
    }

    @Test
    void keepsNoSampleThatTheEngineHasDropped() {
        NavigableMap<Instant, CollectedMetrics> metrics = window(10, WINDOW);
        Samples before = Samples.of(metrics);

        metrics.headMap(NOW.plusSeconds(300), false).clear();

        assertThat(before.unpacked()).hasSize(WINDOW);
        assertSame(before.replacedBy(metrics), metrics);
    }

    @Test
    void whatTheCallerDoesToItsMapsChangesNoSample() {
        NavigableMap<Instant, CollectedMetrics> metrics = window(2, 3);
        Samples samples = Samples.of(metrics);

        samples.unpacked().clear();
        metrics.clear();

        assertSame(samples, window(2, 3));
    }

    @Test
    void aWindowTakesASixthOfTheMemoryOfTheEnginesMaps() {
        double packed = live(1500, () -> Samples.of(window(10, WINDOW)));
        double maps = live(150, () -> window(10, WINDOW));

        assertThat(packed).isPositive().isLessThan(maps / 6);
    }

    @Test
    void aFurtherSampleDoesNotPackTheOthersAgain() {
        NavigableMap<Instant, CollectedMetrics> metrics = window(10, WINDOW);
        Samples before = Samples.of(metrics);
        metrics.putAll(window(10, WINDOW + 1));

        assertThat(allocated(() -> before.replacedBy(metrics))).isLessThan(10 * 1024);
    }

    @Test
    void knowsByHowMuchACounterGrewHoweverLongItHasBeenCounting() {
        NavigableMap<Instant, CollectedMetrics> metrics = new TreeMap<>();
        Samples samples = Samples.NONE;
        for (int i = 0; i < 1000; i++) {
            Instant at = NOW.plusSeconds(15L * i);
            metrics.put(at, counted(1e15 + 1e6 * i));
            samples = samples.replacedBy(metrics);
        }

        NavigableMap<Instant, CollectedMetrics> unpacked = samples.unpacked();

        assertThat(count(unpacked.lastEntry()) - count(unpacked.lowerEntry(unpacked.lastKey())))
                .isCloseTo(1e6, withinPercentage(0.01));
    }

    private static CollectedMetrics counted(double records) {
        return sample(Map.of(SOURCE, Map.of(ScalingMetric.NUM_RECORDS_IN, records)), Map.of());
    }

    private static double count(Map.Entry<Instant, CollectedMetrics> at) {
        return at.getValue()
                .getVertexMetrics()
                .getOrDefault(SOURCE, Map.of())
                .getOrDefault(ScalingMetric.NUM_RECORDS_IN, Double.NaN);
    }

    /** To seven digits. */
    static void assertSame(Samples samples, SortedMap<Instant, CollectedMetrics> wanted) {
        assertThat(samples.unpacked())
                .usingRecursiveComparison()
                .withEqualsForType(SamplesTest::areClose, Double.class)
                .isEqualTo(wanted);
    }

    private static boolean areClose(double one, double other) {
        return Double.compare(one, other) == 0 || Math.abs(one - other) <= 1e-6 * Math.abs(other);
    }

    /**
     * Bytes on the heap that one of them keeps. Some tens of MiB are made, as what else the process
     * lets go of meanwhile is a few.
     */
    private static double live(int count, Supplier<Object> made) {
        long before = live();
        List<Object> all = Stream.generate(made).limit(count).toList();
        long after = live();
        assertThat(all).hasSize(count);
        return (double) (after - before) / count;
    }

    private static long live() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    /** Bytes that this thread allocates, of which what is returned is a part. */
    private static long allocated(Supplier<Samples> work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        Samples made = work.get();
        long after = threads.getCurrentThreadAllocatedBytes();
        assertThat(made.newest()).isPresent();
        return after - before;
    }

    private static NavigableMap<Instant, CollectedMetrics> window(int vertices, int length) {
        NavigableMap<Instant, CollectedMetrics> metrics = new TreeMap<>();
        for (int i = 0; i < length; i++) {
            Map<JobVertexID, Map<ScalingMetric, Double>> ofVertices = new HashMap<>();
            for (int vertex = 0; vertex < vertices; vertex++) {
                Map<ScalingMetric, Double> values = new HashMap<>();
                for (ScalingMetric metric :
                        List.of(
                                ScalingMetric.LOAD,
                                ScalingMetric.NUM_RECORDS_IN,
                                ScalingMetric.NUM_RECORDS_OUT,
                                ScalingMetric.ACCUMULATED_BUSY_TIME,
                                ScalingMetric.LAG,
                                ScalingMetric.OBSERVED_TPR)) {
                    values.put(metric, i + vertex / 10.0);
                }
                ofVertices.put(new JobVertexID(vertex, 1), values);
            }
            metrics.put(
                    NOW.plusSeconds(15L * i),
                    sample(ofVertices, Map.of(ScalingMetric.GC_PRESSURE, i / 100.0)));
        }
        return metrics;
    }

    private static CollectedMetrics sample(
            Map<JobVertexID, Map<ScalingMetric, Double>> vertices,
            Map<ScalingMetric, Double> global) {
        return new CollectedMetrics(vertices, global);
    }
}
