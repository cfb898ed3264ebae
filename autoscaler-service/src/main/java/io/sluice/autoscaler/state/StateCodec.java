// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.state;

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
public final class StateCodec {
    static final String HISTORY = "scalingHistory";
    static final String TRACKING = "scalingTracking";
    static final String METRICS = "collectedMetrics";
    static final String OVERRIDES = "parallelismOverrides";
    static final String CONFIG = "configOverrides";
    static final String DELAYED = "delayedScaleDown";

    private static final String HOLE = "a value is missing";
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
    public record Decoded(StateContent content, List<Discarded> discarded, long unpacked) {}

    private final StateLimits limits;
    private final ObjectMapper yaml;

    public StateCodec(StateLimits limits) {
        this.limits = limits;
        yaml = yaml(limits);
    }

    public SortedMap<String, String> encode(StateContent content) {
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
        int rest = limits.unpacked() - text.values().stream().mapToInt(StateCodec::bytes).sum();
        text.computeIfPresent(TRACKING, (_, tracking) -> Gzip.pack(tracking));
        putSamples(content, text, rest);
        return text;
    }

    public Decoded decode(Map<String, String> text) {
        Reader reader = new Reader(text, new Room(limits.unpacked()), new ArrayList<>());
        StateContent none = StateContent.empty();
        StateContent content =
                new StateContent(
                        reader.packed(HISTORY, this::history, none.history()),
                        reader.packed(TRACKING, this::tracking, none.tracking()),
                        reader.packed(METRICS, this::metrics, none.metrics()),
                        reader.plain(OVERRIDES, this::overrides, none.overrides()),
                        reader.plain(CONFIG, this::configChanges, none.configChanges()),
                        reader.plain(DELAYED, this::delayed, none.delayed()));
        return new Decoded(content, List.copyOf(reader.discarded()), reader.room().read());
    }

    /**
     * Drops the oldest samples, metrics first, until a ConfigMap can hold the rest and it would be
     * read back.
     *
     * @param room bytes that they may take unpacked
     */
    private void putSamples(StateContent content, SortedMap<String, String> text, int room) {
        NavigableMap<Instant, CollectedMetrics> metrics = content.metrics().unpacked();
        Map<JobVertexID, SortedMap<Instant, ScalingSummary>> history = new HashMap<>();
        content.history().forEach((vertex, entries) -> history.put(vertex, new TreeMap<>(entries)));
        int rest = limits.packed() - text.getOrDefault(TRACKING, "").length();
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

    private Map<String, String> overrides(String text) throws IOException {
        Map<String, String> overrides = new HashMap<>();
        if (text.chars().filter(character -> character == ',').count() >= limits.vertices()) {
            throw new TooLargeException("more than " + limits.vertices() + " vertices");
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

    private Map<JobVertexID, SortedMap<Instant, ScalingSummary>> history(String text)
            throws IOException {
        var history = whole(yaml.readValue(text, HISTORY_TYPE));
        history.values().forEach(StateCodec::whole);
        return history;
    }

    private ScalingTracking tracking(String text) throws IOException {
        ScalingTracking tracking = yaml.readValue(text, ScalingTracking.class);
        whole(tracking.getScalingRecords());
        return tracking;
    }

    private Samples metrics(String text) throws IOException {
        var metrics = whole(yaml.readValue(text, METRICS_TYPE));
        metrics.values()
                .forEach(
                        sample -> {
                            whole(sample.getVertexMetrics()).values().forEach(StateCodec::whole);
                            whole(sample.getGlobalMetrics());
                        });
        return Samples.of(metrics);
    }

    private ConfigChanges configChanges(String text) throws IOException {
        ConfigChanges changes = yaml.readValue(text, ConfigChanges.class);
        whole(changes.getOverrides());
        if (changes.getRemovals().contains(null)) {
            throw new IllegalArgumentException(HOLE);
        }
        return changes;
    }

    private DelayedScaleDown delayed(String text) throws IOException {
        return new DelayedScaleDown(whole(yaml.readValue(text, DELAYED_TYPE)));
    }

    /** YAML has a null wherever it has a value: the engine does not. */
    private static <T extends Map<?, ?>> T whole(T part) {
        if (part.containsValue(null)) {
            throw new IllegalArgumentException(HOLE);
        }
        return part;
    }

    private String write(Object value) {
        try {
            return yaml.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("the engine's state can't be written", impossible);
        }
    }

    private static ObjectMapper yaml(StateLimits limits) {
        LoaderOptions loading = new LoaderOptions();
        loading.setCodePointLimit(limits.unpacked());
        loading.setNestingDepthLimit(limits.nesting());
        ObjectMapper yaml =
                new ObjectMapper(
                        YAMLFactory.builder()
                                .loaderOptions(loading)
                                .streamReadConstraints(
                                        StreamReadConstraints.builder()
                                                .maxNestingDepth(limits.nesting())
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
