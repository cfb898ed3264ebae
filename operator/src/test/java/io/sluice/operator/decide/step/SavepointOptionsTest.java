// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.request.StopRequest;
import io.sluice.flink.rest.request.StopRequest.SavepointFormat;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.upgrade.UpgradeSituations;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.SpecView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which spec a stop goes by, one option after the other: the table in docs/adr/0035. */
class SavepointOptionsTest {
    private static final String FOLDER = "execution.checkpointing.savepoint-dir";
    private static final String FORMAT = "kubernetes.operator.savepoint.format.type";
    private static final String DRAIN = "kubernetes.operator.job.drain-on-savepoint-deletion";
    private static final SavepointStatus FAILED =
            new SavepointStatus.Failed("no such folder", Optional.empty());

    @ParameterizedTest
    @ValueSource(strings = {FOLDER, "state.savepoints.dir"})
    void theFolderIsThatOfTheEditThatAsksForTheStop(String key) {
        var edited = running(key, "file:///old").withConfiguration(key, "file:///new");

        assertThat(request(edited.withImage("new")).folder()).contains("file:///new");
    }

    @Test
    void theFolderIsTheFormerOneWhereTheEditNamesNone() {
        var running = running(FOLDER, "file:///old");
        var without = running.withSpec(Specs.application("new", "savepoint"));

        assertThat(request(running.withImage("new")).folder()).contains("file:///old");
        assertThat(request(without).folder()).contains("file:///old");
    }

    @Test
    void theFolderOfTheOperatorsConfigurationIsOnlyUsedWhereNoSpecNamesOne() {
        var defaults = Map.of(FOLDER, "file:///default");

        assertThat(
                        request(
                                        running(FOLDER, "file:///old")
                                                .withDefaults(defaults)
                                                .withImage("new"))
                                .folder())
                .contains("file:///old");
        assertThat(
                        request(
                                        aRunningDeployment("savepoint")
                                                .withDefaults(defaults)
                                                .withImage("new"))
                                .folder())
                .contains("file:///default");
    }

    @Test
    void aTryAfterOneThatFailedWritesToTheFormerFolderAndTheEventSaysSo() {
        var stopping =
                running(FOLDER, "file:///old")
                        .withConfiguration(FOLDER, "s3://new")
                        .withImage("new")
                        .decided();
        var failed = stopping.withStop(FAILED);
        var second = failed.decided().later(Duration.ofSeconds(11));
        var third = second.decided().withStop(FAILED).decided().later(Duration.ofMinutes(1));

        assertThat(failed.decide().notes())
                .filteredOn(event -> event.reason().equals("SavepointError"))
                .singleElement()
                .satisfies(
                        event ->
                                assertThat(event.message())
                                        .endsWith("The next try writes to file:///old."));
        assertThat(request(second).folder()).contains("file:///old");
        assertThat(request(third).folder()).contains("s3://new");
    }

    @Test
    void aTryThatIsRepeatedWritesToTheSameFolder() {
        var second =
                running(FOLDER, "file:///old")
                        .withConfiguration(FOLDER, "s3://new")
                        .withImage("new")
                        .decided()
                        .withStop(FAILED)
                        .decided()
                        .later(Duration.ofSeconds(11));

        assertThat(request(second.decided().withStop(new SavepointStatus.Unknown())))
                .isEqualTo(request(second));
    }

    @Test
    void withoutAnotherFolderTheEventOfAFailureNamesNone() {
        var failed = running(FOLDER, "file:///old").withImage("new").decided().withStop(FAILED);

        assertThat(failed.decide().notes())
                .filteredOn(event -> event.reason().equals("SavepointError"))
                .singleElement()
                .satisfies(event -> assertThat(event.message()).endsWith("no such folder"));
    }

    @Test
    void theFormatIsThatOfTheEditThatAsksForTheStopElseTheFormerOne() {
        var canonical = aRunningDeployment("savepoint");
        var natively = running(FORMAT, "NATIVE");

        assertThat(request(canonical.withConfiguration(FORMAT, "native").withImage("new")).format())
                .isEqualTo(SavepointFormat.NATIVE);
        assertThat(
                        request(natively.withConfiguration(FORMAT, "CANONICAL").withImage("new"))
                                .format())
                .isEqualTo(SavepointFormat.CANONICAL);
        assertThat(request(natively.withImage("new")).format()).isEqualTo(SavepointFormat.NATIVE);
        assertThat(request(canonical.withImage("new")).format())
                .isEqualTo(SavepointFormat.CANONICAL);
    }

