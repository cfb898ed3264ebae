// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.autoscaler.DelayedScaleDown;
import org.apache.flink.autoscaler.ScalingSummary;
import org.apache.flink.autoscaler.ScalingTracking;
import org.apache.flink.autoscaler.metrics.CollectedMetrics;
import org.apache.flink.autoscaler.tuning.ConfigChanges;
import org.apache.flink.autoscaler.utils.AutoScalerSerDeModule;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.core.JsonProcessingException;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.core.type.TypeReference;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.DeserializationFeature;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import org.apache.flink.shaded.jackson2.org.yaml.snakeyaml.LoaderOptions;

/**
 * The engine's memory as entries of a ConfigMap, in the Apache operator's layout: existing state
 * survives a switch in either direction.
 */
final class StateText {
    static final String HISTORY = "scalingHistory";
    static final String TRACKING = "scalingTracking";
    static final String METRICS = "collectedMetrics";
    static final String OVERRIDES = "parallelismOverrides";
    static final String CONFIG = "configOverrides";
    static final String DELAYED = "delayedScaleDown";

    private static final int LONGEST = 1_000_000;
    private static final String HOLE = "a value is missing";
    private static final ObjectMapper YAML = yaml();
    private static final TypeReference<Map<JobVertexID, SortedMap<Instant, ScalingSummary>>>
            HISTORY_TYPE = new TypeReference<>() {};
    private static final TypeReference<SortedMap<Instant, CollectedMetrics>> METRICS_TYPE =
            new TypeReference<>() {};
    private static final TypeReference<Map<JobVertexID, Instant>> DELAYED_TYPE =
            new TypeReference<>() {};

    /** An entry that was left out, and why. */
    record Unreadable(String key, String why) {}

    record Decoded(StateContent content, List<Unreadable> unreadable) {}

    private StateText() {}

    static SortedMap<String, String> encode(StateContent content) {
        NavigableMap<String, String> text = new TreeMap<>();
        if (!content.overrides().isEmpty()) {
            text.put(OVERRIDES, overrides(content.overrides()));
        }
        ConfigChanges changes = content.configChanges();
        if (!changes.getOverrides().isEmpty() || !changes.getRemovals().isEmpty()) {
            text.put(CONFIG, write(changes));
        }
        if (!content.delayed().getFirstTriggerTime().isEmpty()) {
            text.put(DELAYED, write(content.delayed().getFirstTriggerTime()));
        }
        if (!content.tracking().getScalingRecords().isEmpty()) {
            text.put(TRACKING, Gzip.pack(write(content.tracking())));
        }
        putSamples(content, text);
        return text;
    }

    static Decoded decode(Map<String, String> text) {
        Reader reader = new Reader(text, new ArrayList<>());
        StateContent none = StateContent.empty();
        StateContent content =
                new StateContent(
                        reader.packed(HISTORY, StateText::history, none.history()),
                        reader.packed(TRACKING, StateText::tracking, none.tracking()),
                        reader.packed(METRICS, StateText::metrics, none.metrics()),
                        reader.plain(OVERRIDES, StateText::overrides, none.overrides()),
                        reader.plain(CONFIG, StateText::configChanges, none.configChanges()),
                        reader.plain(DELAYED, StateText::delayed, none.delayed()));
        return new Decoded(content, List.copyOf(reader.unreadable()));
    }

    /** Drops the oldest samples, metrics first, until a ConfigMap can hold the rest. */
    private static void putSamples(StateContent content, SortedMap<String, String> text) {
        NavigableMap<Instant, CollectedMetrics> metrics = new TreeMap<>(content.metrics());
        Map<JobVertexID, SortedMap<Instant, ScalingSummary>> history = new HashMap<>();
        content.history().forEach((vertex, entries) -> history.put(vertex, new TreeMap<>(entries)));
        int rest = LONGEST - text.getOrDefault(TRACKING, "").length();
        while (true) {
            String packedMetrics = metrics.isEmpty() ? "" : Gzip.pack(write(metrics));
            String packedHistory = isEmpty(history) ? "" : Gzip.pack(write(history));
            int length = packedMetrics.length() + packedHistory.length();
            if (length <= rest || (metrics.isEmpty() && isEmpty(history))) {
                putUnlessEmpty(text, METRICS, packedMetrics);
                putUnlessEmpty(text, HISTORY, packedHistory);
                return;
            }
            double keep = Math.max(0, (double) rest / length);
            if (metrics.isEmpty()) {
                history.values().forEach(samples -> keepNewest(samples, keep));
            } else {
                keepNewest(metrics, keep);
            }
        }
    }

