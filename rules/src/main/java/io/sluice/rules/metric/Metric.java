// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.metric;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One metric that a process shows. Names and labels are a contract: dashboards and alerts of others
 * depend on them.
 *
 * @param name the family's, without the suffixes of its series
 * @param processes which show it: webhook, operator, autoscaler
 * @param labels in their order
 */
public record Metric(
        String name, Type type, Set<String> processes, List<String> labels, String help) {
    /** All there are, by name. */
    public static final SequencedMap<String, Metric> ALL = load();

    private static final int FIELDS = 5;

    /** Of Prometheus. */
    public enum Type {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    public Metric {
        processes = Collections.unmodifiableSet(new LinkedHashSet<>(processes));
        labels = List.copyOf(labels);
    }

    /**
     * The metric of that name.
     *
     * @throws IllegalArgumentException if the list has none of that name and type, which is a
     *     mistake in the code that asks
     */
    public static Metric of(Type type, String name) {
        Metric metric = ALL.get(name);
        if (metric == null || metric.type() != type) {
            throw new IllegalArgumentException(
                    "metrics.txt lists no " + type.name().toLowerCase(Locale.ROOT) + " " + name);
        }
        return metric;
    }

    /** Those that {@code process} shows. */
    public static List<Metric> shownBy(String process) {
        return ALL.values().stream()
                .filter(metric -> metric.processes().contains(process))
                .toList();
    }

    /** Whether it is the Java runtime's, and not made by us. */
    public boolean isOfRuntime() {
        return name.startsWith("jvm_") || name.startsWith("process_");
    }

    /** The names that stand in queries. */
    public Set<String> series() {
        return switch (type) {
            case COUNTER -> Set.of(name + "_total");
            case GAUGE -> Set.of(name);
            case HISTOGRAM -> Set.of(name + "_bucket", name + "_sum", name + "_count");
        };
    }

    private static SequencedMap<String, Metric> load() {
        SequencedMap<String, Metric> all = new LinkedHashMap<>();
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(
                                Objects.requireNonNull(
                                        Metric.class.getResourceAsStream("metrics.txt"),
                                        "metrics.txt"),
                                UTF_8))) {
            lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split("\\|", FIELDS))
                    .map(Metric::of)
                    .forEach(metric -> all.put(metric.name(), metric));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return Collections.unmodifiableSequencedMap(all);
    }

    private static Metric of(String[] fields) {
        var each = Arrays.stream(fields).iterator();
        return new Metric(
                each.next(),
                Type.valueOf(each.next().toUpperCase(Locale.ROOT)),
                Collections.unmodifiableSet(new LinkedHashSet<>(words(each.next()))),
                words(each.next()),
                each.next());
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.split(" ", -1))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toUnmodifiableList());
    }
}
