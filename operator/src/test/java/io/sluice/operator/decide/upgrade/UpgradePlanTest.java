// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import static io.sluice.operator.decide.upgrade.UpgradeCase.running;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.StopStatus.How;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.RestorableState.Found;
import io.sluice.operator.decide.upgrade.UpgradePlan.Age;
import io.sluice.operator.decide.upgrade.UpgradePlan.AskHuman;
import io.sluice.operator.decide.upgrade.UpgradePlan.Checkpoint;
import io.sluice.operator.decide.upgrade.UpgradePlan.Job;
import io.sluice.operator.decide.upgrade.UpgradePlan.JobManager;
import io.sluice.operator.decide.upgrade.UpgradePlan.Restore;
import io.sluice.operator.decide.upgrade.UpgradePlan.StartFresh;
import io.sluice.operator.decide.upgrade.UpgradePlan.Stop;
import io.sluice.operator.decide.upgrade.UpgradePlan.Wait;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.StateView.Retention;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table of upgrade decisions (docs/contract/reconciler.md, section 4), row by row, and what
 * holds over all of it.
 */
class UpgradePlanTest {
    private static final RestorableState PATH = new Found(new StartFrom.Savepoint("p"));
    private static final RestorableState NONE = new Found(new StartFrom.Nothing());
    private static final RestorableState METADATA = new Found(new StartFrom.LastState());
    private static final RestorableState LOST = new RestorableState.Lost();
    private static final RestorableState GONE = new RestorableState.Gone("<discarded>");
    private static final RestorableState UNREAD = new RestorableState.Unread("");

    private static final Retention RETAINED = new Retention.Known(CheckpointRetention.RETAINED);
    private static final Retention DELETED = new Retention.Known(CheckpointRetention.DELETED);

    private static final Retention NONE_MADE =
            new Retention.Known(CheckpointRetention.NO_CHECKPOINTS);

    private static final Retention UNTOLD = new Retention.Unread("timed out");

    private static final List<Retention> RETENTIONS =
            List.of(RETAINED, DELETED, NONE_MADE, UNTOLD, new Retention.NotAsked());

    /** A row of the table. */
    record Row(String name, UpgradeCase situation, UpgradePlan plan) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Row> rows() {
        UpgradeCase savepoint = running(UpgradeMode.SAVEPOINT);
        UpgradeCase lastState = running(UpgradeMode.LAST_STATE);
        UpgradeCase down = lastState.with(Job.UNKNOWN);
        return List.of(
                row("1 stateless", running(UpgradeMode.STATELESS), new StartFresh()),
                row(
                        "2 cancelled",
                        savepoint.with(Job.CANCELED).with(PATH).recoverable(),
                        new Restore(new StartFrom.Savepoint("p"))),
                row(
                        "2 failed, no metadata",
                        lastState.with(Job.ENDED).with(JobManager.MISSING).with(PATH),
                        new Restore(new StartFrom.Savepoint("p"))),
                row(
                        "2 failed, JobManager ready",
                        lastState.with(Job.ENDED).with(NONE).recoverable(),
                        new Restore(new StartFrom.Nothing())),
                row(
                        "2 F1",
                        lastState.with(Job.ENDED).with(LOST),
                        new AskHuman(Reason.UPGRADE_FAILED)),
                row(
                        "2 F4",
                        lastState.with(Job.ENDED).with(GONE),
                        new AskHuman(Reason.CHECKPOINT_NOT_FOUND)),
                row("2 not told yet", lastState.with(Job.ENDED), new Wait(Reason.STATE_UNREAD)),
                row(
                        "3 cancelling",
                        savepoint.with(Job.CANCELLING),
                        new Wait(Reason.JOB_CANCELLING)),
                row("4 savepoint, running", savepoint, new Stop(How.SAVEPOINT)),
                row(
                        "5 savepoint, not running, falls back",
                        savepoint.with(Job.UNSETTLED),
                        new Stop(How.CANCEL)),
                row(
                        "5 savepoint, not running, new version",
                        savepoint.with(Job.UNSETTLED).withoutFallback().onNewVersion(),
                        new Stop(How.CANCEL)),
                row(
                        "6 savepoint, not running, no fallback",
                        savepoint.with(Job.UNSETTLED).withoutFallback(),
                        new Wait(Reason.WAITING_FOR_RUNNING_JOB)),
                row("7 new version, running", lastState.onNewVersion(), new Stop(How.SAVEPOINT)),
                row(
                        "8 new version, no folder",
                        lastState.onNewVersion().withoutFolder(),
                        new Stop(How.CANCEL)),
                row(
                        "8 new version, not running",
                        lastState.onNewVersion().with(Job.UNSETTLED),
                        new Stop(How.CANCEL)),
                row(
                        "9 new version, not to be cancelled",
                        lastState.onNewVersion().with(Job.UNSETTLED).recoverable(),
                        new Wait(Reason.WAITING_FOR_RUNNING_JOB)),
                row(
                        "9 new version, nothing left to wait for",
                        down.onNewVersion().with(JobManager.MISSING),
                        new AskHuman(Reason.UPGRADE_FAILED)),
                row("10 no metadata", lastState, new Stop(How.CANCEL)),
                row("10 metadata", lastState.recoverable(), new Restore(new StartFrom.LastState())),
                row(
                        "10 metadata, cancelling preferred",
                        lastState.recoverable().cancelling(),
                        new Stop(How.CANCEL)),
                row(
                        "11 checkpoint pending",
                        lastState.with(Age.PENDING),
                        new Wait(Reason.CHECKPOINT_PENDING)),
                row("12 checkpoint too old", lastState.with(Age.TOO_OLD), new Stop(How.SAVEPOINT)),
                row("13 not running", lastState.with(Job.UNSETTLED), new Stop(How.CANCEL)),
                row(
                        "14 metadata, nobody answers",
                        down.recoverable(),
                        new Restore(new StartFrom.LastState())),
                row(
                        "14a metadata, has just failed to answer",
                        lastState.with(Job.JUST_SILENT).recoverable(),
                        new Wait(Reason.STATE_UNREAD)),
                row(
                        "14 never up",
                        down.with(JobManager.NEVER_UP).with(PATH),
                        new Restore(new StartFrom.Savepoint("p"))),
                row(
                        "14 never up, from metadata",
                        down.with(JobManager.NEVER_UP).with(METADATA).recoverable(),
                        new Restore(new StartFrom.LastState())),
                row(
                        "14 never up, from metadata, new version",
                        down.with(JobManager.NEVER_UP).with(METADATA).recoverable().onNewVersion(),
                        new AskHuman(Reason.LAST_STATE_UNUSABLE)),
                row(
                        "14 F2, missing",
                        down.with(JobManager.MISSING),
                        new AskHuman(Reason.UPGRADE_FAILED)),
                row(
                        "14 F2, broken",
                        down.with(JobManager.BROKEN),
                        new AskHuman(Reason.UPGRADE_FAILED)),
                row(
                        "14 F2, listed no more",
                        down.with(Job.GONE),
                        new AskHuman(Reason.UPGRADE_FAILED)),
                row("14 else", down, new Wait(Reason.WAITING_FOR_RUNNING_JOB)));
    }