    @Test
    void theFormatThatIsRecordedOfTheSavepointIsTheOneItWasAskedForIn() {
        var stopped =
                aRunningDeployment("savepoint")
                        .withConfiguration(FORMAT, "NATIVE")
                        .withImage("new")
                        .decided()
                        .withStop(new SavepointStatus.Completed("file:/s/1"))
                        .decided();

        assertThat(stopped.savepoints().last())
                .hasValueSatisfying(it -> assertThat(it.format()).isEqualTo("NATIVE"));
    }

    @Test
    void theJobIsDrainedIfTheEditThatAsksForTheStopSaysSoElseTheFormerSpec() {
        var usual = aRunningDeployment("savepoint");
        var drained = running(DRAIN, "true");

        assertThat(request(usual.withConfiguration(DRAIN, "true").withImage("new")).drain())
                .isTrue();
        assertThat(request(drained.withConfiguration(DRAIN, "false").withImage("new")).drain())
                .isFalse();
        assertThat(request(drained.withImage("new")).drain()).isTrue();
        assertThat(request(usual.withImage("new")).drain()).isFalse();
    }

    @Test
    void howLongTheSavepointMayTakeIsUpToTheJobManagerThatMakesIt() {
        String timeout = "execution.checkpointing.timeout";
        var edited = running(timeout, "30 min").withConfiguration(timeout, "1 min");

        assertThat(options(edited).limit()).isEqualTo(Duration.ofMinutes(30));
        assertThat(options(aRunningDeployment("savepoint")).limit())
                .isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void whatIsLeftOfAJobThatHasEndedIsUpToTheJobManagerThatRanIt() {
        var edited =
                aHighlyAvailableDeployment()
                        .withConfiguration("high-availability.type", "NONE")
                        .withImage("new");

        assertThat(context(edited).leavesEnded()).isTrue();
    }

    @Test
    void metadataIsStartedFromOnlyIfTheFormerSpecWroteItAndTheWantedOneReadsIt() {
        var edited = aHighlyAvailableDeployment().withImage("new");

        assertThat(UpgradeSituations.of(context(edited)).recoverable()).isTrue();
        assertThat(
                        UpgradeSituations.of(
                                        context(
                                                edited.withConfiguration(
                                                        "high-availability.type", "NONE")))
                                .recoverable())
                .isFalse();
    }

    @Test
    void aSavepointBeforeADeletionGoesByTheSpecThatRuns() {
        var deleted =
                running(FOLDER, "file:///old")
                        .withConfiguration(FORMAT, "NATIVE")
                        .withConfiguration("kubernetes.operator.job.savepoint-on-deletion", "true")
                        .decided()
                        .withDefaults(Map.of(FORMAT, "CANONICAL", FOLDER, "file:///default"))
                        .deleted();

        assertThat(request(deleted).format()).isEqualTo(SavepointFormat.NATIVE);
        assertThat(request(deleted).folder()).contains("file:///old");
    }

    private static Snapshots running(String key, String value) {
        return Snapshots.aNewResource("savepoint")
                .withConfiguration(key, value)
                .decided()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2)
                .decided();
    }

    private static SavepointOptions options(Snapshots edited) {
        return SavepointOptions.of(context(edited));
    }

    /** With the wanted spec, as an upgrade sees it. */
    private static StepContext context(Snapshots edited) {
        ObservedState observed = edited.observed();
        var spec = ((SpecView.Valid) observed.spec()).spec();
        return new StepContext(
                observed,
                new ReconciledSpec(((SpecView.Valid) observed.spec()).raw(), false),
                spec,
                StatusDraft.of(observed.status()),
                List.of());
    }

    private static StopRequest request(Snapshots snapshots) {
        return snapshots.decide().actions().stream()
                .map(Action.StopWithSavepoint.class::cast)
                .map(Action.StopWithSavepoint::request)
                .findFirst()
                .orElseThrow();
    }
}
