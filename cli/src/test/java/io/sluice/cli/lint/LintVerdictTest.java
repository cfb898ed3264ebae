// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.cli.Orders;
import io.sluice.cli.document.Documents;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.option.CheckOptions;
import io.sluice.rules.review.Violation;
import io.sluice.rules.review.Warning;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LintVerdictTest {
    private static final String CANARY =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkDeployment
            metadata:
              name: canary
              %s
              labels: {flink.apache.org/canary: "true"}
            %s
            """;

    @Test
    void whatTheServerTakesIsValid() {
        assertThat(problems(Orders.YAML)).isEmpty();
    }

    @Test
    void aFieldThatDoesNotExistIsAProblem() {
        assertThat(problems(Orders.YAML.replace("upgradeMode", "upgrademode")))
                .containsExactly("unknown-field spec.job.upgrademode");
    }

    @Test
    void aKeyThatIsThereTwiceIsAProblem() {
        assertThat(problems(Orders.YAML.replace("image: flink:1.20", "image: a\n  image: b")))
                .containsExactly("duplicate-field spec.image");
    }

    @Test
    void aValueOfTheWrongTypeIsToldOnce() {
        assertThat(problems(Orders.YAML.replace("parallelism: 2", "parallelism: two")))
                .containsExactly("field-type spec.job.parallelism");
    }

    @Test
    void theItemsOfAListAreChecked() {
        String item = Orders.YAML.indent(4).stripLeading();
        LintReport report =
                lint(
                        "apiVersion: v1\nkind: List\nitems:\n  - "
                                + item
                                + "  - "
                                + item.replace("jobManager", "jobManger"));

        assertThat(report.results()).hasSize(2);
        assertThat(report.results().get(0).isValid()).isTrue();
        assertThat(report.results().get(1).findings().problems())
                .extracting(Violation::rule)
                .contains("unknown-field");
    }

    @Test
    void anAliasIsWhatItStandsFor() {
        String aliased =
                Orders.YAML
                        .replace("{resource: {cpu: 1, memory: 1Gi}}", "*modest")
                        .replaceFirst("\\*modest", "&modest {resource: {cpu: 1, memory: 1Gi}}");

        assertThat(problems(aliased)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "flink.apache.org/v1beta1, FlinkDeploymnt, unknown-kind kind",
        "flink.apache.org/v1beta1, flinkdeployment, unknown-kind kind",
        "flink.apache.org/v1beta1, Job, unknown-kind kind",
        "flink.apache.org/v1beta1, '', unknown-kind kind",
        "flink.apache.org/v1alpha1, FlinkDeployment, unknown-version apiVersion",
        "flink.apache.org, FlinkDeployment, unknown-version apiVersion",
        "flink.apach.org/v1beta1, FlinkDeployment, unknown-version apiVersion",
        "v1beta1, FlinkDeployment, unknown-version apiVersion",
        "'', FlinkSessionJob, unknown-version apiVersion",
    })
    void aKindThatTheServerDoesNotFindIsAProblem(String version, String kind, String problem) {
        String yaml =
                Orders.YAML
                        .replace("flink.apache.org/v1beta1", version)
                        .replace("kind: FlinkDeployment", "kind: " + kind);

        assertThat(problems(yaml)).containsExactly(problem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apiVersion: v1\nkind: ConfigMap",
                "apiVersion: flink.example.com/v1\nkind: FlinkDeployment",
                "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization",
                "resources: [a.yaml]",
            })
    void whatBelongsToOthersIsPassedOver(String yaml) {
        LintReport report = lint(yaml);

        assertThat(report.results()).isEmpty();
        assertThat(report.foreign()).isEqualTo(1);
    }

    @Test
    void aCanaryIsNotCheckedByTheWebhookAndNeedsNoSpec() {
        assertThat(problems(CANARY.formatted("namespace: sluice-system", ""))).isEmpty();
    }

    @Test
    void theRulesOfTheCrdHoldForACanaryToo() {
        assertThat(problems(CANARY.formatted("namespace: sluice-system", "spec: {image: none}")))
                .containsExactlyInAnyOrder(
                        "flink-version-required spec.flinkVersion",
                        "service-account-required spec.serviceAccount");
        assertThat(problems(CANARY.formatted("namespace: sluice-system", "spec: {imag: none}")))
                .contains("unknown-field spec.imag");
    }

    @Test
    void aCanaryElsewhereIsRefused() {
        assertThat(problems(CANARY.formatted("namespace: shop", "")))
                .contains("canary-configured metadata.labels[flink.apache.org/canary]");
    }

    @Test
    void theOperatorsConfigurationSaysWhereCanariesMayBe() {
        var shop =
                new DefaultConfiguration(
                        new FlinkConfiguration(
                                Map.of(CheckOptions.CANARY_RESOURCES.key(), "shop/canary")));

        assertThat(
                        problems(
                                new Lint(shop, "sluice-system", ""),
                                CANARY.formatted("namespace: shop", "")))
                .isEmpty();
    }

    @Test
    void aCanaryWithoutANamespaceIsTakenWithAWarning() {
        LintReport report = lint(CANARY.formatted("", ""));

        assertThat(report.isValid()).isTrue();
        assertThat(report.results().getFirst().findings().warnings())
                .extracting(Warning::id)
                .containsExactly("canary-configured");
    }

    @Test
    void theGivenNamespaceIsThatOfDocumentsThatNameNone() {
        var lint = new Lint(DefaultConfiguration.NONE, "sluice-system", "shop");

        assertThat(problems(lint, CANARY.formatted("", "")))
                .contains("canary-configured metadata.labels[flink.apache.org/canary]");
    }

    private static List<String> problems(String yaml) {
        return problems(new Lint(DefaultConfiguration.NONE, "sluice-system", ""), yaml);
    }

    private static List<String> problems(Lint lint, String yaml) {
        LintReport report = lint(lint, yaml);
        assertThat(report.results()).hasSize(1);
        return report.results().getFirst().findings().problems().stream()
                .map(violation -> violation.rule() + " " + violation.problem().path())
                .toList();
    }

    private static LintReport lint(String yaml) {
        return lint(new Lint(DefaultConfiguration.NONE, "sluice-system", ""), yaml);
    }

    private static LintReport lint(Lint lint, String yaml) {
        var input = new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8));
        return lint.review(Documents.read(List.of("-"), input));
    }
}