    /** Where the table cancels, and the job's checkpoints may not outlive that. */
    static List<Row> rowsOfAJobWithoutRetention() {
        UpgradeCase unretained = running(UpgradeMode.LAST_STATE).with(DELETED);
        UpgradeCase falling = running(UpgradeMode.SAVEPOINT).with(Job.UNSETTLED);
        Wait wait = new Wait(Reason.STATE_UNREAD);
        AskHuman ask = new AskHuman(Reason.CHECKPOINTS_NOT_RETAINED);
        return List.of(
                row("5 unretained", falling.with(DELETED), ask),
                row("5 not told", falling.with(UNTOLD), wait),
                row("8 unretained", unretained.onNewVersion().withoutFolder(), ask),
                row(
                        "8 unretained, metadata",
                        unretained.onNewVersion().withoutFolder().recoverable().cancelling(),
                        ask),
                row(
                        "8 unretained, not running",
                        unretained.onNewVersion().with(Job.UNSETTLED),
                        ask),
                row("10 unretained", unretained, new Stop(How.SAVEPOINT)),
                row("10 unretained, no folder", unretained.withoutFolder(), ask),
                row("10 not told", unretained.with(UNTOLD), wait),
                row("10 not asked", unretained.with(new Retention.NotAsked()), wait),
                row("10 makes no checkpoints", unretained.with(NONE_MADE), new Stop(How.SAVEPOINT)),
                row(
                        "10 makes no checkpoints, metadata name what it was restored from",
                        unretained.with(NONE_MADE).recoverable(),
                        new Stop(How.SAVEPOINT)),
                row(
                        "10 makes no checkpoints, metadata, no folder",
                        unretained.with(NONE_MADE).recoverable().withoutFolder(),
                        new AskHuman(Reason.NO_CHECKPOINT)),
                row(
                        "10 unretained, metadata",
                        unretained.recoverable(),
                        new Restore(new StartFrom.LastState())),
                row("10 not told, metadata", unretained.recoverable().with(UNTOLD), wait),
                row(
                        "10 unretained, metadata, cancelling preferred",
                        unretained.recoverable().cancelling().withoutFolder(),
                        new Restore(new StartFrom.LastState())),
                row(
                        "12 unretained, too old",
                        unretained.with(Age.TOO_OLD),
                        new Stop(How.SAVEPOINT)),
                row("13 unretained", unretained.with(Job.UNSETTLED), ask),
                row("13 not told", unretained.with(Job.UNSETTLED).with(UNTOLD), wait),
                row(
                        "13 unretained, metadata, cancelling preferred",
                        unretained.with(Job.UNSETTLED).recoverable().cancelling(),
                        new Restore(new StartFrom.LastState())));
    }

    @ParameterizedTest
    @MethodSource("rowsOfAJobWithoutRetention")
    void cancelsNoJobWhoseStateGoesWithThat(Row row) {
        assertThat(UpgradePlan.of(row.situation().build())).isEqualTo(row.plan());
    }

