// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import io.sluice.flink.rest.http.AnswerLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.core.StreamReadConstraints;
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

    /** Characters of all packed entries: a ConfigMap holds no more. */
    private static final int LONGEST = 1_000_000;

    /** Bytes of all entries once they are unpacked. */
    static final int LARGEST = 4 * 1024 * 1024;

    /** A JobManager may name as many; a state with more was not stored by this service. */
    private static final int MOST_VERTICES = AnswerLimits.DEFAULT.vertices();

    /** A ConfigMap's samples, by vertex and metric, are five deep. */
    private static final int DEEPEST = 12;

    private static final String HOLE = "a value is missing";
    private static final ObjectMapper YAML = yaml();
    private static final TypeReference<Map<JobVertexID, SortedMap<Instant, ScalingSummary>>>
            HISTORY_TYPE = new TypeReference<>() {};
    private static final TypeReference<SortedMap<Instant, CollectedMetrics>> METRICS_TYPE =
            new TypeReference<>() {};
    private static final TypeReference<Map<JobVertexID, Instant>> DELAYED_TYPE =
            new TypeReference<>() {};

    /**
     * @param discarded entries that were left out
     * @param unpacked bytes that were unpacked for it, those included that were not used
     */
    record Decoded(StateContent content, List<Discarded> discarded, long unpacked) {}

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
            text.put(TRACKING, write(content.tracking()));
        }
        int rest = LARGEST - text.values().stream().mapToInt(StateText::bytes).sum();
        text.computeIfPresent(TRACKING, (_, tracking) -> Gzip.pack(tracking));
        putSamples(content, text, rest);
        return text;
    }

    static Decoded decode(Map<String, String> text) {
        Reader reader = new Reader(text, new Room(LARGEST), new ArrayList<>());
        StateContent none = StateContent.empty();
        StateContent content =
                new StateContent(
                        reader.packed(HISTORY, StateText::history, none.history()),
                        reader.packed(TRACKING, StateText::tracking, none.tracking()),
                        reader.packed(METRICS, StateText::metrics, none.metrics()),
                        reader.plain(OVERRIDES, StateText::overrides, none.overrides()),
                        reader.plain(CONFIG, StateText::configChanges, none.configChanges()),
                        reader.plain(DELAYED, StateText::delayed, none.delayed()));
        return new Decoded(content, List.copyOf(reader.discarded()), reader.room().read());
    }

    /**
     * Drops the oldest samples, metrics first, until a ConfigMap can hold the rest and it would be
     * read back.
     *
     * @param room bytes that they may take unpacked
     */
    private static void putSamples(StateContent content, SortedMap<String, String> text, int room) {
        NavigableMap<Instant, CollectedMetrics> metrics = new TreeMap<>(content.metrics());
        Map<JobVertexID, SortedMap<Instant, ScalingSummary>> history = new HashMap<>();
        content.history().forEach((vertex, entries) -> history.put(vertex, new TreeMap<>(entries)));
        int rest = LONGEST - text.getOrDefault(TRACKING, "").length();
        while (true) {
            String plainMetrics = metrics.isEmpty() ? "" : write(metrics);
            String plainHistory = isEmpty(history) ? "" : write(history);
            double share = share(room, bytes(plainMetrics) + bytes(plainHistory));
            String packedMetrics = share < 1 ? "" : pack(plainMetrics);
            String packedHistory = share < 1 ? "" : pack(plainHistory);
            double keep =
                    Math.min(share, share(rest, packedMetrics.length() + packedHistory.length()));
            if (keep >= 1) {
                putUnlessEmpty(text, METRICS, packedMetrics);
                putUnlessEmpty(text, HISTORY, packedHistory);
                return;
            }
            if (metrics.isEmpty()) {
                history.values().forEach(samples -> keepNewest(samples, keep));
            } else {
                keepNewest(metrics, keep);
            }
        }
    }

    private static String pack(String text) {
        return text.isEmpty() ? "" : Gzip.pack(text);
    }

    /** How much of {@code needed} fits; one or more if all of it does. */
    private static double share(int room, int needed) {
        return needed == 0 ? 1 : Math.max(0, (double) room / needed);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
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
        if (text.chars().filter(character -> character == ',').count() >= MOST_VERTICES) {
            throw new TooLargeException("more than " + MOST_VERTICES + " vertices");
        }
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
        limits.setCodePointLimit(LARGEST);
        limits.setNestingDepthLimit(DEEPEST);
        ObjectMapper yaml =
                new ObjectMapper(
                        YAMLFactory.builder()
                                .loaderOptions(limits)
                                .streamReadConstraints(
                                        StreamReadConstraints.builder()
                                                .maxNestingDepth(DEEPEST)
                                                .build())
                                .build());
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
    private record Reader(Map<String, String> text, Room room, List<Discarded> discarded) {
        <T> T packed(String key, Parse<T> parse, T otherwise) {
            return read(key, value -> parse.from(Gzip.unpack(value, room)), otherwise);
        }

        <T> T plain(String key, Parse<T> parse, T otherwise) {
            return read(key, value -> parse.from(Gzip.plain(value, room)), otherwise);
        }

        private <T> T read(String key, Parse<T> parse, T otherwise) {
            String value = text.getOrDefault(key, "");
            if (value.isBlank()) {
                return otherwise;
            }
            try {
                return parse.from(value);
            } catch (TooLargeException large) {
                discard(key, Discarded.Cause.TOO_LARGE, large);
            } catch (IOException | RuntimeException broken) {
                discard(key, Discarded.Cause.UNREADABLE, broken);
            }
            return otherwise;
        }

        private void discard(String key, Discarded.Cause cause, Exception thrown) {
            String why = Optional.ofNullable(thrown.getMessage()).orElse(HOLE);
            discarded.add(new Discarded(key, cause, why.lines().findFirst().orElse("unreadable")));
        }
    }
}
