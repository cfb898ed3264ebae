// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RenderTest {
    private static final YAMLMapper YAML = new YAMLMapper();

    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    static List<Path> deployments() throws IOException {
        try (var files = Files.list(Path.of("../examples"))) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(RenderTest::hasDeployment)
                    .sorted()
                    .toList();
        }
    }

    private static boolean hasDeployment(Path file) {
        return text(file).lines().anyMatch("kind: FlinkDeployment"::equals);
    }

    @Test
    void saysWhereTheValuesOfAManifestComeFrom() {
        assertThat(render(write(Orders.YAML))).isZero();

        assertThat(lines("image: flink"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).endsWith("image: flink:1.20 # spec.image"));
        assertThat(lines("serviceAccountName:"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).endsWith("flink # spec.serviceAccount"));
        assertThat(lines("local:///job.jar")).singleElement(STRING).endsWith("# spec.job.jarURI");
        assertThat(lines(" default: '2'")).singleElement(STRING).endsWith("# spec.job.parallelism");
        assertThat(lines(" size: 1073741824b"))
                .satisfiesExactly(
                        jobManager ->
                                assertThat(jobManager)
                                        .endsWith("# spec.jobManager.resource.memory"),
                        taskManager ->
                                assertThat(taskManager)
                                        .endsWith("# spec.taskManager.resource.memory"));
        assertThat(lines("dir: s3://bucket/checkpoints"))
                .singleElement(STRING)
                .endsWith("# spec.flinkConfiguration[execution.checkpointing.dir]");
        assertThat(lines("runAsNonRoot:"))
                .isNotEmpty()
                .allSatisfy(
                        line ->
                                assertThat(line)
                                        .endsWith(
                                                "# the operator's configuration,"
                                                        + " kubernetes.operator.pod-security.fill-in"));
        assertThat(lines("apiVersion: apps/v1"))
                .allSatisfy(line -> assertThat(line).doesNotContain("#"));
    }

    @Test
    void namesAnOptionOfTheOperatorsConfiguration() {
        Path config = folder.resolve("config.yaml");
        write(
                config,
                """
                taskmanager.numberOfTaskSlots: 3
                kubernetes.operator.pod-security.fill-in: restricted
                """);

        assertThat(render("--config", config.toString(), write(Orders.YAML))).isZero();

        assertThat(lines("runAsNonRoot:"))
                .allSatisfy(line -> assertThat(line).containsOnlyOnce("pod-security.fill-in"));
        assertThat(lines("numberOfTaskSlots: '3'"))
                .singleElement(STRING)
                .endsWith("# the operator's configuration, taskmanager.numberOfTaskSlots");
    }

    /**
     * What is said is compared with what happens: another image, and nothing else, changes these.
     */
    @ParameterizedTest
    @ValueSource(strings = {"flink:1.20", "s3://bucket/checkpoints", "local:///job.jar"})
    void whatIsSaidToComeFromAValueChangesWithIt(String value) {
        String other = Orders.YAML.replace(value, value + "-other");
        render(write(Orders.YAML));
        List<String> before = out.toString().lines().toList();
        out.getBuffer().setLength(0);
        render(write(other));
        List<String> after = out.toString().lines().toList();

        assertThat(after).hasSameSizeAs(before);
        List<String> origins = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            if (!before.get(i).equals(after.get(i))) {
                origins.add(before.get(i).replaceFirst(".* # ", ""));
            }
        }
        assertThat(origins).isNotEmpty();
        assertThat(origins.stream().distinct()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("deployments")
    void commentsAddNothingToAnExample(Path example) {
        assertThat(render(example.toString())).as(err.toString()).isZero();
        List<JsonNode> commented = opened(out.toString());
        assertThat(out.toString()).contains(" # spec.");
        out.getBuffer().setLength(0);

        assertThat(render("--plain", example.toString())).isZero();
        assertThat(out.toString()).doesNotContain(" # spec.");
        assertThat(opened(out.toString())).isNotEmpty().isEqualTo(commented);
    }

    @Test
    void theExamplesAreFound() throws IOException {
        assertThat(deployments()).hasSizeGreaterThan(5);
    }

    @Test
    void showsTheIngressThatTheSpecAsksFor() {
        String withIngress =
                Orders.YAML.replace(
                        "spec:\n", "spec:\n  ingress: {template: \"{{name}}.example.com\"}\n");

        assertThat(render(write(withIngress))).as(err.toString()).isZero();

        assertThat(lines("host:"))
                .singleElement(STRING)
                .contains("orders.example.com # spec.ingress.template");
    }

    @Test
    void aResourceThatAdmissionRefusesIsNotRendered() {
        String invalid = Orders.YAML.replace("parallelism: 2", "parallelism: -2");

        assertThat(render(write(invalid))).isEqualTo(1);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("spec.job.parallelism");
    }

    @Test
    void saysWhatOtherKindsRunOn() {
        String job =
                """
                apiVersion: flink.apache.org/v1beta1
                kind: FlinkSessionJob
                metadata: {name: report}
                spec:
                  deploymentName: session
                  job: {jarURI: "https://repo.example.org/job.jar", parallelism: 1}
                """;

        assertThat(render(write(job))).isZero();

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("FlinkSessionJob report", "render that");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThat(render(folder.resolve("none.yaml").toString())).isEqualTo(2);

        assertThat(err.toString()).contains("none.yaml");
    }

    /** Each document, with the YAML in a ConfigMap's files read. */
    private static List<JsonNode> opened(String text) {
        return Stream.of(text.split("(?m)^---\n", -1))
                .map(RenderTest::tree)
                .filter(ObjectNode.class::isInstance)
                .map(RenderTest::withFiles)
                .toList();
    }

    private static JsonNode withFiles(JsonNode manifest) {
        if (manifest.path("data") instanceof ObjectNode data) {
            data.properties()
                    .forEach(
                            file -> {
                                JsonNode inside = tree(file.getValue().asText());
                                if (inside.isObject()) {
                                    file.setValue(inside);
                                }
                            });
        }
        return manifest;
    }

    private static JsonNode tree(String text) {
        try {
            return YAML.readTree(text);
        } catch (IOException notYaml) {
            throw new UncheckedIOException(notYaml);
        }
    }

    private List<String> lines(String with) {
        return out.toString().lines().filter(line -> line.contains(with)).toList();
    }

    private int render(String... arguments) {
        return Main.run(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                Stream.concat(Stream.of("render"), Stream.of(arguments)).toArray(String[]::new));
    }

    private String write(String text) {
        return write(folder.resolve("resource.yaml"), text);
    }

    private static String write(Path file, String text) {
        try {
            return Files.writeString(file, text).toString();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