    @Test
    void cancelsOnlyIfItIsToldThatTheCheckpointsStay() {
        everySituation()
                .filter(now -> UpgradePlan.of(now).equals(new Stop(How.CANCEL)))
                .forEach(
                        now ->
                                assertThat(now.retention())
                                        .as(now.toString())
                                        .isIn(RETAINED, NONE_MADE));
    }

    @Test
    void cancelsNoJobThatRunsAndHasMadeNoCheckpoint() {
        everySituation()
                .filter(now -> now.mode() != UpgradeMode.STATELESS && now.job() == Job.RUNNING)
                .filter(now -> now.checkpoint() != Checkpoint.MADE)
                .forEach(
                        now ->
                                assertThat(UpgradePlan.of(now))
                                        .as(now.toString())
                                        .isNotEqualTo(new Stop(How.CANCEL)));
    }

    /** Its metadata name what it was restored from, which may be months old. */
    @Test
    void takesNoJobThatRunsAndMakesNoCheckpointsBackToWhatItBeganFrom() {
        everySituation()
                .filter(now -> now.mode() != UpgradeMode.STATELESS && now.job() == Job.RUNNING)
                .filter(now -> now.jobManager() != JobManager.NEVER_UP)
                .filter(now -> now.retention().equals(NONE_MADE))
                .forEach(
                        now ->
                                assertThat(UpgradePlan.of(now))
                                        .as(now.toString())
                                        .isNotInstanceOf(Restore.class));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void followsTheTable(Row row) {
        assertThat(UpgradePlan.of(row.situation().build())).isEqualTo(row.plan());
    }

    @Test
    void startsWithoutStateOnlyIfAskedToOrIfItIsCertainThatThereIsNone() {
        everySituation()
                .forEach(
                        now -> {
                            var plan = UpgradePlan.of(now);
                            boolean fresh =
                                    plan instanceof StartFresh
                                            || plan.equals(new Restore(new StartFrom.Nothing()));
                            if (fresh) {
                                assertThat(
                                                now.mode() == UpgradeMode.STATELESS
                                                        || (now.known().equals(NONE)
                                                                && endedOrNeverUp(now)))
                                        .as(now.toString())
                                        .isTrue();
                            }
                        });
    }

    @Test
    void usesTheMetadataOnlyWhereItNamesACheckpointForThisVersion() {
        everySituation()
                .filter(now -> UpgradePlan.of(now).equals(new Restore(new StartFrom.LastState())))
                .forEach(
                        now ->
                                assertThat(now.recoverable() && !now.newVersion())
                                        .as(now.toString())
                                        .isTrue());
    }

    @Test
    void stopsOnlyAJobThatAnswers() {
        everySituation()
                .filter(now -> UpgradePlan.of(now) instanceof Stop)
                .forEach(
                        now ->
                                assertThat(now.job())
                                        .as(now.toString())
                                        .isIn(Job.RUNNING, Job.UNSETTLED));
    }

    @Test
    void takesWhatIsNotKnownForNeitherStateNorNone() {
        everySituation()
                .filter(now -> now.mode() != UpgradeMode.STATELESS)
                .filter(UpgradePlanTest::endedOrNeverUp)
                .filter(now -> now.known().equals(LOST) || now.known().equals(UNREAD))
                .forEach(
                        now ->
                                assertThat(UpgradePlan.of(now))
                                        .as(now.toString())
                                        .isNotInstanceOfAny(StartFresh.class, Stop.class)
                                        .isNotEqualTo(new Restore(new StartFrom.Nothing())));
    }

    private static boolean endedOrNeverUp(UpgradePlan.Situation now) {
        return now.jobManager() == JobManager.NEVER_UP
                || now.job() == Job.CANCELED
                || now.job() == Job.ENDED;
    }

    private static Stream<UpgradePlan.Situation> everySituation() {
        List<UpgradePlan.Situation> all = new ArrayList<>();
        boolean[] both = {false, true};
        for (var mode : UpgradeMode.values()) {
            for (var job : Job.values()) {
                for (var manager : JobManager.values()) {
                    for (var known : List.of(PATH, NONE, METADATA, LOST, GONE, UNREAD)) {
                        for (var age : Age.values()) {
                            for (int flags = 0; flags < 32 * RETENTIONS.size(); flags++) {
                                var checkpoint = List.of(Checkpoint.values()).get(all.size() % 3);
                                all.add(
                                        new UpgradePlan.Situation(
                                                mode,
                                                job,
                                                manager,
                                                both[flags & 1],
                                                known,
                                                both[(flags >> 1) & 1],
                                                both[(flags >> 2) & 1],
                                                both[(flags >> 3) & 1],
                                                both[(flags >> 4) & 1],
                                                age,
                                                RETENTIONS.get(flags >> 5),
                                                checkpoint));
                            }
                        }
                    }
                }
            }
        }
        return all.stream();
    }

    private static Row row(String name, UpgradeCase situation, UpgradePlan plan) {
        return new Row(name, situation, plan);
    }
}
