// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.diff;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.spec.FlinkDeploymentSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class ChangeTextTest {
    @Test
    void tellsTheFormerAndThePresentValueOfEachFieldThatCounts() {
        assertThat(
                        text(
                                "{image: 'flink:1', job: {args: [a, b], upgradeMode: stateless}}",
                                "{image: 'flink:2', serviceAccount: f, job: {args: [a], upgradeMode: last-state}}"))
                .isEqualTo(
                        "spec.image: flink:1 -> flink:2; spec.serviceAccount: (none) -> f;"
                                + " spec.job.args: [a, b] -> [a]");
    }

    @Test
    void tellsConfigurationHoweverItIsWritten() {
        assertThat(
                        text(
                                "{flinkConfiguration: {taskmanager: {numberOfTaskSlots: 1}, a.b: x}}",
                                "{flinkConfiguration: {taskmanager.numberOfTaskSlots: '2'}}"))
                .isEqualTo(
                        "spec.flinkConfiguration.a.b: x -> (none);"
                                + " spec.flinkConfiguration.taskmanager.numberOfTaskSlots: 1 -> 2");
    }

    @Test
    void ofAFieldWithFieldsTellsThoseThatDiffer() {
        assertThat(
                        text(
                                "{taskManager: {resource: {cpu: 1.0, memory: 1g, ephemeralStorage: null}}}",
                                "{taskManager: {resource: {cpu: 1, memory: 2g}}}"))
                .isEqualTo("spec.taskManager.resource.memory: 1g -> 2g");
        assertThat(
                        text(
                                "{podTemplate: {spec: {containers: [{name: a, image: x}]}}}",
                                "{podTemplate: {spec: {containers: [{name: a, image: y}], hostNetwork: true}}}"))
                .isEqualTo(
                        "spec.podTemplate.spec.containers[0].image: x -> y;"
                                + " spec.podTemplate.spec.hostNetwork: (none) -> true");
    }

    @Test
    void abbreviatesWhatWasAddedOrRemovedAsAWhole() {
        assertThat(text("{job: {jarURI: a}}", "{}")).isEqualTo("spec.job: {…} -> (none)");
        assertThat(
                        text(
                                "{logConfiguration: {log4j.properties: \"a=1\\nb=2\"}}",
                                "{logConfiguration: {log4j.properties: \"a=1\\nb=2\\nc=3\"}}"))
                .isEqualTo("spec.logConfiguration.log4j.properties: (2 lines) -> (3 lines)");
    }

    @Test
    void hidesSecretsByTheirNames() {
        assertThat(
                        text(
                                """
                                flinkConfiguration: {s3.secret-key: hush1}
                                podTemplate: {spec: {containers: [{env: [{name: A, value: hush3}]}]}}
                                job: {args: [--password, hush5, '--db.password=hush5,x']}
                                """,
                                """
                                flinkConfiguration: {s3.secret-key: hush2}
                                podTemplate: {spec: {containers: [{env: [{name: A, value: hush4}]}]}}
                                job: {args: [--password, hush6, '--db.password=hush6,x', --new]}
                                """))
                .contains("spec.flinkConfiguration.s3.secret-key: ****** -> ******")
                .contains("env[0].value: ****** -> ******")
                .contains("[--password, ******, --db.password=******, --new]")
                .doesNotContain("hush")
                .doesNotContain(",x");
    }

    @Test
    void hidesSecretsByTheirValues() {
        assertThat(
                        text(
                                "{flinkConfiguration: {s3.secret-key: hush1}, job: {args: [hush1]}}",
                                "{flinkConfiguration: {s3.secret-key: hush2}, job: {args: [hush2], jarURI: 'https://me:hush3@h/a.jar'}}"))
                .contains("spec.job.args: [******] -> [******]")
                .contains("https://me:******@h/a.jar")
                .doesNotContain("hush");
    }

    @Test
    void isNeverLong() {
        String many = "x".repeat(500);

        assertThat(text("{image: a}", "{image: " + many + "}"))
                .isEqualTo("spec.image: a -> " + "x".repeat(59) + "…");
        assertThat(
                        text(
                                "{}",
                                "{podTemplate: {spec: {a: %s, b: %s, c: %s}}, image: %s, serviceAccount: %s}"
                                        .formatted(many, many, many, many, many)))
                .hasSizeLessThanOrEqualTo(600);
    }

    private static String text(String before, String after) {
        ObjectNode old = spec(before);
        ObjectNode now = spec(after);
        return ChangeText.of(
                SpecDiff.between(
                        FlinkDeploymentSpec.parse(old, "spec").value(),
                        FlinkDeploymentSpec.parse(now, "spec").value()),
                old,
                now);
    }

    private static ObjectNode spec(String text) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(text);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
