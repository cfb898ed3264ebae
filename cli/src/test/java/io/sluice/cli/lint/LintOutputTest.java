// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.lint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.api.json.FieldProblem;
import io.sluice.cli.document.Document;
import io.sluice.cli.document.Documents;
import io.sluice.rules.review.Findings;
import io.sluice.rules.review.Violation;
import io.sluice.rules.review.Warning;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class LintOutputTest {
    private static final String YAML =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkDeployment
            metadata:
              name: orders
            spec:
              jobManger: {}
              flinkConfiguration:
                a.b: 1
            """;

    private static final LintReport REFUSED =
            new LintReport(
                    List.of(
                            result(
                                    "team a/orders.yaml",
                                    new Findings(
                                            List.of(
                                                    problem("unknown-field", "spec.jobManger"),
                                                    problem("parallelism-min", "spec.job")),
                                            List.of(
                                                    new Warning(
                                                            "unknown-key",
                                                            "spec.flinkConfiguration[a.b]",
                                                            "<odd> \u0001"))))),
                    3);

    private static final LintReport FINE =
            new LintReport(
                    List.of(
                            result(
                                    "a.yaml",
                                    new Findings(
                                            List.of(),
                                            List.of(new Warning("x", "spec", "is odd"))))),
                    0);

    @Test
    void theTextSaysInWhichLineEachProblemIs() {
        assertThat(LintText.of(REFUSED))
                .isEqualTo(
                        """
                        team a/orders.yaml:1: FlinkDeployment orders: invalid
                          problem  team a/orders.yaml:6  unknown-field  spec.jobManger: 'v' is wrong
                          problem  team a/orders.yaml:5  parallelism-min  spec.job: 'v' is wrong
                          warning  team a/orders.yaml:8  spec.flinkConfiguration[a.b]: <odd> \u0001 [unknown-key]
                        1 resources, 1 invalid; 3 of other kinds, not checked
                        """);
        assertThat(LintText.of(FINE)).endsWith("1 resources, 0 invalid\n");
    }

    @Test
    void jsonHasTheLineAndTheColumnBesideWhatItAlwaysHad() throws JsonProcessingException {
        JsonNode result = read(LintJson.of(REFUSED)).path(0);

        assertThat(result.path("file").asText()).isEqualTo("team a/orders.yaml");
        assertThat(result.path("line").asInt()).isEqualTo(1);
        assertThat(result.path("kind").asText()).isEqualTo("FlinkDeployment");
        assertThat(result.path("name").asText()).isEqualTo("orders");
        assertThat(result.path("valid").asBoolean()).isFalse();
        assertThat(result.path("problems").path(0))
                .hasToString(
                        "{\"rule\":\"unknown-field\",\"path\":\"spec.jobManger\",\"value\":\"v\","
                                + "\"message\":\"is wrong\",\"line\":6,\"column\":3}");
        assertThat(result.path("warnings").path(0).path("line").asInt()).isEqualTo(8);
    }

    @Test
    void sarifHasARuleAndAResultForEachFinding() throws JsonProcessingException {
        JsonNode log = read(LintSarif.of(REFUSED, "https://docs.example.org/rules.md"));
        JsonNode run = log.path("runs").path(0);

        assertThat(log.path("version").asText()).isEqualTo("2.1.0");
        assertThat(run.at("/tool/driver/rules").findValuesAsText("id"))
                .containsExactly("unknown-field", "parallelism-min", "unknown-key");
        assertThat(run.at("/tool/driver/rules").findValuesAsText("helpUri"))
                .startsWith(
                        "https://docs.example.org/rules.md#the-api-server",
                        "https://docs.example.org/rules.md#flinkdeployment");
        assertThat(run.path("results")).hasSize(3);
        assertThat(run.path("results").findValuesAsText("level"))
                .containsExactly("error", "error", "warning");
        assertThat(run.path("results").findValuesAsText("ruleIndex"))
                .containsExactly("0", "1", "2");
        assertThat(run.at("/results/0/message/text").asText())
                .isEqualTo("FlinkDeployment orders: unknown-field  spec.jobManger: 'v' is wrong");
        assertThat(run.at("/results/0/locations/0/physicalLocation"))
                .hasToString(
                        "{\"artifactLocation\":{\"uri\":\"team%20a/orders.yaml\"},"
                                + "\"region\":{\"startLine\":6,\"startColumn\":3}}");
        assertThat(run.at("/results/0/locations/0/logicalLocations/0/fullyQualifiedName").asText())
                .isEqualTo("spec.jobManger");
    }

    @Test
    void sarifWithoutAnAddressOfTheReferenceHasNoLinks() throws JsonProcessingException {
        assertThat(read(LintSarif.of(REFUSED, "")).findValues("helpUri")).isEmpty();
    }

    @Test
    void aColonInAFilesNameIsNoScheme() throws JsonProcessingException {
        var report = new LintReport(List.of(result("a:b.yaml", REFUSED)), 0);

        assertThat(read(LintSarif.of(report, "")).findValuesAsText("uri"))
                .containsOnly("./a:b.yaml");
    }

    @Test
    void junitHasATestCaseForEachResource() throws Exception {
        Element suites = xml(LintJunit.of(REFUSED, false));

        assertThat(suites.getTagName()).isEqualTo("testsuites");
        Element suite = first(suites, "testsuite");
        assertThat(suite.getAttribute("tests")).isEqualTo("1");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        Element testCase = first(suite, "testcase");
        assertThat(testCase.getAttribute("name")).isEqualTo("FlinkDeployment orders");
        assertThat(testCase.getAttribute("classname")).isEqualTo("team a/orders.yaml");
        assertThat(first(testCase, "failure").getTextContent())
                .isEqualTo(
                        "unknown-field  spec.jobManger: 'v' is wrong\n"
                                + "parallelism-min  spec.job: 'v' is wrong");
        assertThat(first(testCase, "system-out").getTextContent()).contains("<odd> ?");
    }

    @Test
    void aWarningFailsATestCaseOnlyWithStrict() throws Exception {
        assertThat(first(xml(LintJunit.of(FINE, false)), "testsuite").getAttribute("failures"))
                .isEqualTo("0");
        Element strict = first(xml(LintJunit.of(FINE, true)), "testsuite");
        assertThat(strict.getAttribute("failures")).isEqualTo("1");
        assertThat(first(strict, "failure").getTextContent()).isEqualTo("spec: is odd [x]");
    }

    private static LintResult result(String file, LintReport like) {
        return result(file, like.results().getFirst().findings());
    }

    private static LintResult result(String file, Findings findings) {
        Document read =
                Documents.single(
                        "-", new ByteArrayInputStream(YAML.getBytes(StandardCharsets.UTF_8)));
        return new LintResult(
                new Document(file, read.content(), read.positions(), List.of()), findings);
    }

    private static Violation problem(String rule, String path) {
        return new Violation(rule, new FieldProblem(path, "v", "is wrong"));
    }

    private static JsonNode read(String json) throws JsonProcessingException {
        return new ObjectMapper().readTree(json);
    }

    private static Element xml(String text) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(text)))
                .getDocumentElement();
    }

    private static Element first(Element parent, String name) {
        return (Element) parent.getElementsByTagName(name).item(0);
    }
}
