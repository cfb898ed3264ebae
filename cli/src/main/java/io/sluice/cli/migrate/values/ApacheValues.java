// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate.values;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What becomes of the values of the Apache operator's chart: the chart's own table says what stands
 * for each in words, and {@code moves.yaml} where it goes.
 */
final class ApacheValues {
    /**
     * What the chart's table says of a value.
     *
     * @param use what stands for it, in words
     * @param fine what may be given all the same
     * @param unless a flag beside the value without which it means nothing; empty if there is none
     */
    record Hint(String use, Set<String> fine, String unless) {}

    /**
     * Where a value goes.
     *
     * @param to values of our chart, each as the keys that lead to it
     * @param keepsAll whether nothing has to be done about it, whatever it is
     * @param kept values about which nothing has to be done
     * @param check what to look at after the move; empty if nothing
     * @param variable the environment variable that it becomes; empty if it remains what it is
     */
    record Move(
            List<List<String>> to,
            boolean keepsAll,
            Set<String> kept,
            String check,
            String variable) {
        /** Whether a value needs no counterpart. */
        boolean isKept(String value) {
            return keepsAll || kept.contains(value);
        }
    }

    private static final JsonNode HINTS = read("/chart/apache-values.yaml");
    private static final JsonNode MOVES = read("moves.yaml");

    private ApacheValues() {}

    /** What the chart says of a value; empty if it is in no table, or means the same in both. */
    static Optional<Hint> hint(String path) {
        return Optional.ofNullable(HINTS.get(path))
                .filter(entry -> !entry.path("ours").asBoolean(false))
                .map(
                        entry ->
                                new Hint(
                                        entry.path("use").asText(""),
                                        texts(entry.path("fine")),
                                        entry.path("unless").asText("")));
    }

    static Optional<Move> move(String path) {
        return Optional.ofNullable(MOVES.get(path))
                .map(
                        entry ->
                                new Move(
                                        texts(entry.path("to")).stream()
                                                .map(target -> List.of(target.split("/", -1)))
                                                .toList(),
                                        entry.path("keep").asBoolean(false),
                                        texts(entry.path("keep")),
                                        entry.path("check").asText(""),
                                        entry.path("variable").asText("")));
    }

    /** Whether values below {@code path} are listed one by one. */
    static boolean isDivided(String path) {
        return paths().anyMatch(each -> each.startsWith(path + "."));
    }

    /** Every value that is in one of the tables. */
    static Stream<String> paths() {
        return Stream.of(HINTS, MOVES)
                .flatMap(table -> table.propertyStream().map(Map.Entry::getKey))
                .distinct();
    }

    private static Set<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static JsonNode read(String name) {
        try (InputStream yaml =
                Objects.requireNonNull(ApacheValues.class.getResourceAsStream(name), name)) {
            return new YAMLMapper().readTree(yaml);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
