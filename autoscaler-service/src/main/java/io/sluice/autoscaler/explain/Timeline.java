// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.autoscaler.state.HalfFloat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The last hours of one job, a point each two minutes, and the decisions on it. Kept as packed
 * numbers, as a thousand jobs have one each: parallelisms exactly, measures by their upper 16 bits
 * as a float, which is a part in 256.
 */
public final class Timeline {
    private static final String TARGET = "target_data_rate";

    /** The names of the engine's metrics whose values are kept of each vertex. */
    private static final List<String> MEASURED =
            List.of(
                    "load",
                    "true_processing_rate",
                    TARGET,
                    "lag",
                    "scale_up_rate_threshold",
                    "scale_down_rate_threshold");

    /**
     * The parallelism that a vertex runs with, and the one that was proposed or published, if any.
     */
    private static final List<String> SIZES = List.of("parallelism", "wanted");

    private static final int SERIES = MEASURED.size() + SIZES.size();

    private static final Duration STEP = Duration.ofSeconds(115);
    private static final int POINTS = 120;
    private static final int MARKS = 60;

    /** Numbers of a sparkline. */
    private static final int RATES = 48;

    private static final int NO_SIZE = -1;

    private final Deque<Point> points = new ArrayDeque<>();
    private final Deque<Mark> marks = new ArrayDeque<>();

    /** Numbers of one moment: those of the first vertex, those of the second. */
    private static final class Point {
        private final Instant at;
        private final List<String> vertices;
        private final short[] values;

        Point(Instant at, List<String> vertices, short[] values) {
            this.at = at;
            this.vertices = vertices;
            this.values = values;
        }

        Optional<Float> measured(String vertex, int series) {
            return packed(vertex, series).map(HalfFloat::unpacked).filter(Float::isFinite);
        }

        Optional<Integer> size(String vertex, int series) {
            return packed(vertex, MEASURED.size() + series)
                    .map(Short::intValue)
                    .filter(size -> size != NO_SIZE);
        }

        private Optional<Short> packed(String vertex, int series) {
            int index = vertices.indexOf(vertex);
            return index < 0 ? Optional.empty() : Optional.of(values[index * SERIES + series]);
        }
    }

    /**
     * Keeps what was seen, unless the last point is less than two minutes old.
     *
     * @param wanted parallelisms that were proposed or published, by vertex id
     */
    public synchronized void add(Instant at, List<VertexView> seen, Map<String, Integer> wanted) {
        boolean early =
                !points.isEmpty()
                        && !points.getLast().at.isAfter(at)
                        && points.getLast().at.plus(STEP).isAfter(at);
        if (early || seen.isEmpty()) {
            return;
        }
        List<String> ids = seen.stream().map(VertexView::id).toList();
        List<String> shared =
                points.isEmpty() || !points.getLast().vertices.equals(ids)
                        ? ids
                        : points.getLast().vertices;
        short[] values = new short[ids.size() * SERIES];
        int next = 0;
        for (VertexView vertex : seen) {
            for (String measure : MEASURED) {
                values[next++] =
                        HalfFloat.packed(vertex.measure(measure).orElse(Double.NaN).floatValue());
            }
            values[next++] = size(vertex.parallelism());
            values[next++] = size(wanted.getOrDefault(vertex.id(), NO_SIZE));
        }
        points.addLast(new Point(at, shared, values));
        if (points.size() > POINTS) {
            points.removeFirst();
        }
    }

    /** Keeps a decision; one that only repeats the last is dropped. */
    public synchronized void mark(Mark mark) {
        boolean repeats =
                !marks.isEmpty()
                        && marks.getLast().outcome().equals(mark.outcome())
                        && marks.getLast().why().equals(mark.why())
                        && !mark.outcome().equals("scaled");
        if (!repeats) {
            marks.addLast(mark);
            if (marks.size() > MARKS) {
                marks.removeFirst();
            }
        }
    }

    /**
     * {@code times} in seconds since 1970, {@code vertices.<id>.<series>} one number for each of
     * them or null, and {@code marks}.
     */
    synchronized void writeTo(ObjectNode json, List<String> vertices) {
        ArrayNode times = json.putArray("times");
        points.forEach(point -> times.add(point.at.getEpochSecond()));
        ObjectNode series = json.putObject("vertices");
        for (String vertex : vertices) {
            ObjectNode of = series.putObject(vertex);
            for (int s = 0; s < MEASURED.size(); s++) {
                ArrayNode values = of.putArray(MEASURED.get(s));
                for (Point point : points) {
                    point.measured(vertex, s).ifPresentOrElse(values::add, values::addNull);
                }
            }
            for (int s = 0; s < SIZES.size(); s++) {
                ArrayNode values = of.putArray(SIZES.get(s));
                for (Point point : points) {
                    point.size(vertex, s).ifPresentOrElse(values::add, values::addNull);
                }
            }
        }
        ArrayNode all = json.putArray("marks");
        marks.forEach(
                mark ->
                        all.addObject()
                                .put("at", mark.at().getEpochSecond())
                                .put("outcome", mark.outcome())
                                .put("why", mark.why()));
    }

    /**
     * What came in at all of {@code sources}, in records per second, over the same time with fewer
     * numbers; null where it is not known.
     */
    synchronized void writeRates(ArrayNode json, List<String> sources) {
        int target = MEASURED.indexOf(TARGET);
        int step = Math.max(1, Math.ceilDiv(points.size(), RATES));
        List<Point> all = List.copyOf(points);
        for (int i = (all.size() - 1) % step; i >= 0 && i < all.size(); i += step) {
            Point point = all.get(i);
            List<Float> rates =
                    sources.stream()
                            .flatMap(source -> point.measured(source, target).stream())
                            .toList();
            if (rates.isEmpty()) {
                json.addNull();
            } else {
                json.add(rates.stream().reduce(0f, Float::sum));
            }
        }
    }

    private static short size(int parallelism) {
        return (short) Math.min(parallelism, Short.MAX_VALUE);
    }
}
