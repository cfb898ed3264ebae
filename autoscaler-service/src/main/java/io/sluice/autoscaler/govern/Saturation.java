// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a subtask of each vertex could do while all of them were busy all the time. How much a
 * vertex could do is otherwise estimated from how busy it is, and that is too much where something
 * else is the limit: subtasks in one slot share its processors, and wait for one another only when
 * these are used up.
 *
 * @param vertices by vertex id
 */
public record Saturation(SortedMap<String, Limit> vertices) {
    public static final Saturation NONE = new Saturation(Collections.emptySortedMap());

    /** After so long the job may be another one. */
    private static final Duration LASTING = Duration.ofHours(12);

    /** In characters, as a ConfigMap holds 1 MiB; of a job with more vertices none is stored. */
    private static final int LONGEST = 8 * 1024;

    /**
     * @param ofOne records per second of one subtask
     */
    record Limit(double ofOne, Instant at) {}

    public Saturation {
        vertices = Collections.unmodifiableSortedMap(new TreeMap<>(vertices));
    }

    /** With what a full window of metrics says. */
    public Saturation seen(Proposal proposal) {
        SortedMap<String, Limit> next = new TreeMap<>(vertices);
        next.values().removeIf(limit -> limit.at().plus(LASTING).isBefore(proposal.now()));
        proposal.vertices()
                .forEach(
                        (id, vertex) -> {
                            if (vertex.need().isSwamped()) {
                                double ofOne = vertex.need().capacity() / vertex.running();
                                next.put(id, new Limit(ofOne, proposal.now()));
                            }
                        });
        return new Saturation(next);
    }

    /** No vertex can do more than its subtasks could then. */
    public Proposal respected(Proposal proposal) {
        SortedMap<String, Vertex> limited = new TreeMap<>();
        proposal.vertices()
                .forEach(
                        (id, vertex) ->
                                limited.put(
                                        id,
                                        Optional.ofNullable(vertices.get(id))
                                                .map(limit -> limit.ofOne() * vertex.running())
                                                .filter(most -> most < vertex.need().capacity())
                                                .map(
                                                        most ->
                                                                vertex.withNeed(
                                                                        vertex.need()
                                                                                .withCapacity(
                                                                                        most)))
                                                .orElse(vertex)));
        return proposal.withVertices(limited);
    }

    /**
     * For the ConfigMap: {@code id ofOne at;...}. Empty if there is nothing yet, or if it would be
     * too long.
     */
    Optional<String> text() {
        return Optional.of(
                        vertices.entrySet().stream()
                                .map(
                                        each ->
                                                each.getKey()
                                                        + " "
                                                        + each.getValue().ofOne()
                                                        + " "
                                                        + each.getValue().at())
                                .collect(Collectors.joining(";")))
                .filter(text -> !text.isEmpty() && text.length() <= LONGEST);
    }

    /** What {@link #text} wrote; {@link #NONE} if it can't be read, or is of a time after now. */
    static Saturation read(String text, Instant now) {
        SortedMap<String, Limit> read = new TreeMap<>();
        if (text.isBlank() || text.length() > LONGEST) {
            return NONE;
        }
        try {
            for (String vertex : text.split(";", -1)) {
                List<String> words = List.of(vertex.split(" ", -1));
                Limit limit =
                        new Limit(Double.parseDouble(words.get(1)), Instant.parse(words.get(2)));
                if (!(limit.ofOne() > 0) || limit.at().isAfter(now)) {
                    return NONE;
                }
                read.put(words.get(0), limit);
            }
        } catch (DateTimeException | IllegalArgumentException | IndexOutOfBoundsException broken) {
            return NONE;
        }
        return new Saturation(read);
    }
}
