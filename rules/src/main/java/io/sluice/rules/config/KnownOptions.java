// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.rules.config.option.AutoscalerOptions;
import io.sluice.rules.config.option.DeclaredOptions;
import io.sluice.rules.config.option.OperatorOption;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The keys that Flink, its autoscaler and the operator know. Used to help, never to refuse: plugins
 * and file systems bring keys of their own.
 */
public final class KnownOptions {
    /** Below these, names are free. */
    private static final List<String> OPEN =
            List.of(
                    AnalysisQueries.PREFIX,
                    "containerized.",
                    "env.",
                    "flink.hadoop.",
                    "fs.",
                    "job.autoscaler.metrics.custom-evaluator.",
                    "job.autoscaler.scaling.custom-executor.",
                    "job.autoscaler.scaling.parallelism-alignment.mode.",
                    DefaultConfiguration.OVERLAYS,
                    OperatorOption.PREFIX + "metrics.",
                    PluginOptions.PREFIX,
                    "metrics.reporter.",
                    "s3.");

    /** More edits than this make another word, not a slip. */
    private static final int MOST_EDITS = 2;

    private static final int SHORTEST = 8;

    /** Letters that have to be right at one end: a slip at both is rare, and dear to look for. */
    private static final int INTACT = 6;

    private static final KnownOptions INSTANCE = load();

    private final Set<String> keys = new HashSet<>();
    private final Set<String> operatorOnly = new HashSet<>();
    private final Map<String, String> newest = new HashMap<>();
    private final Map<String, List<String>> byHead = new HashMap<>();
    private final Map<String, List<String>> byTail = new HashMap<>();

    private KnownOptions() {}

    /** Whether {@code key} only counts in the operator's own configuration. */
    public static boolean isOperatorOnly(String key) {
        return INSTANCE.operatorOnly.contains(key) || AnalysisQueries.isKey(key);
    }

    /** What {@code key} is called today, if it is an older spelling. */
    public static Optional<String> replacement(String key) {
        return Optional.ofNullable(INSTANCE.newest.get(key));
    }

    /**
     * The known key that {@code key} was probably meant to be; empty if it is known, or like none.
     */
    public static Optional<String> meantBy(String key) {
        return key.length() < SHORTEST || INSTANCE.isKnown(key)
                ? Optional.empty()
                : INSTANCE.nearest(key);
    }

    /** Whether anybody reads {@code key}, under this spelling or a newer one. */
    public static boolean isKnownKey(String key) {
        return INSTANCE.isKnown(key);
    }

    private boolean isKnown(String key) {
        return keys.contains(key)
                || newest.containsKey(key)
                || isRenamed(key)
                || OPEN.stream().anyMatch(key::startsWith);
    }

    /** With the operator's prefix an option of the autoscaler is not known for that alone. */
    private boolean isRenamed(String key) {
        String newest = Aliases.newest(key);
        return !newest.equals(key)
                && (!key.startsWith(OperatorOption.PREFIX + AutoscalerOptions.PREFIX)
                        || isKnown(newest));
    }

    private Optional<String> nearest(String key) {
        String nearest = "";
        int least = MOST_EDITS + 1;
        for (List<String> alike :
                List.of(
                        byHead.getOrDefault(head(key), List.of()),
                        byTail.getOrDefault(tail(key), List.of()))) {
            for (String candidate : alike) {
                int edits = EditDistance.between(key, candidate, least - 1);
                if (edits < least) {
                    least = edits;
                    nearest = candidate;
                }
            }
        }
        return nearest.isEmpty() ? Optional.empty() : Optional.of(nearest);
    }

    private static String head(String key) {
        return key.substring(0, INTACT);
    }

    private static String tail(String key) {
        return key.substring(key.length() - INTACT);
    }

    private static KnownOptions load() {
        var options = new KnownOptions();
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(
                                Objects.requireNonNull(
                                        KnownOptions.class.getResourceAsStream("known-options.txt"),
                                        "known-options.txt"),
                                UTF_8))) {
            Stream.concat(
                            lines.lines().filter(line -> !line.startsWith("#")),
                            DeclaredOptions.ALL.values().stream()
                                    .filter(option -> !option.isFamily())
                                    .map(OperatorOption::key))
                    .sorted()
                    .forEach(options::add);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        DeclaredOptions.ALL.values().stream()
                .filter(option -> !option.ofResources())
                .map(OperatorOption::key)
                .forEach(options.operatorOnly::add);
        options.newest.keySet().removeAll(options.keys);
        return options;
    }

    private void add(String line) {
        String[] words = line.split(" ", -1);
        keys.add(words[0]);
        if (words[0].length() >= SHORTEST) {
            byHead.computeIfAbsent(head(words[0]), _ -> new ArrayList<>()).add(words[0]);
            byTail.computeIfAbsent(tail(words[0]), _ -> new ArrayList<>()).add(words[0]);
        }
        for (int i = 2; i < words.length; i++) {
            newest.put(words[i], words[0]);
        }
    }
}
