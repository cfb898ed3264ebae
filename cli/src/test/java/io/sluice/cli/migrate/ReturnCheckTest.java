// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import static io.sluice.cli.migrate.LivePictures.CLICKS;
import static io.sluice.cli.migrate.LivePictures.ORDERS;
import static io.sluice.cli.migrate.LivePictures.PAIR;
import static io.sluice.cli.migrate.LivePictures.SNAPSHOT;
import static io.sluice.cli.migrate.LivePictures.UID;
import static io.sluice.cli.migrate.LivePictures.ids;
import static io.sluice.cli.migrate.LivePictures.read;
import static io.sluice.cli.migrate.LivePictures.withEntry;
import static io.sluice.cli.migrate.LivePictures.withoutStatus;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of each resource when the Apache operator takes the place of Sluice. */
class ReturnCheckTest {
    private static final Installation RELEASE =
            new Installation(
                    "sluice-system",
                    "sluice",
                    Map.of("config.yaml", "kubernetes.operator.reconcile.interval: 30 s"),
                    List.of(),
                    List.of());

    @Test
    void whatIsAtRestGoesBackWithoutARemark() {
        assertThat(back(ORDERS).verdict()).isInstanceOf(Verdict.TakenOver.class);
        assertThat(Stream.of(ORDERS, CLICKS, SNAPSHOT, pair("ACTIVE_GREEN")).map(this::found))
                .allSatisfy(found -> assertThat(found).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"UPGRADING", "ROLLING_BACK"})
    void whatIsChangingHasToComeToRest(String state) {
        assertThat(found(ORDERS.replace("DEPLOYED", state)))
                .containsExactly("blocked not-at-rest status.reconciliationStatus.state");
        assertThat(found(CLICKS.replace("DEPLOYED", state)))
                .containsExactly("blocked not-at-rest status.reconciliationStatus.state");
    }

    @Test
    void whatWasRolledBackIsAtRest() {
        assertThat(found(ORDERS.replace("DEPLOYED", "ROLLED_BACK"))).isEmpty();
    }

    @Test
    void aStopThatIsUnderWayHasToEnd() {
        assertThat(found(ORDERS + "  attempt: {id: a, stop: {mode: SAVEPOINT}}\n"))
                .containsExactly("blocked not-at-rest status.attempt.stop");
        assertThat(found(ORDERS + "  attempt: {id: a}\n")).isEmpty();
    }

    @Test
    void anEditThatTheApacheOperatorWouldCarryOutAtOnceHasToBeSettled() {
        assertThat(found(ORDERS.replace("observedGeneration: 2", "observedGeneration: 1")))
                .containsExactly("blocked edit-not-carried-out status.observedGeneration");
    }

    @Test
    void aTemplateOfCronRunsWouldRunItself() {
        assertThat(
                        found(
                                withoutStatus(ORDERS)
                                        .replace(
                                                "uid: 0f3a",
                                                "annotations: {job.execute.cron: '@daily'}")))
                .containsExactly("blocked cron-template metadata.annotations[job.execute.cron]");
    }

    @Test
    void aResourceWithoutAStatusIsDeployedUnlessItsClusterStands() {
        String bare = withoutStatus(ORDERS);

        assertThat(found(bare))
                .containsExactly(
                        "note not-deployed status.reconciliationStatus.lastReconciledSpec");
        assertThat(
                        ids(
                                report(
                                                new LivePicture(
                                                        List.of(read(bare)),
                                                        Set.of(UID),
                                                        List.of(RELEASE),
                                                        List.of()))
                                        .resources()
                                        .getFirst()))
                .containsExactly(
                        "blocked status-lost status.reconciliationStatus.lastReconciledSpec");
        assertThat(found(ORDERS.replace("SAME", "'{'")))
                .containsExactly(
                        "blocked status-lost status.reconciliationStatus.lastReconciledSpec");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kubernetes.operator.job.restart.lost-state",
                "job.autoscaler.governor.mode"
            })
    void anOptionThatOnlySluiceHasIsANote(String key) {
        assertThat(found(withEntry(key + ": x")))
                .containsExactly("note option-without-effect spec.flinkConfiguration[" + key + "]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kubernetes.operator.job.restart.failed",
                "job.autoscaler.enabled",
                "taskmanager.numberOfTaskSlots",
                "kubernetes.operator.mistyped"
            })
    void anOptionThatOthersHaveTooIsNotMentioned(String key) {
        assertThat(found(withEntry(key + ": x"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SAVEPOINTING_BLUE", "TRANSITIONING_TO_GREEN"})
    void aPairInTransitionHasToComeToRest(String state) {
        assertThat(found(pair(state))).containsExactly("blocked not-at-rest status.blueGreenState");
    }

    @Test
    void aPairThatStopsFirstIsToldThatBothHalvesWillRun() {
        String key = "kubernetes.operator.bluegreen.handover";
        MigrationVerdict judgement =
                back(
                        PAIR.replace(
                                "  template:",
                                "  configuration: {" + key + ": stop-first}\n  template:"));

        assertThat(ids(judgement))
                .containsExactly("note option-without-effect spec.configuration[" + key + "]");
        assertThat(judgement.notes().getFirst().text()).contains("both halves run");
    }

    @Test
    void aSnapshotThatIsNotFinishedAndADeletionAreNotes() {
        assertThat(found(SNAPSHOT.replace("COMPLETED", "IN_PROGRESS")))
                .containsExactly("note snapshot-under-way status.state");
        assertThat(
                        found(
                                ORDERS.replace(
                                        "uid: 0f3a",
                                        "deletionTimestamp: \"2026-01-01T00:00:00Z\"")))
                .containsExactly("note deletion-under-way metadata.deletionTimestamp");
    }

    @Test
    void theReleaseIsNamedInTheCommandsAndItsOwnOptionsInNotes() {
        CheckReport report =
                report(
                        new LivePicture(
                                List.of(),
                                Set.of(),
                                List.of(
                                        new Installation(
                                                "platform",
                                                "flink",
                                                Map.of(
                                                        "config.yaml",
                                                        "kubernetes.operator.log.level: WARN"),
                                                List.of(),
                                                List.of())),
                                List.of()));

        assertThat(ids(report.operators().getFirst()))
                .containsExactly("note option-without-effect kubernetes.operator.log.level");
        assertThat(report.commands())
                .containsExactly(
                        "helm uninstall flink -n platform --wait",
                        "helm install flink-kubernetes-operator APACHE_CHART --take-ownership -f"
                                + " theirs.yaml");
        assertThat(report.isFine()).isTrue();
    }

    @Test
    void withoutAReleaseTheUsualOneIsNamed() {
        CheckReport report = report(new LivePicture(List.of(), Set.of(), List.of(), List.of()));

        assertThat(CheckText.of(report, Product.SLUICE))
                .contains("No release of Sluice was found")
                .contains("  helm uninstall sluice -n sluice-system --wait\n");
    }

    private List<String> found(String yaml) {
        return ids(back(yaml));
    }

    private static MigrationVerdict back(String yaml) {
        return report(new LivePicture(List.of(read(yaml)), Set.of(), List.of(RELEASE), List.of()))
                .resources()
                .getFirst();
    }

    private static CheckReport report(LivePicture picture) {
        return ReturnCheck.of(picture);
    }

    private static String pair(String state) {
        return PAIR + "status: {blueGreenState: " + state + "}\n";
    }
}
