// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.metric;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Dashboards, alerts and recording rules ask for nothing that no process shows. */
class QueriesTest {
    private static final Path CHART = Path.of("../helm/sluice");
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Pattern METRIC =
            Pattern.compile("\\b((?:sluice|jvm|process)_\\w+)(?:\\{([^}]*)\\})?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*[=!]~?");
    private static final Pattern BY = Pattern.compile("\\b(?:by|on) \\(([^)]*)\\)");

    /** What Prometheus itself puts on every series. */
    private static final Set<String> OF_TARGETS =
            Set.of("le", "instance", "job", "pod", "namespace");

    private static final Map<String, Metric> SERIES =
            Metric.ALL.values().stream()
                    .flatMap(
                            metric -> metric.series().stream().map(name -> Map.entry(name, metric)))
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));

    record Query(String where, String text) {}

    static List<Query> queries() throws IOException {
        List<Query> queries = new ArrayList<>();
        for (Path file : files()) {
            JsonNode root = YAML.readTree(file.toFile());
            for (String field : List.of("expr", "query")) {
                for (JsonNode parent : root.findParents(field)) {
                    String text = parent.get(field).asText();
                    if (METRIC.matcher(text).find()) {
                        queries.add(new Query(file.getFileName().toString(), text));
                    }
                }
            }
        }
        return queries;
    }

    @ParameterizedTest
    @MethodSource("queries")
    void asksForListedMetricsAndTheirLabels(Query query) {
        Set<String> labels = new HashSet<>(OF_TARGETS);
        METRIC.matcher(query.text())
                .results()
                .forEach(
                        found -> {
                            Metric metric = SERIES.get(found.group(1));
                            assertThat(metric).as(found.group(1)).isNotNull();
                            Set<String> known = new HashSet<>(metric.labels());
                            known.addAll(OF_TARGETS);
                            labels.addAll(metric.labels());
                            String selector = found.group(2) == null ? "" : found.group(2);
                            assertThat(LABEL.matcher(selector).results().map(it -> it.group(1)))
                                    .isSubsetOf(known);
                        });
        assertThat(
                        BY.matcher(query.text())
                                .results()
                                .flatMap(found -> Arrays.stream(found.group(1).split(", *", -1))))
                .isSubsetOf(labels);
    }

    @Test
    void everyDashboardHasQueriesInEachPanel() throws IOException {
        for (Path file : files()) {
            for (JsonNode panel : YAML.readTree(file.toFile()).path("panels")) {
                assertThat(panel.path("targets")).as(file + " " + panel.path("title")).isNotEmpty();
            }
        }
    }

    @Test
    void everyAlertHasARunbookAndEveryRunbookAnAlert() throws IOException {
        Set<String> alerts = new HashSet<>();
        for (Path file : files()) {
            YAML.readTree(file.toFile()).findValuesAsText("alert").forEach(alerts::add);
        }
        Set<String> runbooks =
                Files.readString(Path.of("../docs/runbooks.md"))
                        .lines()
                        .filter(line -> line.startsWith("## "))
                        .map(line -> line.substring(3))
                        .collect(Collectors.toSet());

        assertThat(runbooks).isEqualTo(alerts);
    }

    private static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String folder : List.of("dashboards", "alerts", "recording")) {
            try (Stream<Path> each = Files.list(CHART.resolve(folder))) {
                each.forEach(files::add);
            }
        }
        return files.stream().sorted(Comparator.naturalOrder()).toList();
    }
}
