// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.Options;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.apache.flink.autoscaler.DelayedScaleDown;
import org.apache.flink.autoscaler.ScalingRecord;
import org.apache.flink.autoscaler.ScalingSummary;
import org.apache.flink.autoscaler.ScalingTracking;
import org.apache.flink.autoscaler.metrics.CollectedMetrics;
import org.apache.flink.autoscaler.metrics.EvaluatedScalingMetric;
import org.apache.flink.autoscaler.metrics.ScalingMetric;
import org.apache.flink.autoscaler.tuning.ConfigChanges;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.junit.jupiter.api.Test;

class StateCodecTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final StateCodec TEXT = new StateCodec(StateLimits.DEFAULT);
    private static final JobVertexID WORK = JobVertexID.fromHexString("0a".repeat(16));
    private static final JobVertexID LOAD = JobVertexID.fromHexString("0b".repeat(16));

    @Test
    void readsBackWhatItWrote() {
        StateContent content =
                new StateContent(
                        history(1),
                        tracking(),
                        Samples.of(metrics(3, 1)),
                        Map.of(WORK.toHexString(), "3", LOAD.toHexString(), "1"),
                        new ConfigChanges().addOverride("a.b", "c"),
                        new DelayedScaleDown(Map.of(WORK, NOW)));

        SortedMap<String, String> text = TEXT.encode(content);
        StateCodec.Decoded decoded = TEXT.decode(text);

        assertThat(decoded.discarded()).isEmpty();
        assertThat(decoded.content().history()).isEqualTo(content.history());
        assertThat(decoded.content().tracking()).isEqualTo(content.tracking());
        SamplesTest.assertSame(decoded.content().metrics(), metrics(3, 1));
        assertThat(decoded.content().overrides()).isEqualTo(content.overrides());
        assertThat(decoded.content().configChanges().getOverrides()).containsEntry("a.b", "c");
        assertThat(decoded.content().delayed().getFirstTriggerTime()).containsEntry(WORK, NOW);
        assertThat(TEXT.encode(decoded.content())).isEqualTo(text);
    }

    @Test
    void writesOverridesAsTheOperatorReadsThem() {
        StateContent content =
                StateContent.empty()
                        .withOverrides(Map.of(WORK.toHexString(), "3", LOAD.toHexString(), "1"));

        assertThat(TEXT.encode(content))
                .containsOnly(
                        Map.entry(
                                "parallelismOverrides",
                                WORK.toHexString() + ":3," + LOAD.toHexString() + ":1"));
    }

    @Test
    void writesNothingWhenThereIsNothing() {
        assertThat(TEXT.encode(StateContent.empty())).isEmpty();
    }

    @Test
    void readsTextThatWasNeverPacked() throws IOException {
        String packed =
                TEXT.encode(StateContent.empty().withMetrics(Samples.of(metrics(2, 1))))
                        .get("collectedMetrics");

        StateCodec.Decoded decoded =
                TEXT.decode(
                        Map.of(
                                "collectedMetrics",
                                Gzip.unpack(packed, new Room(StateLimits.DEFAULT.unpacked()))));

        assertThat(decoded.discarded()).isEmpty();
        assertThat(decoded.content().metrics().unpacked()).hasSize(2);
    }

    @Test
    void discardsABrokenEntryAndKeepsTheOthers() {
        StateCodec.Decoded decoded =
                TEXT.decode(
                        Map.of(
                                "collectedMetrics",
                                "}{",
                                "scalingHistory",
                                Base64.getEncoder()
                                        .encodeToString(new byte[] {0x1f, (byte) 0x8b, 1}),
                                "parallelismOverrides",
                                WORK.toHexString() + ":3"));

        assertThat(decoded.discarded())
                .extracting(Discarded::key)
                .containsExactlyInAnyOrder("collectedMetrics", "scalingHistory");
        assertThat(decoded.discarded()).allSatisfy(it -> assertThat(it.why()).isNotBlank());
        assertThat(decoded.content().overrides()).containsEntry(WORK.toHexString(), "3");
    }

    @Test
    void discardsAKeyThatIsNoVertex() {
        StateCodec.Decoded decoded =
                TEXT.decode(
                        Map.of(
                                "delayedScaleDown", "nonsense: 2026-01-01T00:00:00Z",
                                "scalingHistory", "nonsense: {}",
                                "parallelismOverrides", WORK.toHexString() + ":3"));

        assertThat(decoded.discarded())
                .extracting(Discarded::key)
                .containsExactlyInAnyOrder("delayedScaleDown", "scalingHistory");
        assertThat(decoded.content().overrides()).containsEntry(WORK.toHexString(), "3");
    }

    @Test
    void discardsWhatHasAHole() {
        String work = "\"" + WORK.toHexString() + "\"";
        Map<String, String> empty =
                Map.of(
                        "scalingHistory", "null",
                        "scalingTracking", "null",
                        "collectedMetrics", "null",
                        "configOverrides", "null",
                        "delayedScaleDown", "null");
        Map<String, String> hollow =
                Map.of(
                        "scalingHistory", work + ": null",
                        "scalingTracking", "scalingRecords: null",
                        "collectedMetrics", "\"2026-01-01T00:00:00Z\": null",
                        "configOverrides", "overrides: null",
                        "delayedScaleDown", work + ": null");

        for (Map<String, String> stored : List.of(empty, hollow)) {
            StateCodec.Decoded decoded = TEXT.decode(stored);

            assertThat(decoded.discarded())
                    .extracting(Discarded::key)
                    .containsExactlyInAnyOrderElementsOf(stored.keySet());
            assertThat(TEXT.encode(decoded.content().frozen())).isEmpty();
        }
    }

    @Test
    void discardsOverridesFlinkWouldDieOf() {
        StateCodec.Decoded decoded =
                TEXT.decode(Map.of("parallelismOverrides", WORK.toHexString() + ":-1"));

        assertThat(decoded.discarded()).hasSize(1);
        assertThat(decoded.content().overrides()).isEmpty();
    }

    @Test
    void dropsTheOldestSamplesOfWhatNoConfigMapHolds() {
        StateContent content =
                StateContent.empty()
                        .withMetrics(Samples.of(metrics(400, 120)))
                        .withHistory(history(2));

        SortedMap<String, String> text = TEXT.encode(content);

        assertThat(text.values().stream().mapToInt(String::length).sum()).isLessThan(1_000_000);
        SortedMap<Instant, CollectedMetrics> kept =
                TEXT.decode(text).content().metrics().unpacked();
        assertThat(kept).isNotEmpty().hasSizeLessThan(400);
        assertThat(kept.lastKey()).isEqualTo(content.metrics().unpacked().lastKey());
        assertThat(kept.firstKey()).isAfter(content.metrics().unpacked().firstKey());
        assertThat(TEXT.decode(text).content().history()).isEqualTo(content.history());
        assertThat(content.metrics().unpacked()).hasSize(400);
    }

    @Test
    void dropsTheOldestSamplesOfWhatWouldNotBeReadBack() {
        SortedMap<Instant, CollectedMetrics> monotonous = new TreeMap<>();
        metrics(400, 400)
                .forEach(
                        (at, sample) ->
                                monotonous.put(
                                        at,
                                        new CollectedMetrics(
                                                metrics(1, 400).get(NOW).getVertexMetrics(),
                                                sample.getGlobalMetrics())));
        StateContent content = StateContent.empty().withMetrics(Samples.of(monotonous));

        StateCodec.Decoded decoded = TEXT.decode(TEXT.encode(content));

        assertThat(decoded.discarded()).isEmpty();
        assertThat(decoded.content().metrics().unpacked()).isNotEmpty().hasSizeLessThan(400);
        assertThat(decoded.content().metrics().unpacked().lastKey())
                .isEqualTo(monotonous.lastKey());
    }

    @Test
    void unpacksNoMoreOfABombThanThereIsRoomFor() throws IOException {
        String bomb = packed(" ".repeat(1024 * 1024), 64);

        StateCodec.Decoded decoded =
                TEXT.decode(
                        Map.of(
                                "collectedMetrics",
                                bomb,
                                "scalingHistory",
                                bomb,
                                "parallelismOverrides",
                                WORK.toHexString() + ":3"));

        assertThat(decoded.unpacked())
                .isLessThanOrEqualTo(2L * (StateLimits.DEFAULT.unpacked() + 1));
        assertThat(decoded.discarded())
                .extracting(Discarded::key, Discarded::cause)
                .containsExactlyInAnyOrder(
                        tuple("collectedMetrics", Discarded.Cause.TOO_LARGE),
                        tuple("scalingHistory", Discarded.Cause.TOO_LARGE));
        assertThat(decoded.content().overrides()).containsEntry(WORK.toHexString(), "3");
    }

    @Test
    void entriesShareTheRoomThatThereIs() throws IOException {
        String half = packed("# " + "x".repeat(1022) + "\n", 3 * 1024);

        StateCodec.Decoded decoded =
                TEXT.decode(Map.of("collectedMetrics", half, "scalingHistory", half));

        assertThat(decoded.discarded())
                .extracting(Discarded::cause)
                .containsExactlyInAnyOrder(Discarded.Cause.UNREADABLE, Discarded.Cause.TOO_LARGE);
    }

    @Test
    void readsNothingThatIsNestedDeeperThanTheEngineWrites() throws IOException {
        String nested = "x: " + "[".repeat(900) + "]".repeat(900) + "\n";

        StateCodec.Decoded decoded =
                TEXT.decode(
                        Map.of(
                                "scalingTracking",
                                packed(nested, 2000),
                                "configOverrides",
                                nested.repeat(100)));

        assertThat(decoded.discarded())
                .extracting(Discarded::key)
                .containsExactlyInAnyOrder("scalingTracking", "configOverrides");
        assertThat(decoded.discarded())
                .allSatisfy(entry -> assertThat(entry.why()).contains("nesting depth"));
    }

    @Test
    void takesAnAliasForAText() {
        String aliases =
                """
                a: &a [x,x,x,x]
                b: &b [*a,*a,*a,*a]
                c: &c [*b,*b,*b,*b]
                overrides: {taskmanager.memory.process.size: *c}\
                """;

        StateCodec.Decoded decoded = TEXT.decode(Map.of("configOverrides", aliases));

        assertThat(decoded.content().configChanges().getOverrides())
                .isEqualTo(Map.of("taskmanager.memory.process.size", "c"));
    }

    @Test
    void discardsOverridesOfMoreVerticesThanAJobHas() {
        StateCodec.Decoded decoded =
                TEXT.decode(Map.of("parallelismOverrides", "a:1,".repeat(200_000) + "b:1"));

        assertThat(decoded.discarded())
                .singleElement()
                .extracting(Discarded::cause)
                .isEqualTo(Discarded.Cause.TOO_LARGE);
    }

    @Test
    void writesAndReadsWithinTheLimitsThatAreConfigured() {
        StateLimits limits =
                limits(
                        Map.of(
                                "kubernetes.operator.autoscaler.state.max-size", "20000 b",
                                "kubernetes.operator.autoscaler.state.max-packed-size", "2000 b"));
        StateContent content = StateContent.empty().withMetrics(Samples.of(metrics(100, 5)));

        SortedMap<String, String> text = new StateCodec(limits).encode(content);
        StateCodec.Decoded small = new StateCodec(limits).decode(text);
        StateCodec.Decoded large = new StateCodec(limits).decode(TEXT.encode(content));

        assertThat(text.values().stream().mapToInt(String::length).sum()).isLessThan(2_000);
        assertThat(small.discarded()).isEmpty();
        assertThat(small.content().metrics().unpacked()).isNotEmpty();
        assertThat(large.discarded())
                .singleElement()
                .extracting(Discarded::cause)
                .isEqualTo(Discarded.Cause.TOO_LARGE);
    }

    @Test
    void readsNoDeeperThanIsConfigured() {
        StateLimits limits = limits(Map.of("kubernetes.operator.autoscaler.state.max-depth", "1"));
        Map<String, String> nested = Map.of("configOverrides", "overrides: {a: b}");

        assertThat(TEXT.decode(nested).discarded()).isEmpty();
        assertThat(new StateCodec(limits).decode(nested).discarded()).hasSize(1);
    }

    private static StateLimits limits(Map<String, String> options) {
        return StateLimits.of(new Options(new FlinkConfiguration(options)));
    }

    @Test
    void hasADefaultForEachLimit() {
        assertThat(limits(Map.of())).isEqualTo(new StateLimits(4 << 20, 1_000_000, 12, 10_000));
    }

    @Test
    void aLimitThatNoConfigMapHoldsIsRefusedByItsOption() {
        assertThatThrownBy(() -> new StateLimits(1, 1_000_001, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kubernetes.operator.autoscaler.state.max-packed-size");
    }

    private static String packed(String text, int times) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            for (int i = 0; i < times; i++) {
                gzip.write(text.getBytes(StandardCharsets.UTF_8));
            }
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private static Map<JobVertexID, SortedMap<Instant, ScalingSummary>> history(int entries) {
        SortedMap<Instant, ScalingSummary> summaries = new TreeMap<>();
        for (int i = 0; i < entries; i++) {
            summaries.put(
                    NOW.plusSeconds(i),
                    new ScalingSummary(
                            1,
                            3,
                            Map.of(
                                    ScalingMetric.TRUE_PROCESSING_RATE,
                                    new EvaluatedScalingMetric(Double.NaN, 500))));
        }
        return new HashMap<>(Map.of(WORK, summaries));
    }

    private static ScalingTracking tracking() {
        ScalingTracking tracking = new ScalingTracking();
        tracking.addScalingRecord(NOW, new ScalingRecord(Duration.ofSeconds(7)));
        return tracking;
    }

    private static SortedMap<Instant, CollectedMetrics> metrics(int samples, int vertices) {
        Random random = new Random(7);
        SortedMap<Instant, CollectedMetrics> metrics = new TreeMap<>();
        for (int i = 0; i < samples; i++) {
            Map<JobVertexID, Map<ScalingMetric, Double>> byVertex = new HashMap<>();
            for (int v = 0; v < vertices; v++) {
                Map<ScalingMetric, Double> values = new EnumMap<>(ScalingMetric.class);
                values.put(ScalingMetric.LOAD, random.nextDouble());
                values.put(ScalingMetric.NUM_RECORDS_IN, random.nextDouble());
                byVertex.put(new JobVertexID(v, 1), values);
            }
            metrics.put(
                    NOW.plusSeconds(i),
                    new CollectedMetrics(byVertex, Map.of(ScalingMetric.GC_PRESSURE, 0.5)));
        }
        return metrics;
    }
}
