// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The last hours of one job, a point a minute, and the decisions on it. Kept as packed numbers: a
 * thousand jobs have one each.
 */
public final class Timeline {
    /** What is kept of each vertex, by the names of the engine's metrics. */
    public static final List<String> SERIES =
            List.of("load", "true_processing_rate", "target_data_rate", "lag", "parallelism");

    private static final Duration STEP = Duration.ofSeconds(55);
    private static final int POINTS = 240;
    private static final int MARKS = 60;

    private final Deque<Point> points = new ArrayDeque<>();
    private final Deque<Mark> marks = new ArrayDeque<>();

    /** Numbers of one moment: those of the first vertex, those of the second. */
    private static final class Point {
        private final Instant at;
        private final List<String> vertices;
        private final float[] values;

        Point(Instant at, List<String> vertices, float[] values) {
            this.at = at;
            this.vertices = vertices;
            this.values = values;
        }

        Optional<Float> value(String vertex, int series) {
            int index = vertices.indexOf(vertex);
            return index < 0
                    ? Optional.empty()
                    : Optional.of(values[index * SERIES.size() + series]).filter(Float::isFinite);
        }
    }

    /** Keeps what was seen, unless the last point is less than a minute old. */
    public synchronized void add(Instant at, List<VertexView> seen) {
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
        float[] values = new float[ids.size() * SERIES.size()];
        for (int v = 0; v < ids.size(); v++) {
            for (int s = 0; s < SERIES.size(); s++) {
                values[v * SERIES.size() + s] = value(seen.get(v), SERIES.get(s));
            }
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
            for (int s = 0; s < SERIES.size(); s++) {
                ArrayNode values = of.putArray(SERIES.get(s));
                for (Point point : points) {
                    point.value(vertex, s).ifPresentOrElse(values::add, values::addNull);
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

    private static float value(VertexView vertex, String series) {
        return series.equals("parallelism")
                ? vertex.parallelism()
                : vertex.measure(series).orElse(Double.NaN).floatValue();
    }
}
