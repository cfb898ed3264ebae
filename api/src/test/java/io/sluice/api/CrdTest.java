// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.spec.UpgradeMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CrdTest {
    private static final Path FOLDER = Path.of("../helm/sluice/crds");

    /** What client-side apply can keep in its annotation. */
    private static final int LARGEST = 256 * 1024;

    private static final Pattern UPGRADE_MODES =
            Pattern.compile(
                    "(upgradeMode:\\n +description: .*\\n +type: string\\n +enum: )(\\[.*])");

    @ParameterizedTest
    @EnumSource(ResourceKind.class)
    void isSmallEnoughForClientSideApply(ResourceKind kind) throws IOException {
        assertThat(Files.size(file(kind))).isLessThan(LARGEST / 4);
    }

    @ParameterizedTest
    @EnumSource(ResourceKind.class)
    void explainsEveryField(ResourceKind kind) {
        List<String> silent = new ArrayList<>();
        schema(kind)
                .path("properties")
                .properties()
                .forEach(field -> collect(field.getKey(), field.getValue(), silent));

        assertThat(silent).containsExactly("metadata");
    }

    @ParameterizedTest
    @EnumSource(ResourceKind.class)
    void isListedByItsShortNameAndCategories(ResourceKind kind) {
        JsonNode names = crd(kind).at("/spec/names");

        assertThat(names.path("kind").asText()).isEqualTo(kind.wire());
        assertThat(names.path("shortNames")).hasSize(1);
        assertThat(names.path("categories")).extracting(JsonNode::asText).contains("sluice");
    }

    @ParameterizedTest
    @EnumSource(ResourceKind.class)
    void showsReadinessAndAge(ResourceKind kind) {
        var columns =
                StreamSupport.stream(
                                crd(kind)
                                        .at("/spec/versions/0/additionalPrinterColumns")
                                        .spliterator(),
                                false)
                        .map(column -> column.path("name").asText());

        assertThat(columns).contains("Ready", "Age");
    }

    @Test
    void theTemplateOfAPairIsTheSpecOfADeployment() {
        ObjectNode template =
                schema(ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT)
                        .at("/properties/spec/properties/template/properties/spec")
                        .deepCopy();
        ObjectNode spec = schema(ResourceKind.FLINK_DEPLOYMENT).at("/properties/spec").deepCopy();
        template.remove("description");
        spec.remove("description");

        assertThat(template.toPrettyString()).isEqualTo(spec.toPrettyString());
    }

    /** The CRDs of all kinds of jobs name the modes; the words are written by the update. */
    @Test
    void theUpgradeModesAreThoseOfTheCode() throws IOException {
        String words = "[" + String.join(", ", UpgradeMode.WORDS.keySet()) + "]";
        Map<ResourceKind, List<String>> named = new EnumMap<>(ResourceKind.class);
        for (ResourceKind kind : ResourceKind.values()) {
            Matcher modes = UPGRADE_MODES.matcher(Files.readString(file(kind)));
            if (Boolean.getBoolean("golden.update") && modes.find()) {
                Files.writeString(file(kind), modes.replaceAll("$1" + words));
            }
            UPGRADE_MODES
                    .matcher(Files.readString(file(kind)))
                    .results()
                    .forEach(
                            found ->
                                    named.computeIfAbsent(kind, _ -> new ArrayList<>())
                                            .add(found.group(2)));
        }

        assertThat(named)
                .as("write them anew with ./mvnw -pl api test -Dgolden.update=true")
                .isEqualTo(
                        Map.of(
                                ResourceKind.FLINK_DEPLOYMENT, List.of(words),
                                ResourceKind.FLINK_SESSION_JOB, List.of(words),
                                ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT, List.of(words)));
    }

    @Test
    void bothComponentsHaveTheSameFields() {
        JsonNode spec = schema(ResourceKind.FLINK_DEPLOYMENT).at("/properties/spec/properties");

        assertThat(fields(spec.path("jobManager"))).isEqualTo(fields(spec.path("taskManager")));
    }

    private static List<String> fields(JsonNode schema) {
        List<String> fields = new ArrayList<>();
        schema.path("properties")
                .properties()
                .forEach(
                        field -> {
                            fields.add(field.getKey());
                            fields(field.getValue())
                                    .forEach(below -> fields.add(field.getKey() + "." + below));
                        });
        return fields;
    }

    private static void collect(String path, JsonNode schema, List<String> silent) {
        if (!schema.has("description")) {
            silent.add(path);
        }
        schema.path("properties")
                .properties()
                .forEach(field -> collect(path + "." + field.getKey(), field.getValue(), silent));
    }

    private static JsonNode schema(ResourceKind kind) {
        return crd(kind).at("/spec/versions/0/schema/openAPIV3Schema");
    }

    private static JsonNode crd(ResourceKind kind) {
        try {
            return new YAMLMapper().readTree(Files.readString(file(kind)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Path file(ResourceKind kind) {
        return FOLDER.resolve(kind.crd() + "-v1.yml");
    }
}
