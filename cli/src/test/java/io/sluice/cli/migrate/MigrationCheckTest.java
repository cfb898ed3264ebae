// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import static io.sluice.cli.migrate.LivePictures.CLICKS;
import static io.sluice.cli.migrate.LivePictures.ORDERS;
import static io.sluice.cli.migrate.LivePictures.PAIR;
import static io.sluice.cli.migrate.LivePictures.SNAPSHOT;
import static io.sluice.cli.migrate.LivePictures.UID;
import static io.sluice.cli.migrate.LivePictures.check;
import static io.sluice.cli.migrate.LivePictures.configured;
import static io.sluice.cli.migrate.LivePictures.ids;
import static io.sluice.cli.migrate.LivePictures.judge;
import static io.sluice.cli.migrate.LivePictures.picture;
import static io.sluice.cli.migrate.LivePictures.read;
import static io.sluice.cli.migrate.LivePictures.withEntry;
import static io.sluice.cli.migrate.LivePictures.withInit;
import static io.sluice.cli.migrate.LivePictures.withoutStatus;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.document.Document;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The verdict on each resource. */
class MigrationCheckTest {
    @Test
    void whatIsAtRestIsTakenOverWithoutARemark() {
        MigrationVerdict judgement = judge(ORDERS);

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
    void aPairAndItsHalvesAreTakenOver() {
        assertThat(judge(PAIR).verdict()).isInstanceOf(Verdict.TakenOver.class);
        assertThat(
                        ids(
                                judge(
                                        ORDERS.replace(
                                                "uid: 0f3a",
                                                "ownerReferences: [{apiVersion:"
                                                        + " flink.apache.org/v1beta1, kind:"
                                                        + " FlinkBlueGreenDeployment, name: pair,"
                                                        + " uid: a}]"))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'high-availability.type: org.example.OwnFactory', ha-type, high-availability.type",
        "'security.ssl.rest.enabled: \"true\"', rest-tls-needs-certificates, security.ssl.rest.enabled",
    })
    void whatSluiceCannotTalkToIsBlocked(String entry, String rule, String key) {
        MigrationVerdict judgement = judge(withEntry(entry));

        assertThat(ids(judgement))
                .contains("blocked " + rule + " spec.flinkConfiguration[" + key + "]");
    }

    @Test
    void anUnknownHighAvailabilityInTheOperatorsOwnConfigurationBlocksTheFleet() {
        var fleet = configured("high-availability.type: org.example.OwnFactory");

        assertThat(ids(judge(fleet, ORDERS)))
                .anySatisfy(id -> assertThat(id).startsWith("blocked ha-type"));
    }

    @Test
    void aResourceThatUsesZooKeeperIsTakenOverAndToldHowItsStateIsKept() {
        var fleet =
                configured(
                        "high-availability.type: zookeeper\n"
                                + "high-availability.zookeeper.quorum: zookeeper:2181");

        assertThat(ids(judge(fleet, ORDERS)))
                .containsExactly(
                        "note metadata-in-zookeeper"
                                + " spec.flinkConfiguration[high-availability.type]");
    }

    @Test
    void whatAdmissionRefusesNeedsAnEdit() {
        assertThat(ids(judge(ORDERS.replace("cpu: 1, memory: 1Gi", "cpu: 1"))))
                .contains("edit jm-memory-required spec.jobManager.resource.memory");
    }

    @Test
    void aRootInitContainerNeedsAnEdit() {
        assertThat(
                        ids(
                                judge(
                                        withInit(
                                                "{name: chown, image: busybox, securityContext:"
                                                        + " {runAsUser: 0}}"))))
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
        MigrationVerdict judgement =
                judge(
                        withEntry(
                                "kubernetes.operator.pod-template.merge-arrays-by-name: \"false\""));

        assertThat(judgement.verdict()).isInstanceOf(Verdict.TakenOver.class);
        assertThat(ids(judgement))
                .containsExactly(
                        "note config-key-without-effect"
                                + " spec.flinkConfiguration[kubernetes.operator.pod-template"
                                + ".merge-arrays-by-name]");
    }

    @ParameterizedTest
    @CsvSource({
        "UPGRADING, upgrade-under-way",
        "ROLLING_BACK, rollback-under-way",
        "ROLLED_BACK, rolled-back",
    })
    void aResourceThatIsNotAtRestIsTakenOverWithANote(String state, String id) {
        MigrationVerdict judgement = judge(ORDERS.replace("DEPLOYED", state));

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
}
