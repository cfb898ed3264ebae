// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LintTest {
    private static final Path EXAMPLES = Path.of("../examples");
    private static final Path INVALID = Path.of("../e2e/main-job/invalid.yaml");

    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    static List<Path> examples() {
        try (var files = Files.list(EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleIsValid(Path file) {
        assertThat(lint(file.toString())).as(out.toString()).isZero();
        assertThat(out.toString()).contains(": valid");
    }

    @Test
    void theExamplesAreFound() {
        assertThat(examples()).hasSizeGreaterThan(2);
    }

    @Test
    void namesEveryProblemOfAResourceAtOnceAsJson() throws IOException {
        assertThat(lint("-o", "json", INVALID.toString())).isEqualTo(1);

        JsonNode result = new ObjectMapper().readTree(out.toString()).get(0);
        assertThat(result.path("kind").asText()).isEqualTo("FlinkDeployment");
        assertThat(result.path("valid").asBoolean()).isFalse();
        assertThat(result.path("file").asText()).endsWith("invalid.yaml");
        assertThat(result.path("problems")).hasSizeGreaterThan(5);
        assertThat(result.path("problems"))
                .allSatisfy(
                        problem -> {
                            assertThat(problem.path("rule").asText()).isNotEmpty();
                            assertThat(problem.path("path").asText()).isNotEmpty();
                            assertThat(problem.has("value")).isTrue();
                            assertThat(problem.path("message").asText()).isNotEmpty();
                        });
    }

    @Test
    void findsOneDocumentFromAnother() {
        write(
                "both.yaml",
                """
                apiVersion: flink.apache.org/v1beta1
                kind: FlinkSessionJob
                metadata: {name: report}
                spec:
                  deploymentName: application
                  job: {jarURI: "https://repo.example.org/job.jar", parallelism: 1}
                ---
                apiVersion: flink.apache.org/v1beta1
                kind: FlinkDeployment
                metadata: {name: application}
                spec:
                  flinkVersion: v1_20
                  serviceAccount: flink
                  jobManager: {resource: {memory: 1Gi}}
                  taskManager: {resource: {memory: 1Gi}}
                  job: {parallelism: 1}
                ---
                apiVersion: v1
                kind: ConfigMap
                """);

        assertThat(lint(folder.toString())).isEqualTo(1);
        assertThat(out.toString())
                .contains("session-job-needs-session-cluster")
                .contains("2 resources, 1 invalid");
    }

    @Test
    void readsTheOperatorsConfiguration() {
        write("config.yaml", "kubernetes.operator.user.artifacts.allowed-schemes: http\n");
        Path job =
                write(
                        "job.json",
                        """
                        {"apiVersion": "flink.apache.org/v1beta1", "kind": "FlinkSessionJob",
                         "metadata": {"name": "report"},
                         "spec": {"deploymentName": "orders",
                                  "job": {"jarURI": "http://repo.example.org/job.jar", "parallelism": 1}}}
                        """);

        assertThat(lint(job.toString())).isEqualTo(1);
        assertThat(lint("--config", folder.toString(), job.toString())).isZero();
        assertThat(lint("--config", folder.resolve("config.yaml").toString(), job.toString()))
                .isZero();
        assertThat(lint("--config", folder.resolve("absent").toString(), job.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--config").contains("does not exist");
    }

    @Test
    void endsWithTwoIfAFileCannotBeRead() {
        Path broken = write("broken.yaml", "a: [\nb: }");

        assertThat(lint("absent.yaml")).isEqualTo(2);
        assertThat(lint(broken.toString())).isEqualTo(2);
        assertThat(lint()).isEqualTo(2);
        assertThat(err.toString()).contains("absent.yaml: cannot be read").contains("is not YAML");
    }

    @Test
    void endsWithOneForAWarningIfItIsStrict() {
        Path odd =
                write(
                        "odd.yaml",
                        """
                        apiVersion: flink.apache.org/v1beta1
                        kind: FlinkDeployment
                        metadata: {name: orders}
                        spec:
                          image: flink:1.20
                          flinkVersion: v1_20
                          serviceAccount: flink
                          flinkConfiguration: {taskmanager.numberOfTaskSlot: 2}
                          jobManager: {resource: {memory: 1Gi}}
                          taskManager: {resource: {memory: 1Gi}}
                          job: {jarURI: "local:///job.jar", parallelism: 1, upgradeMode: stateless}
                        """);

        assertThat(lint(odd.toString())).as(out.toString()).isZero();
        assertThat(out.toString()).contains("  warning  " + odd + ":8  ");
        assertThat(lint("--strict", odd.toString())).isEqualTo(1);
    }

    @Test
    void writesWhatToolsRead() throws IOException {
        assertThat(lint("-o", "sarif", INVALID.toString())).isEqualTo(1);
        assertThat(new ObjectMapper().readTree(out.toString()).at("/runs/0/results"))
                .hasSizeGreaterThan(5);

        out.getBuffer().setLength(0);
        assertThat(lint("--output", "junit", INVALID.toString())).isEqualTo(1);
        assertThat(out.toString()).startsWith("<?xml").contains("failures=\"1\"");
    }

    @Test
    void endsWithTwoIfTheCommandLineIsWrong() {
        assertThat(lint("-o", "xml", INVALID.toString())).isEqualTo(2);
        assertThat(lint("--strikt", INVALID.toString())).isEqualTo(2);
    }

    private Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private int lint(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "lint";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Main.run(new PrintWriter(out), new PrintWriter(err), all);
    }
}
