// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.option.BlueGreenOptions;
import io.sluice.rules.config.option.OptionType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The queries of Prometheus that the analysis of a FlinkBlueGreenDeployment may name, as the
 * operator's own configuration defines them: {@code kubernetes.operator.bluegreen.query.NAME.text},
 * {@code .min} and {@code .max}. A resource never says what is asked, nor where.
 *
 * @param queries by their names
 */
public record AnalysisQueries(SequencedMap<String, Query> queries) {
    /** What the keys of all of them begin with. */
    static final String PREFIX = BlueGreenOptions.QUERY.key().replace("*", "");

    private static final Pattern KEY =
            Pattern.compile("([a-z0-9][-a-z0-9]{0,62}+)\\.(text|min|max)");

    /** What ends no string of PromQL, and means nothing in a regular expression but itself. */
    private static final Pattern KUBERNETES_NAME = Pattern.compile("[a-z0-9][-a-z0-9]{0,252}+");

    /**
     * @param text in PromQL, with placeholders
     * @param min the least value that passes
     * @param max the highest value that passes
     */
    public record Query(String text, Optional<Double> min, Optional<Double> max) {
        private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([^{}]{0,100})}}");

        /** The text for a pair; empty if one of the names is none of Kubernetes. */
        public Optional<String> about(Names names) {
            StringBuilder filled = new StringBuilder();
            Matcher matcher = PLACEHOLDER.matcher(text);
            while (matcher.find()) {
                Optional<String> value =
                        names.of(matcher.group(1))
                                .filter(it -> KUBERNETES_NAME.matcher(it).matches());
                if (value.isEmpty()) {
                    return Optional.empty();
                }
                matcher.appendReplacement(filled, value.get());
            }
            return Optional.of(matcher.appendTail(filled).toString());
        }

        /** What is wrong with a text whose braces stand for nothing; empty if there are none. */
        static Optional<String> unknownPlaceholder(String text) {
            return PLACEHOLDER
                    .matcher(text)
                    .results()
                    .map(match -> match.group(1))
                    .filter(word -> !Names.WORDS.contains(word))
                    .findFirst()
                    .map(
                            word ->
                                    "has {{"
                                            + word
                                            + "}}; only {{namespace}}, {{name}}, {{half}} and"
                                            + " {{active}} stand for something");
        }
    }

    /**
     * What the placeholders of a query stand for.
     *
     * @param namespace of the pair
     * @param name of the pair
     * @param half the FlinkDeployment that is being proven
     * @param active the FlinkDeployment that is active
     */
    public record Names(String namespace, String name, String half, String active) {
        private static final List<String> WORDS = List.of("namespace", "name", "half", "active");

        Optional<String> of(String placeholder) {
            return switch (placeholder) {
                case "namespace" -> Optional.of(namespace);
                case "name" -> Optional.of(name);
                case "half" -> Optional.of(half);
                case "active" -> Optional.of(active);
                default -> Optional.empty();
            };
        }
    }

    public AnalysisQueries {
        queries = Collections.unmodifiableSequencedMap(new TreeMap<>(queries));
    }

    /**
     * Those that can be asked: with a text, and at least one bound.
     *
     * @param granted what the operator's configuration says for a namespace, without anything that
     *     a resource says
     */
    public static AnalysisQueries of(FlinkConfiguration granted) {
        Map<String, Map<String, String>> parts = new TreeMap<>();
        granted.entries()
                .forEach(
                        (key, value) -> {
                            if (!value.isBlank()) {
                                part(key)
                                        .ifPresent(
                                                part ->
                                                        parts.computeIfAbsent(
                                                                        part.query(),
                                                                        _ -> new TreeMap<>())
                                                                .put(part.word(), value.strip()));
                            }
                        });
        SequencedMap<String, Query> queries = new TreeMap<>();
        parts.forEach((name, part) -> query(part).ifPresent(query -> queries.put(name, query)));
        return new AnalysisQueries(queries);
    }

    private static Optional<Query> query(Map<String, String> part) {
        Optional<Double> min = bound(part, "min");
        Optional<Double> max = bound(part, "max");
        return Optional.ofNullable(part.get("text"))
                .filter(_ -> min.isPresent() || max.isPresent())
                .map(text -> new Query(text, min, max));
    }

    private static Optional<Double> bound(Map<String, String> part, String which) {
        return Optional.ofNullable(part.get(which)).flatMap(OptionType.DECIMAL::read);
    }

    /** The query of that name; empty if the platform does not define it. */
    public Optional<Query> find(String name) {
        return Optional.ofNullable(queries.get(name));
    }

    /** Whether {@code key} is to define a query. */
    static boolean isKey(String key) {
        return key.startsWith(PREFIX);
    }

    /** What is wrong with the entry of a configuration; empty if nothing is. */
    static Optional<String> complaint(String key, String value) {
        if (!isKey(key)) {
            return Optional.empty();
        }
        Optional<Part> part = part(key);
        if (part.isEmpty()) {
            return Optional.of(
                    "is for a key that defines no query; write "
                            + PREFIX
                            + "NAME.text, .min or .max, where NAME has lower-case letters, digits"
                            + " and '-'");
        }
        return part.get().word().equals("text")
                ? Query.unknownPlaceholder(value)
                : OptionType.DECIMAL.complaint(value);
    }

    /** What is missing for the queries of a configuration to be asked, one sentence for each. */
    static List<String> missing(FlinkConfiguration granted) {
        AnalysisQueries whole = of(granted);
        List<String> missing = new ArrayList<>();
        granted.entries().keySet().stream()
                .flatMap(key -> part(key).stream())
                .map(Part::query)
                .distinct()
                .sorted()
                .filter(name -> whole.find(name).isEmpty())
                .forEach(
                        name ->
                                missing.add(
                                        PREFIX
                                                + name
                                                + ": can't be asked; set .text, and .min or .max"));
        return missing;
    }

    /**
     * What a key defines.
     *
     * @param query the name of the query
     * @param word text, min or max
     */
    private record Part(String query, String word) {}

    private static Optional<Part> part(String key) {
        if (!isKey(key)) {
            return Optional.empty();
        }
        Matcher matcher = KEY.matcher(key.substring(PREFIX.length()));
        return matcher.matches()
                ? Optional.of(new Part(matcher.group(1), matcher.group(2)))
                : Optional.empty();
    }
}
