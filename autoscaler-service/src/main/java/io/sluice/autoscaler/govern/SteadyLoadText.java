// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.govern.SteadyLoad.Level;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A steady load as text: since when, since when measured, and whether the job was fitted to it,
 * then for each vertex its id, rate, capacity and looks.
 *
 * <pre>
 * 2026-01-01T00:00:00Z 2026-01-01T00:00:00Z false;cbc357ccb763df2852fee8c4fc7d55f2 1000.0 1250.0 17
 * </pre>
 */
final class SteadyLoadText {
    /**
     * In characters: a ConfigMap holds 1 MiB, most of it samples. Of a job with more vertices a
     * load is found steady anew after a restart.
     */
    static final int LONGEST = 8 * 1024;

    private static final String NEVER = "-";

    private SteadyLoadText() {}

    /** Empty if there is none yet, or its text would be too long. */
    static Optional<String> of(SteadyLoad load) {
        if (load.since().isEmpty()) {
            return Optional.empty();
        }
        String text =
                "%s %s %s;".formatted(time(load.since()), time(load.measuredSince()), load.fitted())
                        + load.levels().entrySet().stream()
                                .map(SteadyLoadText::level)
                                .collect(Collectors.joining(";"));
        return Optional.of(text).filter(each -> each.length() <= LONGEST);
    }

    /** {@link SteadyLoad#NONE} if it can't be read, or is of a time after {@code now}. */
    static SteadyLoad read(String text, Instant now) {
        if (text.isBlank() || text.length() > LONGEST) {
            return SteadyLoad.NONE;
        }
        try {
            SteadyLoad read = parse(List.of(text.strip().split(";", -1)));
            boolean isLater = newest(read).filter(newest -> newest.isAfter(now)).isPresent();
            return isLater ? SteadyLoad.NONE : read;
        } catch (DateTimeException | IllegalArgumentException unreadable) {
            return SteadyLoad.NONE;
        }
    }

    private static SteadyLoad parse(List<String> parts) {
        List<String> head = words(parts.getFirst(), 3);
        SortedMap<String, Level> levels = new TreeMap<>();
        for (String part : parts.subList(1, parts.size())) {
            List<String> words = words(part, 4);
            levels.put(
                    words.get(0),
                    new Level(
                            Double.parseDouble(words.get(1)),
                            Double.parseDouble(words.get(2)),
                            Integer.parseInt(words.get(3))));
        }
        return new SteadyLoad(
                time(head.get(0)), time(head.get(1)), levels, Boolean.parseBoolean(head.get(2)));
    }

    private static List<String> words(String text, int count) {
        List<String> words = List.of(text.split(" ", -1));
        if (words.size() != count) {
            throw new IllegalArgumentException(text);
        }
        return words;
    }

    private static Optional<Instant> newest(SteadyLoad load) {
        return Stream.of(load.since(), load.measuredSince())
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder());
    }

    private static String level(Map.Entry<String, Level> vertex) {
        Level level = vertex.getValue();
        return vertex.getKey() + " " + level.rate() + " " + level.capacity() + " " + level.looks();
    }

    private static String time(Optional<Instant> time) {
        return time.map(Instant::toString).orElse(NEVER);
    }

    private static Optional<Instant> time(String text) {
        return text.equals(NEVER) ? Optional.empty() : Optional.of(Instant.parse(text));
    }
}
