// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import static io.sluice.operator.decide.Snapshots.aSavingDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.StateKind;
import io.sluice.api.status.DisposalStatus;
import io.sluice.api.status.JobState;
import io.sluice.api.status.SavedState;
import io.sluice.api.status.TriggerType;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.DisposalResult;
import io.sluice.operator.model.SavepointLocation;
import io.sluice.operator.model.SpecView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SavepointDisposalTest {
    private static final Duration LATER = Duration.ofHours(25);

    @Test
    void recordsWhichSavepointIsBeingDeletedAndForgetsItOnceItIsGone() {
        var old = two().later(LATER);

        var begun = old.decided();
        assertThat(disposed(old)).containsExactly("file:/s/1");
        assertThat(begun.savepoints().history().getFirst().disposal()).isPresent();
        assertThat(locations(begun)).containsExactly("file:/s/1", "file:/s/2");

        var gone = begun.withDisposal("file:/s/1", new DisposalResult.Deleted());
        assertThat(locations(gone.decided())).containsExactly("file:/s/2");
        assertThat(gone.decided().decide().actions()).isEmpty();
    }

    @Test
    void keepsTheLastOneHoweverOldItIs() {
        assertThat(disposed(aSavingDeployment().withSavepoint(1, "file:/s/1").later(LATER)))
                .isEmpty();
    }

    @Test
    void keepsAsManyAsItIsTold() {
        var three =
                aSavingDeployment()
                        .withConfiguration("kubernetes.operator.savepoint.history.max.count", "2")
                        .decided()
                        .withSavepoint(1, "file:/s/1")
                        .withSavepoint(2, "file:/s/2");

        assertThat(disposed(three)).isEmpty();
        assertThat(disposed(three.withSavepoint(3, "file:/s/3"))).containsExactly("file:/s/1");
    }

    @Test
    void keepsThemForAsLongAsItIsTold() {
        var saved =
                aSavingDeployment()
                        .withConfiguration("kubernetes.operator.savepoint.history.max.age", "1 h")
                        .decided()
                        .withSavepoint(1, "file:/s/1")
                        .withSavepoint(2, "file:/s/2");

        assertThat(disposed(saved.later(Duration.ofMinutes(59)))).isEmpty();
        assertThat(disposed(saved.later(Duration.ofMinutes(61)))).containsExactly("file:/s/1");
    }

    @Test
    void keepsNoMoreThanTheOperatorAllows() {
        var capped =
                Map.of(
                        "kubernetes.operator.savepoint.history.max.count.threshold", "2",
                        "kubernetes.operator.savepoint.history.max.age.threshold", "1 h");
        var asking =
                aSavingDeployment()
                        .withConfiguration("kubernetes.operator.savepoint.history.max.count", "5")
                        .withConfiguration("kubernetes.operator.savepoint.history.max.age", "9 h")
                        .decided()
                        .withSavepoint(1, "file:/s/1")
                        .withSavepoint(2, "file:/s/2");
        var three = asking.withSavepoint(3, "file:/s/3");

        assertThat(disposed(three)).isEmpty();
        assertThat(disposed(three.withDefaults(capped))).containsExactly("file:/s/1");
        assertThat(disposed(asking.later(Duration.ofHours(2)))).isEmpty();
        assertThat(disposed(asking.withDefaults(capped).later(Duration.ofHours(2))))
                .containsExactly("file:/s/1");
    }

    @Test
    void asksAgainAfterARestartOfTheOperator() {
        var begun = two().later(LATER).decided();

        assertThat(disposed(begun)).containsExactly("file:/s/1");
        assertThat(begun.decide().status()).isEqualTo(begun.observed().status());
    }

    @Test
    void neverDeletesWhatTheJobWasRestoredFrom() {
        var restored = restoredFrom("file:///s/u").later(LATER);

        assertThat(locations(restored)).containsExactly("file:/s/u", "file:/s/2", "file:/s/3");
        assertThat(disposed(restored)).containsExactly("file:/s/2");
        var next =
                restored.decided()
                        .withDisposal("file:/s/2", new DisposalResult.Deleted())
                        .decided();
        assertThat(locations(next)).containsExactly("file:/s/u", "file:/s/3");
        assertThat(disposed(next)).isEmpty();
    }

    @Test
    void neverDeletesWhatTheJobMayHaveBeenRestoredFromWhereTheRecordOfThatWasRemoved() {
        var cut = restoredFrom("file:///s/u").withoutPath();

        assertThat(disposed(cut.later(LATER))).isEmpty();
        assertThat(
                        disposed(
                                cut.later(Duration.ofHours(1))
                                        .withSavepoint(4, "file:/s/4")
                                        .withSavepoint(5, "file:/s/5")
                                        .later(LATER)))
                .containsExactly("file:/s/4");
    }

    /** The spec of a stop that was taken back is the first one, and its job is not. */
    @Test
    void neverDeletesWhatTheFirstSpecWasRestoredFromAfterAStop() {
        var cut =
                runningFrom(
                                "file:///s/u",
                                aSavingDeployment()
                                        .withImage("new")
                                        .decided()
                                        .withImage("flink:1.20"))
                        .withoutPath();

        assertThat(disposed(cut.later(LATER))).isEmpty();
    }

    @Test
    void neverDeletesWhatTheUserNamesAsTheStart() {
        var old = two().later(LATER);
        var spec = ((SpecView.Valid) old.observed().spec()).raw().deepCopy();
        spec.withObject("/job").put("initialSavepointPath", "file:///s/1/");

        assertThat(disposed(old.withSpec(spec))).isEmpty();
        assertThat(disposed(old.decided().withSpec(spec))).isEmpty();
    }

    @Test
    void deletesNothingWhileTheSpecCannotBeReadThatMayNameIt() {
        var old = two().later(LATER);

        assertThat(disposed(old.withInvalidSpec("spec.image: is missing"))).isEmpty();
        assertThat(disposed(old.decided().withInvalidSpec("spec.image: is missing"))).isEmpty();
        assertThat(locations(old.withInvalidSpec("spec.image: is missing").decided()))
                .containsExactly("file:/s/1", "file:/s/2");
    }

    @Test
    void tellsOnceOfOneThatCannotBeDeletedAndGoesOnWithTheOthers() {
        var failed =
                two().withSavepoint(3, "file:/s/3")
                        .later(LATER)
                        .decided()
                        .withDisposal("file:/s/1", new DisposalResult.Failed("denied"));

        var decision = failed.decide();
        assertThat(decision.notes())
                .singleElement()
                .satisfies(event -> assertThat(event.reason()).isEqualTo("SavepointError"))
                .satisfies(event -> assertThat(event.message()).contains("file:/s/1", "denied"));
        assertThat(decision.actions()).containsExactly(new Action.DisposeSavepoint("file:/s/2"));

        var again =
                failed.decided().withDisposal("file:/s/2", new DisposalResult.Deleted()).decided();
        assertThat(again.decide().actions()).isEmpty();
        var later = again.later(Duration.ofMinutes(1));
        assertThat(disposed(later)).containsExactly("file:/s/1");
        var failedAgain =
                later.decided()
                        .withDisposal("file:/s/1", new DisposalResult.Failed("denied"))
                        .decide();
        assertThat(failedAgain.notes()).isEmpty();
    }

    @Test
    void givesUpAfterFiveTriesAndKeepsTrackOfIt() {
        var failing = two().later(LATER);
        for (int i = 0; i < SavepointDisposal.MOST_TRIES; i++) {
            failing =
                    failing.decided()
                            .withDisposal("file:/s/1", new DisposalResult.Failed("denied"))
                            .decided()
                            .later(Duration.ofDays(1));
        }

        assertThat(failing.decide().actions()).isEmpty();
        assertThat(failing.savepoints().history().getFirst().disposal())
                .hasValueSatisfying(
                        it -> assertThat(it.tries()).isEqualTo(SavepointDisposal.MOST_TRIES));
        assertThat(failing.decide().status()).isEqualTo(failing.observed().status());
    }

    @Test
    void forgetsWithoutDeletingWhereCleanUpIsOff() {
        var old =
                aSavingDeployment()
                        .withConfiguration("kubernetes.operator.savepoint.cleanup.enabled", "false")
                        .decided()
                        .withSavepoint(1, "file:/s/1")
                        .withSavepoint(2, "file:/s/2")
                        .later(LATER);

        assertThat(old.decide().actions()).isEmpty();
        assertThat(locations(old.decided())).containsExactly("file:/s/2");
    }

    @Test
    void deletesNothingWhileTheJobDoesNotRun() {
        assertThat(disposed(two().later(LATER).withJob(JobState.RESTARTING, 0))).isEmpty();
    }

    @Test
    void comparesLocationsAsFlinkMeansThem() {
        assertThat(SavepointLocation.normal("file:///s/1/"))
                .isEqualTo(SavepointLocation.normal("file:/s/1"));
        assertThat(SavepointLocation.normal("s3://b/s 1")).isEqualTo("s3://b/s 1");
        assertThat(SavepointLocation.normal("s3://b/1"))
                .isNotEqualTo(SavepointLocation.normal("s3://c/1"));
    }

    @Test
    void doesNotGrowTheStatusForEver() {
        var history =
                Stream.iterate(0, i -> i + 1)
                        .limit(60)
                        .map(i -> hopeless("file:/s/old-" + i))
                        .toList();
        var running = two();
        var log = running.observed().status().jobStatus().log();
        var full =
                running.withLog(
                                log.with(
                                        StateKind.SAVEPOINT,
                                        log.savepoints()
                                                .withHistory(
                                                        Stream.concat(
                                                                        history.stream(),
                                                                        log
                                                                                .savepoints()
                                                                                .history()
                                                                                .stream())
                                                                .toList())))
                        .later(LATER);

        assertThat(full.decide().notes())
                .singleElement()
                .satisfies(event -> assertThat(event.message()).contains("file:/s/old-0"));
        assertThat(full.decided().savepoints().history()).hasSize(61);
    }

    private static SavedState hopeless(String location) {
        return new SavedState(
                Snapshots.NOW.minusSeconds(60),
                Optional.of(location),
                TriggerType.MANUAL,
                "CANONICAL",
                Optional.empty(),
                Optional.of(
                        new DisposalStatus(
                                Snapshots.NOW,
                                SavepointDisposal.MOST_TRIES,
                                Optional.of("denied"))));
    }

    private static Snapshots two() {
        return aSavingDeployment().withSavepoint(1, "file:/s/1").withSavepoint(2, "file:/s/2");
    }

    private static Snapshots restoredFrom(String path) {
        return runningFrom(path, aSavingDeployment().withImage("new").decided());
    }

    private static Snapshots runningFrom(String path, Snapshots stopping) {
        return stopping.withStop(new SavepointStatus.Completed(path.replace("///", "/")))
                .decided()
                .withNothingLeft()
                .decided()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2)
                .decided()
                .withSavepoint(2, "file:/s/2")
                .withSavepoint(3, "file:/s/3");
    }

    private static List<String> disposed(Snapshots snapshots) {
        return snapshots.decide().actions().stream()
                .filter(Action.DisposeSavepoint.class::isInstance)
                .map(action -> ((Action.DisposeSavepoint) action).location())
                .toList();
    }

    private static List<String> locations(Snapshots snapshots) {
        return snapshots.savepoints().history().stream()
                .flatMap(state -> state.location().stream())
                .toList();
    }
}
