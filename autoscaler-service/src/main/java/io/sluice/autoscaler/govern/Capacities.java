// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What each vertex could do when it was first measured with each of its last parallelisms. If it
 * can do much more or less since then with the same parallelism, then a record costs something
 * else, or a neighbour takes its processors: what was measured before says nothing about more
 * subtasks.
 *
 * @param vertices by vertex id
 */
public record Capacities(SortedMap<String, Measured> vertices) {
    public static final Capacities NONE = new Capacities(Collections.emptySortedMap());

    /** By this share a capacity may differ, and be the same but for noise. */
    private static final double SAME = 0.2;

    /** In characters, as a ConfigMap holds 1 MiB; of a job with more vertices none is stored. */
    private static final int LONGEST = 8 * 1024;

    /** The smallest and the largest parallelism are among them. */
    private static final int MOST_POINTS = 6;

    /**
     * @param points by parallelism, in records per second if always busy
     * @param current the parallelism it had last
     * @param comparableSince what was measured before is not comparable
     */
    record Measured(SortedMap<Integer, Double> points, int current, Instant comparableSince) {
        Measured {
            points = Collections.unmodifiableSortedMap(new TreeMap<>(points));
        }

        private Measured seen(Vertex vertex, Instant now) {
            double capacity = vertex.need().capacity();
            int running = vertex.running();
            if (running == current) {
                double former = points.getOrDefault(running, capacity);
                return Math.abs(capacity - former) > SAME * former
                        ? new Measured(new TreeMap<>(Map.of(running, capacity)), running, now)
                        : this;
            }
            NavigableMap<Integer, Double> next = new TreeMap<>(points);
            next.put(running, capacity);
            if (next.size() > MOST_POINTS) {
                next.keySet().stream()
                        .skip(1)
                        .filter(each -> each != running)
                        .findFirst()
                        .ifPresent(next::remove);
            }
            return new Measured(next, running, comparableSince);
        }
    }

    public Capacities {
        vertices = Collections.unmodifiableSortedMap(new TreeMap<>(vertices));
    }

    /** With what a full window of metrics says. */
    public Capacities seen(Proposal proposal) {
        SortedMap<String, Measured> next = new TreeMap<>();
        proposal.vertices()
                .forEach(
                        (id, vertex) -> {
                            Optional<Measured> former = Optional.ofNullable(vertices.get(id));
                            if (vertex.need().isKnown()) {
                                next.put(
                                        id,
                                        former.map(each -> each.seen(vertex, proposal.now()))
                                                .orElseGet(() -> first(vertex)));
                            } else {
                                former.ifPresent(each -> next.put(id, each));
                            }
                        });
        return new Capacities(next);
    }

    private static Measured first(Vertex vertex) {
        return new Measured(
                new TreeMap<>(Map.of(vertex.running(), vertex.need().capacity())),
                vertex.running(),
                Instant.EPOCH);
    }

    /** What a vertex could do with other parallelisms than it has. */
    public List<Vertex.Point> points(String id) {
        return Optional.ofNullable(vertices.get(id)).stream()
                .flatMap(
                        measured ->
                                measured.points().entrySet().stream()
                                        .filter(each -> each.getKey() != measured.current()))
                .map(each -> new Vertex.Point(each.getKey(), each.getValue()))
                .toList();
    }

    /** Since when what was measured of a vertex can be compared with what is measured now. */
    public Instant comparableSince(String id) {
        return Optional.ofNullable(vertices.get(id))
                .map(Measured::comparableSince)
                .orElse(Instant.EPOCH);
    }

    /**
     * For the ConfigMap: {@code id current comparableSince parallelism=rate,...;...}. Empty if
     * there is nothing yet, or if it would be too long.
     */
    Optional<String> text() {
        return Optional.of(
                        vertices.entrySet().stream()
                                .map(each -> each.getKey() + " " + text(each.getValue()))
                                .collect(Collectors.joining(";")))
                .filter(text -> !text.isEmpty() && text.length() <= LONGEST);
    }

    private static String text(Measured measured) {
        return measured.points().entrySet().stream()
                .map(point -> point.getKey() + "=" + point.getValue())
                .collect(
                        Collectors.joining(
                                ",",
                                measured.current() + " " + measured.comparableSince() + " ",
                                ""));
    }

    /** What {@link #text} wrote; {@link #NONE} if it can't be read, or is of a time after now. */
    static Capacities read(String text, Instant now) {
        SortedMap<String, Measured> read = new TreeMap<>();
        if (text.isBlank() || text.length() > LONGEST) {
            return NONE;
        }
        try {
            for (String vertex : text.split(";", -1)) {
                List<String> words = List.of(vertex.split(" ", -1));
                Measured measured =
                        new Measured(
                                points(words.get(3).split(",", -1)),
                                Integer.parseInt(words.get(1)),
                                Instant.parse(words.get(2)));
                if (measured.comparableSince().isAfter(now)) {
                    return NONE;
                }
                read.put(words.get(0), measured);
            }
        } catch (DateTimeException | IllegalArgumentException | IndexOutOfBoundsException broken) {
            return NONE;
        }
        return new Capacities(read);
    }

    private static SortedMap<Integer, Double> points(String... texts) {
        SortedMap<Integer, Double> points = new TreeMap<>();
        for (String text : texts) {
            List<String> words = List.of(text.split("=", -1));
            double rate = Double.parseDouble(words.get(1));
            if (!(rate > 0) || !Double.isFinite(rate)) {
                throw new IllegalArgumentException(text);
            }
            points.put(Integer.valueOf(words.get(0)), rate);
        }
        return points;
    }
}
