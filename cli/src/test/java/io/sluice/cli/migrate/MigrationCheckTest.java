// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.cli.document.Document;
import io.sluice.cli.document.Documents;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationCheckTest {
    private static final String UID = "0f3a";

    private static final String ORDERS =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkDeployment
            metadata: {name: orders, namespace: shop, uid: 0f3a, generation: 2}
            spec:
              image: flink:1.20
              flinkVersion: v1_20
              serviceAccount: flink
              flinkConfiguration:
                execution.checkpointing.dir: s3://bucket/checkpoints
              jobManager: {resource: {cpu: 1, memory: 1Gi}}
              taskManager: {resource: {cpu: 1, memory: 1Gi}}
              job: {jarURI: "local:///job.jar", parallelism: 2, upgradeMode: stateless}
            status:
              observedGeneration: 2
              reconciliationStatus:
                state: DEPLOYED
                lastReconciledSpec: SAME
            """;

    private static final String CLICKS =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkSessionJob
            metadata: {name: clicks, namespace: shop}
            spec:
              deploymentName: session
              job: {jarURI: "https://repo.example.org/job.jar", parallelism: 1}
            status:
              reconciliationStatus:
                state: DEPLOYED
                lastReconciledSpec: SAME
            """;

    private static final String SNAPSHOT =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkStateSnapshot
            metadata: {name: nightly, namespace: shop}
            spec:
              savepoint: {}
              jobReference: {kind: FlinkDeployment, name: orders}
            status: {state: COMPLETED}
            """;

    private static final String PAIR =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkBlueGreenDeployment
            metadata: {name: pair, namespace: shop}
            spec:
              template:
                spec:
                  image: flink:1.20
                  flinkVersion: v1_20
                  serviceAccount: flink
                  jobManager: {resource: {cpu: 1, memory: 1Gi}}
                  taskManager: {resource: {cpu: 1, memory: 1Gi}}
                  job: {jarURI: "local:///job.jar", parallelism: 2, upgradeMode: stateless}
            """;

    private static final ApacheOperator OPERATOR =
            new ApacheOperator(
                    "flink",
                    "flink-operator",
                    Map.of("config.yaml", "kubernetes.operator.reconcile.interval: 30 s"),
                    List.of(),
                    List.of());

    @Test
    void whatIsAtRestIsTakenOverWithoutARemark() {
        Judgement judgement = judge(ORDERS);

        assertThat(judgement.verdict()).isInstanceOf(Verdict.TakenOver.class);
        assertThat(judgement.notes()).isEmpty();
    }

    @Test
    void aFinishedSnapshotIsTakenOverWithoutARemark() {
        assertThat(ids(judge(SNAPSHOT))).isEmpty();
    }

    @Test
    void aSnapshotThatIsNotFinishedIsGoneOnWith() {
        assertThat(ids(judge(SNAPSHOT.replace("COMPLETED", "IN_PROGRESS"))))
                .containsExactly("note snapshot-under-way status.state");
    }

    @Test
    void aSessionJobByHttpsIsTakenOver() {
        assertThat(judge(CLICKS).verdict()).isInstanceOf(Verdict.TakenOver.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3", "gs", "abfs", "hdfs", "oss", "file"})
    void aJarThatSluiceCannotFetchBlocksItsSessionJobOnce(String scheme) {
        assertThat(ids(judge(CLICKS.replace("https:", scheme + ":"))))
                .filteredOn(id -> !id.startsWith("note"))
                .containsExactly("blocked jar-uri-scheme-allowed spec.job.jarURI");
    }

    @Test
    void aJarThatTheConfigurationAllowsAndSluiceCannotFetchBlocksToo() {
        var allowing = configured("kubernetes.operator.user.artifacts.allowed-schemes: https, s3");

        assertThat(ids(judge(allowing, CLICKS.replace("https:", "s3:"))))
                .filteredOn(id -> !id.startsWith("note"))
                .containsExactly("blocked jar-uri-scheme-allowed spec.job.jarURI");
    }

    @Test
    void aPairIsBlocked() {
        assertThat(ids(judge(PAIR)))
                .filteredOn(id -> !id.startsWith("note"))
                .containsExactly("blocked blue-green-not-served kind");
    }

    @Test
    void aChildOfAPairIsTakenOverAndNamesThePair() {
        Judgement judgement =
                judge(
                        ORDERS.replace(
                                "uid: 0f3a",
                                "ownerReferences: [{apiVersion: flink.apache.org/v1beta1, kind:"
                                        + " FlinkBlueGreenDeployment, name: pair, uid: a}]"));

        assertThat(ids(judgement))
                .containsExactly("note blue-green-child metadata.ownerReferences");
        assertThat(judgement.notes().getFirst().text()).contains("'pair'");
    }

    @ParameterizedTest
    @CsvSource({
        "'high-availability.type: zookeeper', ha-kubernetes-only, high-availability.type",
        "'security.ssl.rest.enabled: \"true\"', rest-over-http, security.ssl.rest.enabled",
    })
    void whatSluiceCannotTalkToIsBlocked(String entry, String rule, String key) {
        Judgement judgement = judge(withEntry(entry));

        assertThat(ids(judgement))
                .contains("blocked " + rule + " spec.flinkConfiguration[" + key + "]");
    }

    @Test
    void zooKeeperInTheOperatorsOwnConfigurationBlocksTheResourcesOfTheFleet() {
        var fleet = configured("high-availability.type: zookeeper");

        assertThat(ids(judge(fleet, ORDERS)))
                .anySatisfy(id -> assertThat(id).startsWith("blocked ha-kubernetes-only"));
    }

    @Test
    void whatAdmissionRefusesNeedsAnEdit() {
        assertThat(ids(judge(ORDERS.replace("cpu: 1, memory: 1Gi", "cpu: 1"))))
                .contains("edit jm-memory-required spec.jobManager.resource.memory");
    }

    @Test
    void aRootInitContainerNeedsAnEdit() {
        assertThat(ids(judge(withInit("{name: chown, securityContext: {runAsUser: 0}}"))))
                .containsExactly(
                        "edit root-container-runs"
                                + " spec.podTemplate.spec.initContainers[chown].securityContext"
                                + ".runAsUser");
    }

    @Test
    void anInitContainerWithoutAUserIsTold() {
        assertThat(ids(judge(withInit("{name: chown, image: busybox}"))))
                .containsExactly(
                        "note init-container-user spec.podTemplate.spec.initContainers[chown]");
    }

    @Test
    void nothingIsSaidOfInitContainersWhereNoUserIsFilledIn() {
        var none = configured("kubernetes.operator.pod-security.fill-in: none");

        assertThat(ids(judge(none, withInit("{name: chown, image: busybox}")))).isEmpty();
    }

    @Test
    void aCanaryElsewhereNeedsAnEdit() {
        assertThat(
                        ids(
                                judge(
                                        ORDERS.replace(
                                                "uid: 0f3a",
                                                "labels: {flink.apache.org/canary: \"true\"}"))))
                .contains("edit canary-configured metadata.labels[flink.apache.org/canary]");
    }

    @Test
    void aKeyWithoutEffectIsANoteAndChangesNoVerdict() {
        Judgement judgement =
                judge(withEntry("kubernetes.operator.snapshot.resource.enabled: \"true\""));

        assertThat(judgement.verdict()).isInstanceOf(Verdict.TakenOver.class);
        assertThat(ids(judgement))
                .containsExactly(
                        "note config-key-without-effect"
                                + " spec.flinkConfiguration[kubernetes.operator.snapshot.resource"
                                + ".enabled]");
    }

    @ParameterizedTest
    @CsvSource({
        "UPGRADING, upgrade-under-way",
        "ROLLING_BACK, rollback-under-way",
        "ROLLED_BACK, rolled-back",
    })
    void aResourceThatIsNotAtRestIsTakenOverWithANote(String state, String id) {
        Judgement judgement = judge(ORDERS.replace("DEPLOYED", state));

        assertThat(judgement.verdict()).isInstanceOf(Verdict.TakenOver.class);
        assertThat(ids(judgement))
                .containsExactly("note " + id + " status.reconciliationStatus.state");
    }

    @Test
    void anEditThatWasNotCarriedOutIsTold() {
        assertThat(ids(judge(ORDERS.replace("generation: 2}", "generation: 3}"))))
                .containsExactly("note edit-not-carried-out status.observedGeneration");
    }

    @Test
    void aDeletionUnderWayIsTold() {
        assertThat(
                        ids(
                                judge(
                                        ORDERS.replace(
                                                "uid: 0f3a",
                                                "deletionTimestamp: \"2026-07-20T10:00:00Z\""))))
                .containsExactly("note deletion-under-way metadata.deletionTimestamp");
    }

    @Test
    void aStatusThatCannotBeReadIsBlocked() {
        assertThat(ids(judge(ORDERS.replace("SAME", "\"{\""))))
                .containsExactly(
                        "blocked status-lost status.reconciliationStatus.lastReconciledSpec");
    }

    @Test
    void aMissingStatusBesideAClusterOfTheResourceIsBlocked() {
        var picture =
                new LivePicture(
                        List.of(read(withoutStatus(ORDERS))), Set.of(UID), List.of(), List.of());

        assertThat(ids(check(picture).resources().getFirst()))
                .containsExactly(
                        "blocked status-lost status.reconciliationStatus.lastReconciledSpec");
    }

    @Test
    void aMissingStatusWithoutAClusterIsANewResource() {
        assertThat(ids(judge(withoutStatus(ORDERS))))
                .containsExactly(
                        "note not-deployed status.reconciliationStatus.lastReconciledSpec");
    }

    @Test
    void aTemplateOfACronJobIsNeverDeployedItself() {
        assertThat(
                        ids(
                                judge(
                                        withoutStatus(ORDERS)
                                                .replace(
                                                        "uid: 0f3a",
                                                        "annotations: {job.execute.cron: \"0 3 * *"
                                                                + " *\"}"))))
                .isEmpty();
    }

    @Test
    void anEditThatWaitsSaysWhatItWillDo() {
        Document edited = read(ORDERS.replace("generation: 2}", "generation: 3}"));
        edited.content().withObject("/spec").put("image", "flink:1.20-other");

        assertThat(
                        ids(
                                check(
                                                new LivePicture(
                                                        List.of(edited),
                                                        Set.of(),
                                                        List.of(),
                                                        List.of()))
                                        .resources()
                                        .getFirst()))
                .containsExactly(
                        "note edit-not-carried-out status.observedGeneration",
                        "note edit-effect spec");
    }

    @Test
    void anInitContainerOfATaskManagerWithoutAUserIsToldWhereItStands() {
        assertThat(
                        ids(
                                judge(
                                        ORDERS.replace(
                                                "taskManager: {resource",
                                                "taskManager: {podTemplate: {spec: {initContainers:"
                                                        + " [{name: a, image: b}]}}, resource"))))
                .containsExactly(
                        "note init-container-user"
                                + " spec.taskManager.podTemplate.spec.initContainers[a]");
    }

    @Test
    void aResourceThatSluiceHasTakenOverIsTold() {
        assertThat(ids(judge(ORDERS.replace("status:\n", "status:\n  attempt: {id: a}\n"))))
                .containsExactly("note served-by-sluice status.attempt");
    }

    @Test
    void anOptionThatSluiceCannotReadNeedsAnEditOfTheOperatorsConfiguration() {
        Judgement judgement =
                check(configured("kubernetes.operator.reconcile.interval: soon"))
                        .operators()
                        .getFirst();

        assertThat(judgement.verdict()).isInstanceOf(Verdict.NeedsEdit.class);
        assertThat(CheckText.of(check(configured("a: 1")))).contains("flink/flink-operator");
    }

    @Test
    void anOptionOfTheOperatorWithoutEffectIsANote() {
        Judgement judgement =
                check(configured("kubernetes.operator.snapshot.resource.enabled: true"))
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
                new ApacheOperator(
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
        var other = new ApacheOperator("other", "", Map.of(), List.of(), List.of());
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
                        List.of(read(PAIR), read(ORDERS)),
                        Set.of(),
                        List.of(OPERATOR),
                        List.of(
                                new MissingRight("list", "deployments.apps", ""),
                                new MissingRight("list", "configmaps", "shop")));

        assertThat(CheckText.of(check(picture)))
                .contains(
                        "FlinkBlueGreenDeployment shop/pair: blocked\n  blocked ",
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
                        List.of(read(PAIR)),
                        Set.of(),
                        List.of(OPERATOR),
                        List.of(new MissingRight("list", "configmaps", "shop")));

        JsonNode json = new ObjectMapper().readTree(CheckJson.of(check(picture)));

        assertThat(json.at("/resources/0/verdict").asText()).isEqualTo("blocked");
        assertThat(json.at("/resources/0/reasons/0/id").asText())
                .isEqualTo("blue-green-not-served");
        assertThat(json.at("/operators/0/verdict").asText()).isEqualTo("taken-over");
        assertThat(json.at("/missingRights/0/resource").asText()).isEqualTo("configmaps");
        assertThat(json.path("commands")).hasSize(5);
    }

    private static CheckReport check(LivePicture picture) {
        return MigrationCheck.of(picture, "sluice-system");
    }

    private static Judgement judge(String yaml) {
        return judge(picture(OPERATOR), yaml);
    }

    private static Judgement judge(LivePicture around, String yaml) {
        return check(new LivePicture(List.of(read(yaml)), Set.of(), around.operators(), List.of()))
                .resources()
                .getFirst();
    }

    private static LivePicture picture(ApacheOperator operator, String... yaml) {
        return new LivePicture(
                Stream.of(yaml).map(MigrationCheckTest::read).toList(),
                Set.of(),
                List.of(operator),
                List.of());
    }

    private static LivePicture configured(String configuration, String... yaml) {
        return picture(
                new ApacheOperator(
                        "flink",
                        "flink-operator",
                        Map.of("config.yaml", configuration),
                        List.of(),
                        List.of()),
                yaml);
    }

    /** Each remark as how it counts, its id and its path. */
    private static List<String> ids(Judgement judgement) {
        Stream<String> verdict =
                switch (judgement.verdict()) {
                    case Verdict.TakenOver _ -> Stream.empty();
                    case Verdict.NeedsEdit(var edits) -> words("edit ", edits);
                    case Verdict.Blocked(var reasons, var edits) ->
                            Stream.concat(words("blocked ", reasons), words("edit ", edits));
                };
        return Stream.concat(verdict, words("note ", judgement.notes())).toList();
    }

    private static Stream<String> words(String word, List<CheckRemark> remarks) {
        return remarks.stream().map(remark -> word + remark.id() + " " + remark.path());
    }

    private static String withEntry(String entry) {
        return ORDERS.replace(
                "  flinkConfiguration:\n", "  flinkConfiguration:\n    " + entry + "\n");
    }

    private static String withInit(String container) {
        return ORDERS.replace(
                "  jobManager:",
                "  podTemplate: {spec: {initContainers: [" + container + "]}}\n  jobManager:");
    }

    private static String withoutStatus(String yaml) {
        return yaml.substring(0, yaml.indexOf("status:"));
    }

    /** Where it says SAME, what was reconciled last is the spec. */
    private static Document read(String yaml) {
        Document document = Documents.single("-", new ByteArrayInputStream(yaml.getBytes(UTF_8)));
        if (yaml.contains("SAME")
                && document.content().path("spec") instanceof ObjectNode spec
                && document.content().at("/status/reconciliationStatus")
                        instanceof ObjectNode reconciliation) {
            reconciliation.put(
                    "lastReconciledSpec", new ReconciledSpec(spec.deepCopy(), false).encode());
        }
        return document;
    }
}
