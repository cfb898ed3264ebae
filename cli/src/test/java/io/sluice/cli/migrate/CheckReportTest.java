// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import static io.sluice.cli.migrate.LivePictures.CLICKS;
import static io.sluice.cli.migrate.LivePictures.OPERATOR;
import static io.sluice.cli.migrate.LivePictures.ORDERS;
import static io.sluice.cli.migrate.LivePictures.check;
import static io.sluice.cli.migrate.LivePictures.configured;
import static io.sluice.cli.migrate.LivePictures.picture;
import static io.sluice.cli.migrate.LivePictures.read;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The verdict on installations of the Apache operator, and how a report is written. */
class CheckReportTest {
    @Test
    void anOptionThatSluiceCannotReadNeedsAnEditOfTheOperatorsConfiguration() {
        MigrationVerdict judgement =
                check(configured("kubernetes.operator.reconcile.interval: soon"))
                        .operators()
                        .getFirst();

        assertThat(judgement.verdict()).isInstanceOf(Verdict.NeedsEdit.class);
        assertThat(CheckText.of(check(configured("a: 1")), Product.APACHE))
                .contains("flink/flink-operator");
    }

    @Test
    void anOptionOfTheOperatorWithoutEffectIsANote() {
        MigrationVerdict judgement =
                check(configured("kubernetes.operator.exception.stacktrace.enabled: true"))
                        .operators()
                        .getFirst();

        assertThat(judgement.verdict()).isInstanceOf(Verdict.TakenOver.class);
        assertThat(judgement.notes())
                .extracting(CheckRemark::id)
                .containsExactly("operator-option");
    }

    @Test
    void aConfigurationThatIsNoYamlNeedsAnEditAndTheCheckGoesOn() {
        CheckReport report = check(configured("[1", ORDERS));

        assertThat(report.operators().getFirst().verdict()).isInstanceOf(Verdict.NeedsEdit.class);
        assertThat(report.resources()).hasSize(1);
    }

    @Test
    void pluginsThatAreMountedAreNamed() {
        var plugged =
                new Installation(
                        "flink",
                        "flink-operator",
                        OPERATOR.files(),
                        List.of("/opt/flink/plugins/audit"),
                        List.of("example/operator:1"));

        assertThat(check(new LivePicture(List.of(), Set.of(), List.of(plugged), List.of())))
                .extracting(report -> report.operators().getFirst().notes())
                .satisfies(
                        notes ->
                                assertThat(notes)
                                        .extracting(CheckRemark::path)
                                        .containsExactly(
                                                "/opt/flink/plugins/audit", "example/operator:1"));
    }

    @Test
    void theCommandsNameTheReleaseAndStandInTheOrderOfTheDocumentation() {
        assertThat(check(picture(OPERATOR)).commands())
                .containsExactly(
                        "helm get values flink-operator -n flink > theirs.yaml",
                        "./sluice migrate values theirs.yaml > values.yaml",
                        "helm uninstall flink-operator -n flink",
                        "helm show crds helm/sluice | kubectl apply --server-side"
                                + " --force-conflicts -f -",
                        "helm install sluice helm/sluice --namespace sluice-system"
                                + " --create-namespace --take-ownership -f values.yaml");
    }

    @Test
    void severalInstallationsAreToldAndTheirValuesAreNotMixed() {
        var other = new Installation("other", "", Map.of(), List.of(), List.of());
        CheckReport report =
                check(new LivePicture(List.of(), Set.of(), List.of(OPERATOR, other), List.of()));

        assertThat(report.operators())
                .allSatisfy(
                        each ->
                                assertThat(each.notes())
                                        .extracting(CheckRemark::id)
                                        .contains("operator-configuration-unknown"));
        assertThat(report.commands())
                .contains("helm uninstall flink-kubernetes-operator -n other")
                .noneSatisfy(command -> assertThat(command).contains("values.yaml"));
    }

    @Test
    void theTextHasALineForEachResourceAndForEachMissingRight() {
        var picture =
                new LivePicture(
                        List.of(read(CLICKS.replace("https:", "s3:")), read(ORDERS)),
                        Set.of(),
                        List.of(OPERATOR),
                        List.of(
                                new MissingRight("list", "deployments.apps", ""),
                                new MissingRight("list", "configmaps", "shop")));

        assertThat(CheckText.of(check(picture), Product.APACHE))
                .contains(
                        "FlinkSessionJob shop/clicks: blocked\n  blocked ",
                        "FlinkDeployment shop/orders: taken over as it is\n",
                        "  list deployments.apps in all namespaces\n",
                        "  list configmaps in namespace shop\n",
                        "2 resources: 1 taken over as they are, 0 need an edit, 1 blocked\n",
                        "Settle what is blocked",
                        "  helm uninstall flink-operator -n flink\n");
    }

    @Test
    void theJsonHasTheVerdictTheRemarksTheMissingRightsAndTheCommands() throws IOException {
        var picture =
                new LivePicture(
                        List.of(read(CLICKS.replace("https:", "s3:"))),
                        Set.of(),
                        List.of(OPERATOR),
                        List.of(new MissingRight("list", "configmaps", "shop")));

        JsonNode json = new ObjectMapper().readTree(CheckJson.of(check(picture)));

        assertThat(json.at("/resources/0/verdict").asText()).isEqualTo("blocked");
        assertThat(json.at("/resources/0/reasons/0/id").asText())
                .isEqualTo("jar-uri-scheme-allowed");
        assertThat(json.at("/operators/0/verdict").asText()).isEqualTo("taken-over");
        assertThat(json.at("/missingRights/0/resource").asText()).isEqualTo("configmaps");
        assertThat(json.path("commands")).hasSize(5);
    }
}
