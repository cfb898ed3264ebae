// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.Reviewer;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Findings;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.kubernetes.configuration.KubernetesConfigOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each field that is rendered, with what the chart's {@code tenancy: shared} says of it for whoever
 * has rights on FlinkDeployments alone. A field that Flink or Kubernetes adds fails here until
 * somebody has thought about it.
 */
class TenancyTest {
    private static final Path TABLE = Path.of("src/test/resources/io/sluice/manifest/tenancy.txt");
    private static final Path SHARED = Path.of("../helm/sluice/config/shared.yaml");
    private static final YAMLMapper YAML = new YAMLMapper();

    /**
     * @param verdict id of the rule that refuses it; or begins with {@code own:}
     */
    record Row(String field, String verdict, String spec) {
        boolean isOwn() {
            return verdict.startsWith("own: ");
        }

        @Override
        public String toString() {
            return field;
        }
    }

    static List<Row> rows() throws IOException {
        return Files.readAllLines(TABLE).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" \\|", 3))
                .map(cells -> new Row(cells[0].strip(), cells[1].strip(), cells[2].strip()))
                .toList();
    }

    static List<Row> refused() throws IOException {
        return rows().stream().filter(row -> !row.isOwn()).toList();
    }

    @ParameterizedTest
    @MethodSource("refused")
    void isRefusedInASharedCluster(Row row) throws IOException {
        assertThat(review(row, shared()).problems())
                .extracting(problem -> problem.rule())
                .contains(row.verdict());
    }

    @ParameterizedTest
    @MethodSource("refused")
    void isNotRefusedByAnyOfTheOptionsUnlessTheyAreSet(Row row) throws IOException {
        Set<String> never = Set.of("restricted-config-key", "forbidden-config-key");

        assertThat(review(row, DefaultConfiguration.NONE).problems())
                .extracting(problem -> problem.rule())
                .filteredOn(rule -> rule.endsWith("-allowed") || rule.equals("pod-security"))
                .isEmpty();
        assertThat(
                        never.contains(row.verdict())
                                || row.verdict().matches("pod-security|.*-allowed"))
                .as("is a rule about what users may have: " + row.verdict())
                .isTrue();
    }

    @Test
    void whatTheExamplesAskForIsLetThrough() throws IOException {
        var plain =
                new Row(
                        "plain",
                        "",
                        "{podTemplate: {metadata: {annotations: {prometheus.io/scrape: 'true'}}}}");

        assertThat(review(plain, shared()).problems()).isEmpty();
    }

    @Test
    void everyFieldOfTheSpecHasAVerdict() throws IOException {
        JsonNode spec =
                YAML.readTree(
                                Path.of(
                                                "../helm/sluice/crds/flinkdeployments.flink.apache.org-v1.yml")
                                        .toFile())
                        .at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties");

        assertThat(judged("spec.")).containsExactlyInAnyOrderElementsOf(names(spec));
        assertThat(judged("ingress."))
                .containsExactlyInAnyOrderElementsOf(names(spec.at("/ingress/properties")));
    }

    @Test
    void everyFieldOfAPodHasAVerdict() throws IOException {
        assertThat(judged("pod.")).containsAll(properties(PodSpec.class));
        assertThat(judged("container.")).containsAll(properties(Container.class));
        assertThat(judged("volume.")).containsAll(properties(Volume.class));
    }

    @Test
    void everyOptionOfFlinksForKubernetesHasAVerdict() throws Exception {
        Set<String> keys = new TreeSet<>();
        for (Field field : KubernetesConfigOptions.class.getFields()) {
            if (ConfigOption.class.isAssignableFrom(field.getType())) {
                var option = (ConfigOption<?>) field.get(null);
                keys.add(option.key());
                option.fallbackKeys().forEach(each -> keys.add(each.getKey()));
            }
        }

        assertThat(keys).hasSizeGreaterThan(40);
        assertThat(rows()).extracting(Row::field).containsAll(keys);
    }

    private static Set<String> judged(String prefix) throws IOException {
        return rows().stream()
                .map(Row::field)
                .filter(field -> field.startsWith(prefix))
                .map(field -> field.substring(prefix.length()))
                .collect(Collectors.toSet());
    }

    private static Set<String> names(JsonNode properties) {
        return properties.propertyStream().map(Map.Entry::getKey).collect(Collectors.toSet());
    }

    private static Set<String> properties(Class<?> type) {
        var mapper = new ObjectMapper();
        return mapper
                .getSerializationConfig()
                .introspect(mapper.constructType(type))
                .findProperties()
                .stream()
                .map(each -> each.getName())
                .filter(name -> !name.equals("additionalProperties"))
                .collect(Collectors.toSet());
    }

    /** The chart writes one line more, as its values name the account. */
    private static DefaultConfiguration shared() throws IOException {
        Map<String, String> entries = new HashMap<>();
        for (String line : Files.readAllLines(SHARED)) {
            if (!line.startsWith("#")) {
                String[] parts = line.split(": ", 2);
                entries.put(parts[0], parts[1]);
            }
        }
        entries.put("kubernetes.operator.admission.allowed.service-accounts", "flink");
        return new DefaultConfiguration(new FlinkConfiguration(entries));
    }

    private static Findings review(Row row, DefaultConfiguration configuration) throws IOException {
        ObjectNode resource =
                (ObjectNode)
                        YAML.readTree(
                                """
                                apiVersion: flink.apache.org/v1beta1
                                kind: FlinkDeployment
                                metadata: {name: orders, namespace: team-a}
                                spec:
                                  image: flink:1.20
                                  flinkVersion: v1_20
                                  serviceAccount: flink
                                  jobManager: {resource: {cpu: 0.5, memory: 1g}}
                                  taskManager: {resource: {cpu: 0.5, memory: 1g}}
                                  job: {jarURI: 'local:///opt/flink/usrlib/job.jar', parallelism: 2}
                                """);
        if (!row.spec().isEmpty()) {
            YAML.readTree(row.spec())
                    .propertyStream()
                    .forEach(
                            each ->
                                    resource.withObjectProperty("spec")
                                            .set(each.getKey(), each.getValue()));
        }
        Lookup nothing = (_, _, _) -> new Lookup.Absent();
        return new Reviewer(configuration)
                .review(ReviewRequest.of(ResourceKind.FLINK_DEPLOYMENT, resource), nothing);
    }
}
