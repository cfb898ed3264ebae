// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate.values;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.document.Document;
import io.sluice.cli.document.Documents;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MigrateValuesTest {
    private static final Path EVERY = Path.of("../helm/apache/every.values.yaml");
    private static final Path UNASKED = Path.of("../helm/apache/defaults.values.yaml");
    private static final Path EXPECTED = Path.of("src/test/resources/migrated-values.yaml");

    @Test
    void everyValueIsMovedOrToldOf() throws Exception {
        String text = ValuesText.of("values.yaml", migrate(EVERY));
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(EXPECTED, text);
        }

        assertThat(EXPECTED)
                .as("write it anew with ./mvnw -pl cli test -Dgolden.update=true")
                .hasContent(text);
    }

    @Test
    void noValueIsLostOnTheWay() throws Exception {
        Migration migration = migrate(EVERY);
        Set<String> given = new TreeSet<>();
        leaves("", Documents.single(EVERY.toString(), System.in).content(), given);
        migration.open().forEach(remark -> given.remove(remark.path()));
        migration.kept().forEach(remark -> given.remove(remark.path()));
        given.removeIf(
                path ->
                        ApacheValues.move(path).filter(move -> !move.to().isEmpty()).isPresent()
                                || ApacheValues.hint(path)
                                        .filter(hint -> !hint.fine().isEmpty())
                                        .isPresent());

        assertThat(given).isEmpty();
    }

    @Test
    void theApacheChartsOwnValuesNeedNobody() throws Exception {
        Migration migration = migrate(UNASKED);

        assertThat(migration.open()).isEmpty();
        assertThat(migration.values().path("podSecurityContext").isMissingNode()).isTrue();
        assertThat(migration.values().path("operator").path("volumes").isMissingNode()).isTrue();
    }

    @Test
    void whatIsWrittenIsTheValuesThatWereDecidedOn() throws Exception {
        Migration migration = migrate(EVERY);
        String text = ValuesText.of("values.yaml", migration);

        assertThat(values(text)).hasToString(migration.values().toString());
    }

    @Test
    void everyTargetIsAValueOfTheChart() {
        JsonNode chart = Documents.single("../helm/sluice/values.yaml", System.in).content();

        assertThat(ApacheValues.paths())
                .allSatisfy(
                        path ->
                                ApacheValues.move(path).stream()
                                        .flatMap(move -> move.to().stream())
                                        .forEach(
                                                target ->
                                                        assertThat(isThere(chart, target))
                                                                .as(path + " -> " + target)
                                                                .isTrue()));
    }

    @Test
    void everyValueOfTheChartsTableGoesSomewhereOrSaysWhatToUse() {
        assertThat(ApacheValues.paths())
                .hasSizeGreaterThan(73)
                .allSatisfy(
                        path ->
                                assertThat(
                                                ApacheValues.move(path).isPresent()
                                                        || ApacheValues.hint(path)
                                                                .filter(h -> !h.use().isEmpty())
                                                                .isPresent())
                                        .isTrue());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tls: {create: true} | tls.create",
                "postStart: {exec: {}} | postStart",
                "webhook: {validator: {create: false}} | webhook.validator.create",
                "image: {repository: mirror.example.org/x} | image.repository",
                "operatorPod: {resources: {limits: {memory: 1Gi}}} | operatorPod.resources",
                "nameOverride: x | nameOverride",
                "unheardOf: 1 | unheardOf",
                "rbac: {jobRole: {create: false}, jobRoleBinding: {create: x}} |"
                        + " rbac.jobRoleBinding.create",
                "defaultConfiguration: {config.yaml: 'a: 1', flink-conf.yaml: 'a: 1'} |"
                        + " defaultConfiguration.config.yaml",
                "defaultConfiguration: {config.yaml: \"kubernetes.operator.reconcile.interval:"
                        + " soon\"} | defaultConfiguration.config.yaml",
                "defaultConfiguration: {config.yaml: '[1'} | defaultConfiguration.config.yaml",
            })
    void aHumanDecidesAboutWhatHasNoEquivalent(String yaml, String path) {
        assertThat(migrate(yaml).open())
                .extracting(Migration.ValueNote::path)
                .containsExactly(path);
    }

    @Test
    void aFlagThatIsOffTakesItsValueAlong() {
        assertThat(migrate("operatorVolumes: {create: false, data: [{name: a}]}").values())
                .isEmpty();
        assertThat(migrate("operatorVolumes: {create: true, data: [{name: a}]}").values())
                .hasToString("{\"operator\":{\"volumes\":[{\"name\":\"a\"}]}}");
    }

    @Test
    void optionsOfTheJvmJoinTheEnvironment() {
        Migration migration =
                migrate(
                        """
                        operatorPod: {env: [{name: A, value: b}]}
                        jvmArgs: {operator: -Xmx1g}
                        """);

        assertThat(migration.values().at("/operator/env"))
                .hasToString(
                        "[{\"name\":\"A\",\"value\":\"b\"},"
                                + "{\"name\":\"JAVA_TOOL_OPTIONS\",\"value\":\"-Xmx1g\"}]");
        assertThat(migration.values().at("/webhook/env")).hasSize(1);
        assertThat(migration.check())
                .extracting(Migration.ValueNote::path)
                .contains("jvmArgs.operator");
    }

    @Test
    void twoValuesOfOneNameNeedAHuman() {
        assertThat(
                        migrate(
                                        """
                                        operatorPod:
                                          env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx2g}]
                                        jvmArgs: {operator: -Xmx1g}
                                        """)
                                .open())
                .singleElement()
                .satisfies(
                        remark -> {
                            assertThat(remark.path()).isEqualTo("jvmArgs.operator");
                            assertThat(remark.line()).isEqualTo(3);
                            assertThat(remark.text()).contains("JAVA_TOOL_OPTIONS");
                        });
    }

    @Test
    void noValueIsShownInAComment() {
        String text =
                ValuesText.of(
                        "-", migrate("webhook: {keystore: {password: hush}}\nunheardOf: hush"));

        assertThat(text).doesNotContain("hush").contains("webhook.keystore.password");
    }

    private static boolean isThere(JsonNode chart, List<String> target) {
        JsonNode node = chart;
        for (String key : target) {
            boolean isFree = node.isObject() && node.isEmpty();
            if (isFree) {
                return true;
            }
            node = node.path(key);
        }
        return !node.isMissingNode() || target.getLast().equals("flink-conf.yaml");
    }

    /** The paths of the values, as the tables of the migration divide them. */
    private static void leaves(String above, JsonNode values, Set<String> into) {
        for (var field : values.properties()) {
            String path = above.isEmpty() ? field.getKey() : above + "." + field.getKey();
            if (field.getValue().isObject() && ApacheValues.isDivided(path)) {
                leaves(path, field.getValue(), into);
            } else {
                into.add(path);
            }
        }
    }

    private static ObjectNode values(String yaml) {
        return read(yaml).content();
    }

    private static Migration migrate(Path file) {
        return ValuesMigration.of(Documents.single(file.toString(), System.in));
    }

    private static Migration migrate(String yaml) {
        return ValuesMigration.of(read(yaml));
    }

    private static Document read(String yaml) {
        return Documents.single(
                "-", new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
    }
}
