// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How parallel single vertices of a job are to be, as Flink's option and the autoscaler's ConfigMap
 * write it: {@code <vertex id>:<parallelism>,…}, in any order.
 *
 * @param byVertex parallelism, 1 at least, by vertex id
 */
public record ParallelismOverrides(SortedMap<String, Integer> byVertex) {
    /** Flink's option. */
    public static final String KEY = "pipeline.jobvertex-parallelism-overrides";

    public static final ParallelismOverrides NONE =
            new ParallelismOverrides(Collections.emptySortedMap());

    private static final Pattern ENTRY =
            Pattern.compile("\\s*([0-9a-fA-F]{1,64})\\s*:\\s*([1-9]\\d{0,4})\\s*");

    public ParallelismOverrides {
        byVertex = Collections.unmodifiableSortedMap(new TreeMap<>(byVertex));
    }

    /** An entry that can't be read is left out, as if nothing were wanted of its vertex. */
    public static ParallelismOverrides of(String text) {
        SortedMap<String, Integer> byVertex = new TreeMap<>();
        for (String entry : text.split(",", -1)) {
            Matcher matcher = ENTRY.matcher(entry);
            if (matcher.matches()) {
                byVertex.put(matcher.group(1), Integer.parseInt(matcher.group(2)));
            }
        }
        return new ParallelismOverrides(byVertex);
    }

    /** Those that a configuration asks for. */
    public static ParallelismOverrides in(FlinkConfiguration configuration) {
        return configuration.get(KEY).map(ParallelismOverrides::of).orElse(NONE);
    }

    public boolean isEmpty() {
        return byVertex.isEmpty();
    }

    /** These with {@code others} on top; another one wins. */
    public ParallelismOverrides with(Map<String, Integer> others) {
        SortedMap<String, Integer> merged = new TreeMap<>(byVertex);
        merged.putAll(others);
        return new ParallelismOverrides(merged);
    }

    /** As it is written, sorted by vertex id. */
    public String text() {
        return byVertex.entrySet().stream()
                .map(entry -> entry.getKey() + ":" + entry.getValue())
                .collect(Collectors.joining(","));
    }
}
