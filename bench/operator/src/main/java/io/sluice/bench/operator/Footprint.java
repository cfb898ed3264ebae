// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What there is of the operator at a moment, after its garbage was collected.
 *
 * @param hours since the beginning
 * @param gone resources that have come and gone
 * @param heap MiB in use
 * @param outside of the heap: classes, code and the like, MiB in use
 * @param resident MiB, as the kernel says
 * @param files open files
 * @param series of its metrics
 */
record Footprint(
        double hours,
        int gone,
        double heap,
        double outside,
        double resident,
        double threads,
        double files,
        double series) {
    private static final double MEBIBYTE = 1024.0 * 1024.0;

    /** What must not grow. */
    enum Measure {
        HEAP("heap, MiB", Footprint::heap),
        OUTSIDE("outside of the heap, MiB", Footprint::outside),
        RESIDENT("resident, MiB", Footprint::resident),
        THREADS("threads", Footprint::threads),
        FILES("open files", Footprint::files),
        SERIES("series", Footprint::series);

        private final String text;
        private final ToDoubleFunction<Footprint> value;

        Measure(String text, ToDoubleFunction<Footprint> value) {
            this.text = text;
            this.value = value;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** Collects the operator's garbage first. */
    static Footprint of(OperatorProcess operator, double hours, int gone)
            throws IOException, InterruptedException {
        operator.collectGarbage();
        operator.collectGarbage();
        List<String> metrics = operator.metrics();
        return new Footprint(
                hours,
                gone,
                operator.metric("jvm_memory_bytes_used{area=\"heap\"") / MEBIBYTE,
                operator.metric("jvm_memory_bytes_used{area=\"nonheap\"") / MEBIBYTE,
                operator.residentMebibytes(),
                operator.threads(),
                operator.openFiles(),
                metrics.stream().filter(line -> line.startsWith("sluice_")).count());
    }

    static String heading() {
        return "%8s %8s %8s %8s %9s %8s %8s %8s%n"
                .formatted(
                        "minute",
                        "gone",
                        "heap",
                        "outside",
                        "resident",
                        "threads",
                        "files",
                        "series");
    }

    String row() {
        return String.format(
                Locale.ROOT,
                "%8.0f %8d %8.1f %8.1f %9.0f %8.0f %8.0f %8.0f%n",
                hours * 60,
                gone,
                heap,
                outside,
                resident,
                threads,
                files,
                series);
    }

    /**
     * How much more of something there is with each hour: the straight line with the least squares
     * (Montgomery, Peck, Vining: Introduction to Linear Regression Analysis, 2.2 and 2.3).
     *
     * @param footprints three at least, at different times
     */
    static Growth growth(List<Footprint> footprints, Measure what) {
        double time = footprints.stream().mapToDouble(Footprint::hours).average().orElseThrow();
        double mean = footprints.stream().mapToDouble(what.value).average().orElseThrow();
        double together = 0;
        double spread = 0;
        for (Footprint footprint : footprints) {
            together += (footprint.hours - time) * (what.value.applyAsDouble(footprint) - mean);
            spread += (footprint.hours - time) * (footprint.hours - time);
        }
        double slope = together / spread;
        double beside = 0;
        for (Footprint footprint : footprints) {
            double line = mean + slope * (footprint.hours - time);
            beside += Math.pow(what.value.applyAsDouble(footprint) - line, 2);
        }
        double error = Math.sqrt(beside / (footprints.size() - 2) / spread);
        double hours = footprints.getLast().hours - footprints.getFirst().hours;
        return new Growth(slope, slope * hours, error * hours);
    }

    /**
     * @param hourly each hour
     * @param whole from the first look to the last
     * @param error standard error of {@code whole}
     */
    record Growth(double hourly, double whole, double error) {
        /** Whether it is more than {@code most}, and not just by how it came to fall. */
        boolean isMoreThan(double most) {
            return whole > most && whole > 2 * error;
        }
    }
}