    private static void keepNewest(SortedMap<Instant, ?> samples, double share) {
        int kept = Math.min(samples.size() - 1, (int) (samples.size() * share));
        while (samples.size() > Math.max(0, kept)) {
            samples.remove(samples.firstKey());
        }
    }

    private static boolean isEmpty(Map<JobVertexID, SortedMap<Instant, ScalingSummary>> history) {
        return history.values().stream().allMatch(Map::isEmpty);
    }

    private static void putUnlessEmpty(SortedMap<String, String> text, String key, String value) {
        if (!value.isEmpty()) {
            text.put(key, value);
        }
    }

    private static String overrides(Map<String, String> overrides) {
        return new TreeMap<>(overrides)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + ":" + entry.getValue())
                        .collect(Collectors.joining(","));
    }

    private static Map<String, String> overrides(String text) throws IOException {
        Map<String, String> overrides = new HashMap<>();
        for (String entry : text.strip().split(",", -1)) {
            int colon = entry.indexOf(':');
            String parallelism = entry.substring(colon + 1).strip();
            if (colon < 1 || !parallelism.matches("[1-9][0-9]{0,8}")) {
                throw new IOException("'" + entry + "' is no vertexid:parallelism");
            }
            overrides.put(entry.substring(0, colon).strip(), parallelism);
        }
        return overrides;
    }

    private static Map<JobVertexID, SortedMap<Instant, ScalingSummary>> history(String yaml)
            throws IOException {
        var history = whole(YAML.readValue(yaml, HISTORY_TYPE));
        history.values().forEach(StateText::whole);
        return history;
    }

    private static ScalingTracking tracking(String yaml) throws IOException {
        ScalingTracking tracking = YAML.readValue(yaml, ScalingTracking.class);
        whole(tracking.getScalingRecords());
        return tracking;
    }

    private static SortedMap<Instant, CollectedMetrics> metrics(String yaml) throws IOException {
        var metrics = whole(YAML.readValue(yaml, METRICS_TYPE));
        metrics.values()
                .forEach(
                        sample -> {
                            whole(sample.getVertexMetrics()).values().forEach(StateText::whole);
                            whole(sample.getGlobalMetrics());
                        });
        return metrics;
    }

    private static ConfigChanges configChanges(String yaml) throws IOException {
        ConfigChanges changes = YAML.readValue(yaml, ConfigChanges.class);
        whole(changes.getOverrides());
        if (changes.getRemovals().contains(null)) {
            throw new IllegalArgumentException(HOLE);
        }
        return changes;
    }

    private static DelayedScaleDown delayed(String yaml) throws IOException {
        return new DelayedScaleDown(whole(YAML.readValue(yaml, DELAYED_TYPE)));
    }

    /** YAML has a null wherever it has a value: the engine does not. */
    private static <T extends Map<?, ?>> T whole(T part) {
        if (part.containsValue(null)) {
            throw new IllegalArgumentException(HOLE);
        }
        return part;
    }

    private static String write(Object value) {
        try {
            return YAML.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("the engine's state can't be written", impossible);
        }
    }

    private static ObjectMapper yaml() {
        LoaderOptions limits = new LoaderOptions();
        limits.setCodePointLimit(20 * 1024 * 1024);
        ObjectMapper yaml = new ObjectMapper(YAMLFactory.builder().loaderOptions(limits).build());
        yaml.registerModule(new JavaTimeModule());
        yaml.registerModule(new AutoScalerSerDeModule());
        return yaml.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    }

    private interface Parse<T> {
        T from(String text) throws IOException;
    }

    /**
     * Reads entries one by one, so that one that is broken costs only itself. What the engine's own
     * classes throw at text they were never meant for is anything.
     */
    private record Reader(Map<String, String> text, List<Unreadable> unreadable) {
        <T> T packed(String key, Parse<T> parse, T otherwise) {
            return plain(key, value -> parse.from(Gzip.unpack(value)), otherwise);
        }

        <T> T plain(String key, Parse<T> parse, T otherwise) {
            String value = text.getOrDefault(key, "");
            if (value.isBlank()) {
                return otherwise;
            }
            try {
                return parse.from(value);
            } catch (IOException | RuntimeException broken) {
                String why = Optional.ofNullable(broken.getMessage()).orElse(HOLE);
                unreadable.add(new Unreadable(key, why.lines().findFirst().orElse("unreadable")));
                return otherwise;
            }
        }
    }
}
