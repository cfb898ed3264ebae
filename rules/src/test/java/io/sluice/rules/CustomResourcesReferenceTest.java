// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.defaults.Default;
import io.sluice.rules.defaults.Defaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CustomResourcesReferenceTest {
    private static final Path REFERENCE = Path.of("../docs/reference/crds.md");
    private static final Path CRDS = Path.of("../helm/sluice/crds");

    /** The spec of both FlinkDeployments of a pair, which CrdTest compares with a deployment's. */
    private static final String TEMPLATE = "spec.template.spec";

    @Test
    void theReferenceIsWhatTheCrdsSay() throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(REFERENCE, reference());
        }

        assertThat(REFERENCE)
                .as("write it anew with ./mvnw -pl rules -am test -Dgolden.update=true")
                .hasContent(reference());
    }

    private static String reference() throws IOException {
        var text =
                new StringBuilder(
                        """
                        # Custom resources

                        <!-- Generated from the chart's CRDs and from the list of defaults; do not edit. -->

                        The chart installs these four kinds of the group `flink.apache.org`, version `v1beta1`.
                        `kubectl explain flinkdep.spec.job` shows the same texts. The API server fills in no defaults. Those in the column *default*
                        are filled in [by the webhook](defaults.md), where the field above is there; where a description names
                        another, the operator reads the field so. [Rules](rules.md) says what a spec has to satisfy,
                        [Configuration](configuration.md) which keys `flinkConfiguration` may have of the operator's, and
                        [the contract](../contract/crds.md) what a change of a field asks for.

                        `[]` stands for each element of a list. A field of the type *any* is not described further: `podTemplate` is a
                        [PodTemplateSpec](https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-template-v1/) of
                        Kubernetes, and Flink's [configuration](https://nightlies.apache.org/flink/flink-docs-stable/docs/deployment/config/)
                        has the keys of `flinkConfiguration`.
                        """);
        for (ResourceKind kind : ResourceKind.values()) {
            append(text, kind);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, ResourceKind kind) throws IOException {
        JsonNode crd = crd(kind);
        JsonNode version = crd.at("/spec/versions/0");
        JsonNode schema = version.at("/schema/openAPIV3Schema");
        text.append(
                "%n## %s%n%n%s In `kubectl`: `%s`, or short `%s`.%n"
                        .formatted(
                                kind.wire(),
                                schema.path("description").asText(),
                                crd.at("/spec/names/plural").asText(),
                                crd.at("/spec/names/shortNames/0").asText()));
        text.append(
                """

                | field | type | default | |
                |---|---|---|---|
                """);
        fields(schema, "spec").forEach((path, field) -> text.append(specRow(kind, path, field)));
        text.append(
                """

                | column of `kubectl get` | shows | |
                |---|---|---|
                """);
        version.path("additionalPrinterColumns")
                .forEach(
                        column ->
                                text.append(
                                        row(
                                                List.of(
                                                        column.path("name").asText(),
                                                        code(
                                                                column.path("jsonPath")
                                                                        .asText()
                                                                        .substring(1)),
                                                        column.path("description").asText()))));
        text.append(
                """

                The operator writes the status:

                | field | type | |
                |---|---|---|
                """);
        fields(schema, "status")
                .forEach(
                        (path, field) ->
                                text.append(
                                        row(List.of(code(path), type(field), description(field)))));
    }

    private static String specRow(ResourceKind kind, String path, JsonNode field) {
        return row(
                List.of(
                        code(path),
                        type(field),
                        usual(kind, path, field),
                        specDescription(path, field)));
    }

    /** What the webhook, or the API server, fills in. */
    private static String usual(ResourceKind kind, String path, JsonNode field) {
        Optional<String> filledIn =
                Defaults.ALL.stream()
                        .filter(each -> each.kinds().contains(kind))
                        .filter(each -> path(each).equals(path))
                        .map(Default::shown)
                        .findFirst();
        return filledIn.orElse(field.has("default") ? code(field.path("default").asText()) : "");
    }

    private static String path(Default each) {
        return (each.parent() + "/" + each.field()).substring(1).replace('/', '.');
    }

    private static String type(JsonNode field) {
        if (field.has("enum")) {
            List<String> words = new ArrayList<>();
            field.path("enum").forEach(word -> words.add(code(word.asText())));
            return String.join(", ", words);
        }
        return switch (field.path("type").asText()) {
            case "array" -> "list of " + of(field.path("items"));
            case "object" -> object(field);
            case "integer" -> field.path("format").asText("integer");
            case "" -> "any";
            case String simple -> field.path("format").asText(simple);
        };
    }

    private static String object(JsonNode field) {
        if (field.has("properties")) {
            return "object";
        }
        return field.path("additionalProperties").isObject()
                ? "map of " + of(field.path("additionalProperties"))
                : "any";
    }

    /** What a list or a map has, in the plural. */
    private static String of(JsonNode element) {
        String type = type(element);
        return type.equals("any") ? type : type + "s";
    }

    private static String specDescription(String path, JsonNode field) {
        return description(field)
                + (path.equals(TEMPLATE) ? " It has [the same fields](#flinkdeployment)." : "");
    }

    private static String description(JsonNode field) {
        return field.path("description").asText().replace("|", "\\|").replace("<", "&lt;");
    }

    /** Each field below one, and itself, by path in the order of the schema. */
    private static Map<String, JsonNode> fields(JsonNode schema, String root) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        collect(root, schema.path("properties").path(root), fields);
        fields.remove(root);
        return fields;
    }

    private static void collect(String path, JsonNode field, Map<String, JsonNode> fields) {
        fields.put(path, field);
        if (path.equals(TEMPLATE)) {
            return;
        }
        field.path("properties")
                .properties()
                .forEach(each -> collect(path + "." + each.getKey(), each.getValue(), fields));
        field.path("items")
                .path("properties")
                .properties()
                .forEach(each -> collect(path + "[]." + each.getKey(), each.getValue(), fields));
    }

    private static String row(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static String code(String text) {
        return "`" + text.replace("|", "\\|") + "`";
    }

    private static JsonNode crd(ResourceKind kind) throws IOException {
        return new YAMLMapper().readTree(Files.readString(CRDS.resolve(kind.crd() + "-v1.yml")));
    }
}
