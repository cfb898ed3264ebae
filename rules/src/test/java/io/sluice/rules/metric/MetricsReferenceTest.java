// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MetricsReferenceTest {
    private static final Path REFERENCE = Path.of("../docs/reference/metrics.md");

    private static final SequencedMap<String, Predicate<Metric>> PARTS = parts();

    @Test
    void theReferenceIsWhatTheListSays() throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(REFERENCE, reference());
        }

        assertThat(REFERENCE)
                .as("write it anew with ./mvnw -pl rules test -Dgolden.update=true")
                .hasContent(reference());
    }

    @Test
    void everyMetricStandsInOnePartOfTheReference() {
        assertThat(Metric.ALL.values())
                .allSatisfy(
                        metric ->
                                assertThat(PARTS.values())
                                        .as(metric.name())
                                        .filteredOn(part -> part.test(metric))
                                        .hasSize(1));
    }

    @Test
    void nobodyRegistersWhatIsNotListed() {
        assertThatThrownBy(() -> Metric.of(Metric.Type.GAUGE, "sluice_surprise"))
                .hasMessageContaining("gauge sluice_surprise");
        assertThatThrownBy(() -> Metric.of(Metric.Type.GAUGE, "sluice_operator_passes"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aHistogramIsAskedForByItsThreeSeries() {
        assertThat(Metric.of(Metric.Type.HISTOGRAM, "sluice_operator_pass_seconds").series())
                .containsExactlyInAnyOrder(
                        "sluice_operator_pass_seconds_bucket",
                        "sluice_operator_pass_seconds_sum",
                        "sluice_operator_pass_seconds_count");
    }

    private static SequencedMap<String, Predicate<Metric>> parts() {
        SequencedMap<String, Predicate<Metric>> parts = new LinkedHashMap<>();
        parts.put(
                "All processes",
                metric ->
                        metric.isOfRuntime()
                                || metric.name().startsWith("sluice_configuration")
                                || metric.name()
                                        .matches("sluice_(build|connections|access|work).*"));
        parts.put("The operator", metric -> metric.name().startsWith("sluice_operator_"));
        parts.put(
                "Resources",
                metric ->
                        metric.processes().contains("operator")
                                && metric.name()
                                        .matches(
                                                "sluice_(resource|bluegreen_|state_|savepoint_|last_savepoint_|lifecycle|upgrade_|jobmanagers|flink_|namespace_).*"));
        parts.put(
                "Admission",
                metric -> metric.name().matches("sluice_(admission|certificate|cached|verdict).*"));
        parts.put("The autoscaler", metric -> metric.name().startsWith("sluice_autoscaler_"));
        return parts;
    }

    private static String reference() {
        var text =
                new StringBuilder(
                        """
                        # Metrics

                        <!-- Generated from metrics.txt; do not edit. -->

                        Each process shows its metrics at `/metrics` of port 8080, together with those of the Java runtime (`jvm_*`,
                        `process_*`), of which the dashboards use those that are listed here. Names and labels stay the same within a major
                        version. A series with the name of a resource ends with the resource, and one with a namespace ends when nothing is
                        left in the namespace.

                        The series of a counter ends in `_total`. A histogram has the series `_bucket`, `_sum` and `_count`. These options, which
                        begin with `kubernetes.operator.`, leave series out: `resource.metrics.enabled`, `resource.lifecycle.metrics.enabled`,
                        `resource.lifecycle.namespace.histograms.enabled` (without it the label is empty), `josdk.metrics.enabled`,
                        `kubernetes.client.metrics.enabled` and `jvm.metrics.enabled`.
                        """);
        for (Map.Entry<String, Predicate<Metric>> part : PARTS.entrySet()) {
            text.append("\n## ")
                    .append(part.getKey())
                    .append("\n\n| metric | type | labels | |\n|---|---|---|---|\n");
            Metric.ALL.values().stream().filter(part.getValue()).forEach(each -> row(each, text));
        }
        return text.toString();
    }

    private static void row(Metric metric, StringBuilder text) {
        text.append(
                "| `%s` | %s | %s | %s |%n"
                        .formatted(
                                metric.name(),
                                metric.type().name().toLowerCase(Locale.ROOT),
                                metric.labels().stream()
                                        .map(label -> "`" + label + "`")
                                        .collect(Collectors.joining(" ")),
                                metric.help()));
    }
}
