// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlReaderTest {
    @ParameterizedTest
    @CsvSource({
        "yes, true",
        "off, false",
        "y, true",
        "True, true",
        "1, 1",
        "-7, -7",
        "0x10, 16",
        "010, 8",
        "0o10, 8",
        "0b11, 3",
        "08, 8",
        "1_000, 1000",
        "1.0, 1",
        "1e3, 1000",
        "0.5, 0.5",
        ".5, 0.5",
        "9223372036854775807, 9223372036854775807",
        "~, null",
        "'', null",
        "1:30, \"1:30\"",
        "2026-01-02, \"2026-01-02\"",
        "v1_20, \"v1_20\"",
        "500m, \"500m\"",
        "2Gi, \"2Gi\"",
        "0x, \"0x\"",
        "1e999, \"1e999\"",
        ".inf, \".inf\"",
        "!!str 5, \"5\"",
        "\"5\", \"5\"",
    })
    void aScalarMeansWhatItMeansToKubectl(String yaml, String json) {
        assertThat(one("value: " + yaml).path("value")).hasToString(json);
    }

    @Test
    void anAliasStandsForWhatItNames() {
        ObjectNode content =
                one(
                        """
                        modest: &modest {memory: 1Gi}
                        spec:
                          jobManager: {resource: *modest}
                          taskManager: {resource: *modest}
                        """);

        assertThat(content.at("/spec/taskManager/resource/memory").asText()).isEqualTo("1Gi");
    }

    @Test
    void aMergeKeyAddsWhatIsNotThere() {
        ObjectNode content =
                one(
                        """
                        base: &base {cpu: 1, memory: 1Gi}
                        more: &more {cpu: 2, disk: 5Gi}
                        spec:
                          memory: 2Gi
                          <<: [*base, *more]
                        """);

        assertThat(content.path("spec"))
                .hasToString("{\"cpu\":1,\"memory\":\"2Gi\",\"disk\":\"5Gi\"}");
    }

    @Test
    void aKeyIsAlwaysText() {
        assertThat(one("{1: a, on: b, \"null\": c}"))
                .hasToString("{\"1\":\"a\",\"true\":\"b\",\"null\":\"c\"}");
    }

    @Test
    void everyFieldHasItsPlaceHoweverItsPathIsWritten() {
        Document document =
                only(
                        """
                        kind: FlinkDeployment
                        spec:
                          flinkConfiguration:
                            a.b: 1
                            c:
                              d: 2
                          job:
                            args:
                              - x
                              - y
                        """);

        assertThat(document.position("")).isEqualTo(new Position(1, 1));
        assertThat(document.position("spec.flinkConfiguration[a.b]")).isEqualTo(new Position(4, 5));
        assertThat(document.position("spec.flinkConfiguration[c.d]")).isEqualTo(new Position(6, 7));
        assertThat(document.position("spec.job.args[1]").line()).isEqualTo(10);
        assertThat(document.position("spec.job.parallelism")).isEqualTo(new Position(7, 3));
        assertThat(document.position("metadata.name")).isEqualTo(new Position(1, 1));
    }

    @Test
    void theItemsOfAListStandForThemselves() {
        List<Document> documents =
                YamlReader.documents(
                                "list.yaml",
                                """
                                apiVersion: v1
                                kind: List
                                items:
                                  - kind: A
                                    spec: {x: 1}
                                  - kind: FlinkDeploymentList
                                    items:
                                      - kind: B
                                        spec: {z: 1, z: 2}
                                ---
                                kind: C
                                """)
                        .stream()
                        .flatMap(Document::resources)
                        .toList();

        assertThat(documents).extracting(Document::kind).containsExactly("A", "B", "C");
        assertThat(documents.get(0).position("spec.x").line()).isEqualTo(5);
        assertThat(documents.get(1).position("").line()).isEqualTo(8);
        assertThat(documents.get(1).duplicates()).containsExactly("spec.z");
        assertThat(documents.get(2).position("kind").line()).isEqualTo(11);
    }

    @Test
    void jsonMayBeIndentedByTabs() {
        assertThat(one("{\n\t\"a\": [\n\t\t1\n\t]\n}")).hasToString("{\"a\":[1]}");
    }

    @Test
    void whatIsNoObjectIsPassedOver() {
        assertThat(YamlReader.documents("a.yaml", "--- \n---\ntext\n---\n- 1\n")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: &a\n  b: *a",
                "? [x]\n: y",
                "<<: 5",
                "a: [",
                "a: *nowhere",
                "\u0000",
            })
    void whatKubectlCannotReadIsRefusedWithItsFile(String yaml) {
        assertThatThrownBy(() -> YamlReader.documents("a.yaml", yaml))
                .isInstanceOf(Unreadable.class)
                .hasMessageStartingWith("a.yaml");
    }

    @Test
    void aliasesThatMultiplyAreRefused() {
        var yaml = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 9; i++) {
            yaml.append("a%d: &a%d [".formatted(i, i))
                    .append("*a%d, ".formatted(i - 1).repeat(10))
                    .append("x]\n");
        }

        assertThatThrownBy(() -> YamlReader.documents("bomb.yaml", yaml.toString()))
                .isInstanceOf(Unreadable.class)
                .hasMessageContaining("values");
    }

    private static Document only(String yaml) {
        List<Document> documents = YamlReader.documents("a.yaml", yaml);
        assertThat(documents).hasSize(1);
        return documents.getFirst();
    }

    private static ObjectNode one(String yaml) {
        return only(yaml).content();
    }
}
