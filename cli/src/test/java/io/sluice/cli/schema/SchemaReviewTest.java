// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.Orders;
import io.sluice.cli.document.Document;
import io.sluice.cli.document.Documents;
import io.sluice.rules.RuleCatalogue;
import io.sluice.rules.review.Rule;
import io.sluice.rules.review.Violation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SchemaReviewTest {
    private static final Path EXAMPLES = Path.of("../rules/src/test/resources");

    /** What {@link FieldTypes}, {@link UnknownFields} and {@link CelRules} look at. */
    private static final Set<String> KNOWN =
            Set.of(
                    "type",
                    "description",
                    "properties",
                    "items",
                    "additionalProperties",
                    "required",
                    "enum",
                    "maxLength",
                    "maxProperties",
                    "x-kubernetes-int-or-string",
                    "x-kubernetes-preserve-unknown-fields",
                    "x-kubernetes-validations");

    static List<Path> validExamples() {
        try (Stream<Path> files = Files.walk(EXAMPLES)) {
            return files.filter(file -> file.getFileName().toString().startsWith("valid-"))
                    .sorted()
                    .toList();
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    @ParameterizedTest
    @MethodSource("validExamples")
    void whatTheRulesTakeTheSchemaTakes(Path file) {
        Document subject = Documents.read(List.of(file.toString()), System.in).getLast();

        assertThat(SchemaReview.of(kind(subject), subject.content()))
                .extracting(Violation::text)
                .isEmpty();
    }

    @Test
    void theExamplesAreFound() {
        assertThat(validExamples()).hasSizeGreaterThan(80);
    }

    @ParameterizedTest
    @EnumSource(ResourceKind.class)
    void everyRuleOfACrdIsARuleInJavaToo(ResourceKind kind) {
        Set<String> ids = new TreeSet<>();
        RuleCatalogue.BY_KIND.values().stream()
                .flatMap(List::stream)
                .map(Rule::id)
                .forEach(ids::add);

        Set<String> cel = CelRules.all(Schemas.of(kind));

        assertThat(cel).isNotEmpty().isSubsetOf(ids);
    }

    @ParameterizedTest
    @EnumSource(ResourceKind.class)
    void theSpecOfACrdHasOnlyKeywordsThatAreChecked(ResourceKind kind) {
        Set<String> keywords = new TreeSet<>();
        collect(Schemas.of(kind).at("/properties/spec"), keywords);
        keywords.removeAll(KNOWN);
        keywords.removeAll(Set.of("format", "anyOf"));

        assertThat(keywords).isEmpty();
    }

    @Test
    void theOnlyFormatsAreThoseOfNumbersAndTheOnlyChoiceIsIntOrString() {
        for (ResourceKind kind : ResourceKind.values()) {
            JsonNode spec = Schemas.of(kind).at("/properties/spec");
            assertThat(spec.findValuesAsText("format")).isSubsetOf("int32", "int64");
            assertThat(spec.findParents("anyOf"))
                    .allSatisfy(
                            schema ->
                                    assertThat(
                                                    schema.path("x-kubernetes-int-or-string")
                                                            .asBoolean())
                                            .isTrue());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spec.jobManger | {} | unknown-field | did you mean 'jobManager'?",
                "spec.job.upgrademode | savepoint | unknown-field | did you mean 'upgradeMode'?",
                "spec.nothingLikeIt | 1 | unknown-field | remove it",
                "metadata.label | {a: b} | unknown-field | did you mean 'labels'?",
                "statsu | {} | unknown-field | did you mean 'status'?",
                "spec.job.args | text | field-type | must be a list",
                "spec.job.args | [1] | field-type | must be a string",
                "spec.job.parallelism | two | field-type | must be a whole number",
                "spec.job.savepointTriggerNonce | 10000000000000000000 | field-type | 64 bits",
                "spec.job.allowNonRestoredState | maybe | field-type | must be true or false",
                "spec.jobManager.resource.cpu | half | field-type | must be a number",
                "spec.jobManager.resources.limits.cpu | 0.5 | field-type | a string or a whole",
                "spec.flinkVersion | v9_9 | field-type | is not one of v1_13",
                "spec.podTemplate | 5 | field-type | must be an object",
                "spec.ingress | {annotations: {a: 1}} | field-type | must be a string",
                "spec.jobManager.resource.memory | [65 letters] | field-limit | at most 64",
                "metadata.ownerReferences | [{name: a}] | field-required | is missing",
                "metadata.labels.a/b/c | x | metadata-format | has a key",
                "metadata.labels.a | 'b c' | metadata-format | must be letters",
                "metadata.labels.a | 1 | field-type | must be a string",
                "metadata.annotations.-a | x | metadata-format | has a key",
                "metadata.name | Orders | metadata-format | lower-case",
                "metadata.name | '' | metadata-format | is missing",
                "metadata.namespace | a.b | metadata-format | lower-case",
            })
    void refusesWhatTheApiServerRefuses(String path, String value, String rule, String message) {
        ObjectNode resource = resource(Orders.YAML);
        String text = value.equals("[65 letters]") ? "x".repeat(65) : value;
        put(resource, path, resource("value: " + text).path("value"));

        assertThat(SchemaReview.of(ResourceKind.FLINK_DEPLOYMENT, resource))
                .isNotEmpty()
                .allSatisfy(
                        violation -> {
                            assertThat(violation.rule()).isEqualTo(rule);
                            assertThat(
                                            violation
                                                    .problem()
                                                    .path()
                                                    .replace("[", ".")
                                                    .replace("]", ""))
                                    .startsWith(path);
                            assertThat(violation.problem().message()).contains(message);
                        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spec.job.parallelism | null",
                "spec.job.parallelism | 2.0",
                "spec.job.parallelism | 3000000000",
                "spec.flinkConfiguration | {any: {thing: [1]}}",
                "spec.podTemplate | {spec: {containers: [{name: a, anything: 1}]}}",
                "spec.jobManager.resources.limits.memory | 1Gi",
                "spec.jobManager.resources.limits.cpu | 2",
                "status | {jobManagerDeploymentStatus: 5}",
                "metadata.labels.example.org/team_1 | a.b-c_D",
                "metadata.annotations.Example.org/x | 'any thing'",
                "metadata.managedFields | [{manager: x, fieldsV1: {a: {}}}]",
            })
    void takesWhatTheApiServerTakes(String path, String value) {
        ObjectNode resource = resource(Orders.YAML);
        put(resource, path, resource("value: " + value).path("value"));

        assertThat(SchemaReview.of(ResourceKind.FLINK_DEPLOYMENT, resource)).isEmpty();
    }

    @Test
    void onlyRulesOfThePartsThatAreThereAreRulesOfTheResource() {
        ObjectNode withoutSpec = resource(Orders.YAML);
        withoutSpec.remove("spec");

        assertThat(SchemaReview.celRules(ResourceKind.FLINK_DEPLOYMENT, withoutSpec))
                .contains("name-format")
                .doesNotContain("flink-version-required");
        assertThat(SchemaReview.celRules(ResourceKind.FLINK_DEPLOYMENT, resource(Orders.YAML)))
                .contains("flink-version-required", "jm-memory-parse")
                .doesNotContain("ingress-template-required");
    }

    private static void collect(JsonNode schema, Set<String> keywords) {
        schema.fieldNames().forEachRemaining(keywords::add);
        schema.path("properties").forEach(below -> collect(below, keywords));
        for (String below : List.of("items", "additionalProperties")) {
            if (schema.path(below).isObject()) {
                collect(schema.path(below), keywords);
            }
        }
    }

    /** Sets a field; what follows {@code labels} or {@code annotations} is one key. */
    private static void put(ObjectNode resource, String path, JsonNode value) {
        List<String> keys =
                path.matches("metadata\\.(labels|annotations)\\..*")
                        ? Arrays.asList(path.split("\\.", 3))
                        : Arrays.asList(path.split("\\.", -1));
        ObjectNode parent = resource;
        for (String key : keys.subList(0, keys.size() - 1)) {
            parent = parent.withObjectProperty(key);
        }
        parent.set(keys.getLast(), value);
    }

    private static ResourceKind kind(Document document) {
        return Optional.ofNullable(ResourceKind.WORDS.get(document.kind())).orElseThrow();
    }

    private static ObjectNode resource(String yaml) {
        return Documents.single(
                        "-", new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .content();
    }
}
