// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import static io.sluice.operator.decide.SessionSnapshots.aRunningSessionJob;
import static io.sluice.operator.decide.SessionSnapshots.host;
import static io.sluice.operator.decide.SessionSnapshots.on;
import static io.sluice.operator.decide.Snapshots.NOW;
import static io.sluice.operator.decide.Snapshots.aCheckpointedDeployment;
import static io.sluice.operator.decide.Snapshots.aDeployment;
import static io.sluice.operator.decide.Snapshots.aDeploymentScaledInPlace;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static io.sluice.operator.decide.Snapshots.aStoppingDeployment;
import static io.sluice.operator.decide.Snapshots.anUpgradeThatFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.Interruption;
import io.sluice.api.status.JobState;
import io.sluice.api.status.LastUpgrade;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.Target.SubmissionView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How long an upgrade keeps a job down, from the request to stop it until its tasks run again. */
class DowntimeTest {
    private static final Duration TO_CREATED = Duration.ofSeconds(20);
    private static final Duration TO_RUNNING = Duration.ofMillis(31_180);

    /** What happened, and which mode's downtime begins with it; none if it is no downtime. */
    record Row(String name, Supplier<Snapshots> changed, Optional<UpgradeMode> mode) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Row> rows() {
        return List.of(
                begins(
                        "stopped with a savepoint",
                        UpgradeMode.SAVEPOINT,
                        () -> aRunningDeployment("savepoint").withImage("new")),
                begins(
                        "cancelled, to go on from its last checkpoint",
                        UpgradeMode.LAST_STATE,
                        () -> aCheckpointedDeployment().withImage("new")),
                begins(
                        "removed, to go on from metadata",
                        UpgradeMode.LAST_STATE,
                        () -> aHighlyAvailableDeployment().withImage("new")),
                begins(
                        "cancelled, to begin anew",
                        UpgradeMode.STATELESS,
                        () -> aRunningDeployment().withImage("new")),
                begins(
                        "restarted without a change",
                        UpgradeMode.SAVEPOINT,
                        () -> aRunningDeployment("savepoint").withRestartNonce(7)),
                begins(
                        "scaled by an upgrade",
                        UpgradeMode.STATELESS,
                        () ->
                                aRunningDeployment()
                                        .withConfiguration(ParallelismOverrides.KEY, "aa:3")),
                begins(
                        "a session job",
                        UpgradeMode.SAVEPOINT,
                        () -> aRunningSessionJob("savepoint").withRestartNonce(7)),
                begins(
                        "ran until its tasks began to fail a moment ago",
                        UpgradeMode.STATELESS,
                        () ->
                                aRunningDeployment()
                                        .withJob(JobState.RESTARTING, 0)
                                        .withImage("new")),
                begins(
                        "ran until its JobManager failed to answer a moment ago",
                        UpgradeMode.STATELESS,
                        () ->
                                aRunningDeployment()
                                        .withJob(new JobView.Unreachable("timed out"))
                                        .withImage("new")),
                none("suspended", () -> aRunningDeployment("savepoint").withState("suspended")),
                none("deleted", () -> aRunningDeployment("savepoint").deleted()),
                none("never came up", () -> aDeployment("stateless").withImage("new")),
                none(
                        "has been failing for a while",
                        () ->
                                aRunningDeployment()
                                        .withJob(JobState.RESTARTING, 0)
                                        .decided()
                                        .withImage("new")),
                none(
                        "had ended by itself",
                        () ->
                                aRunningDeployment()
                                        .withJob(JobState.FINISHED, 0)
                                        .decided()
                                        .withImage("new")),
                none(
                        "restarted because it does not get on",
                        () -> aHighlyAvailableDeployment().withIllness()));
    }

    private static Row begins(String name, UpgradeMode mode, Supplier<Snapshots> changed) {
        return new Row(name, changed, Optional.of(mode));
    }

    private static Row none(String name, Supplier<Snapshots> changed) {
        return new Row(name, changed, Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void isRecordedWithTheDecisionThatTakesTheJobDown(Row row) {
        Decision decision = row.changed().get().decide();

        assertThat(decision.status().attempt().interruption())
                .isEqualTo(row.mode().map(mode -> new Interruption(NOW, mode)));
    }

    @Test
    void endsWhenTheLastTaskBeganToRunByFlinksOwnTime() {
        Snapshots up = upAgain(aStoppingDeployment().withUpgradeDone());

        Decision decision = up.later(Duration.ofSeconds(45)).decide();

        assertThat(decision.status().lastUpgrade())
                .contains(
                        new LastUpgrade(
                                LastUpgrade.Outcome.UPGRADED,
                                UpgradeMode.SAVEPOINT,
                                NOW,
                                NOW.plus(TO_RUNNING)));
        assertThat(decision.status().attempt().interruption()).isEmpty();
        assertThat(told(decision))
                .containsExactly(
                        "The upgrade (savepoint) kept the job down for 31.2 s: 0.0 s until the"
                                + " job's state was known, 20.0 s until Flink had the new job,"
                                + " 11.2 s until all its tasks ran");
    }

    @Test
    void isToldOnceAndStaysInTheStatus() {
        Snapshots up =
                upAgain(aStoppingDeployment().withUpgradeDone()).later(Duration.ofSeconds(45));
        Decision first = up.decide();

        Decision next = up.decided().later(Duration.ofHours(1)).decide();

        assertThat(told(next)).isEmpty();
        assertThat(next.status()).isEqualTo(first.status());
    }

    @Test
    void goesByTheOperatorsClockWhereTheJobManagersCanNotBeRight() {
        Snapshots down = aStoppingDeployment().withUpgradeDone().withJobManager(true);
        Duration seen = Duration.ofSeconds(40);

        for (Instant wrong : List.of(NOW.minusSeconds(5), NOW.plusSeconds(41), Instant.EPOCH)) {
            Decision decision = down.withJob(running(down, wrong, wrong)).later(seen).decide();

            assertThat(decision.status().lastUpgrade().map(LastUpgrade::downtime)).contains(seen);
            assertThat(told(decision))
                    .containsExactly("The upgrade (savepoint) kept the job down for 40.0 s");
        }
    }

    @Test
    void lastsUntilAllTasksRun() {
        Snapshots down = aStoppingDeployment().withUpgradeDone().withJobManager(true);

        Decision partly = down.withJob(JobState.RUNNING, 1).decide();

        assertThat(partly.status().lastUpgrade()).isEmpty();
        assertThat(partly.status().attempt().interruption())
                .contains(new Interruption(NOW, UpgradeMode.SAVEPOINT));
    }

    @Test
    void hasNoFigureIfTheStopFailsAndTheJobRunsOn() {
        Snapshots failed =
                aStoppingDeployment()
                        .withStop(new SavepointStatus.Failed("disk full", Optional.empty()));

        assertThat(failed.decide().reason()).isEqualTo(Reason.UPGRADE_SAVEPOINT_FAILED);
        assertThat(failed.decide().status().attempt().interruption()).isEmpty();
        Decision again = failed.decided().later(Duration.ofSeconds(15)).decide();
        assertThat(again.status().attempt().interruption())
                .contains(new Interruption(NOW.plusSeconds(15), UpgradeMode.SAVEPOINT));
    }

    @Test
    void countsFromTheFirstStopIfASpecThatDoesNotComeUpIsEdited() {
        Snapshots bad = anUpgradeThatFails("stateless").later(Duration.ofMinutes(2));

        Snapshots mended = bad.withImage("good").withUpgradeDone().withJobManager(true);
        Decision decision =
                mended.withJob(running(mended, NOW, NOW.plusSeconds(150)))
                        .later(Duration.ofMinutes(1))
                        .decide();

        assertThat(decision.status().lastUpgrade())
                .contains(
                        new LastUpgrade(
                                LastUpgrade.Outcome.UPGRADED,
                                UpgradeMode.STATELESS,
                                NOW,
                                NOW.plusSeconds(150)));
    }

    @Test
    void countsFromTheFirstStopUntilARollbackRuns() {
        Snapshots back =
                anUpgradeThatFails("stateless")
                        .later(Duration.ofMinutes(6))
                        .decided()
                        .withNothingLeft()
                        .decided()
                        .withJobManager(true);

        Decision decision =
                back.withJob(running(back, NOW, NOW.plusSeconds(400)))
                        .later(Duration.ofMinutes(1))
                        .decide();

        assertThat(decision.status().lastUpgrade())
                .contains(
                        new LastUpgrade(
                                LastUpgrade.Outcome.ROLLED_BACK,
                                UpgradeMode.STATELESS,
                                NOW,
                                NOW.plusSeconds(400)));
        assertThat(told(decision))
                .singleElement()
                .asString()
                .startsWith(
                        "The upgrade (stateless) was rolled back. It and the rollback kept the"
                                + " job down for 6 min 40.0 s");
    }

    @Test
    void hasNoFigureIfTheJobIsSuspendedMeanwhile() {
        Snapshots suspended =
                aRunningDeployment()
                        .withImage("bad")
                        .withUpgradeDone()
                        .withState("suspended")
                        .decided()
                        .withNothingLeft()
                        .decided();
        assertThat(suspended.decide().reason()).isEqualTo(Reason.SUSPENDED);
        assertThat(suspended.attempt().interruption()).isEmpty();

        Snapshots resumed = suspended.withState("running").decided().withNothingLeft().decided();

        assertThat(upAgain(resumed).decide().status().jobStatus().state())
                .contains(JobState.RUNNING);
        assertThat(upAgain(resumed).decide().status().lastUpgrade()).isEmpty();
    }

    @Test
    void hasNoFigureIfTheJobEndsByItselfAfterTheUpgrade() {
        Snapshots down = aRunningDeployment().withImage("new").withUpgradeDone();

        Decision ended = down.withJobManager(true).withJob(JobState.FINISHED, 0).decide();

        assertThat(ended.reason()).isEqualTo(Reason.JOB_FINISHED);
        assertThat(ended.status().attempt().interruption()).isEmpty();
    }

    @Test
    void hasNoFigureIfTheNewJobLosesItsState() {
        Snapshots starting =
                aStoppingDeployment()
                        .withUpgradeDone()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 1)
                        .decided();

        Decision lost = starting.withJobOfAnotherRun(JobState.RUNNING, 2).decide();

        assertThat(lost.reason()).isEqualTo(Reason.STATE_LOST);
        assertThat(lost.status().attempt().interruption()).isEmpty();
        assertThat(lost.status().lastUpgrade()).isEmpty();
    }

    @Test
    void isNoneOfAScalingInPlace() {
        Snapshots scaled = aDeploymentScaledInPlace();

        assertThat(scaled.decide().actions()).hasOnlyElementsOfType(Action.ScaleInPlace.class);
        assertThat(scaled.decide().status().attempt().interruption()).isEmpty();
    }

    @Test
    void isMeasuredOfASessionJobToo() {
        Snapshots ended =
                aRunningSessionJob("savepoint")
                        .withRestartNonce(7)
                        .decided()
                        .withStop(new SavepointStatus.Completed("s3://s/1"))
                        .withJob(JobState.FINISHED, 0)
                        .decided();
        Snapshots submitted =
                ended.withJob(new JobView.NotListed())
                        .withTarget(on(host(), new SubmissionView.Uploaded("2_report.jar")))
                        .decided()
                        .withTarget(on(host(), new SubmissionView.None()));

        Decision decision =
                submitted
                        .withJob(running(submitted, NOW.plusSeconds(3), NOW.plusSeconds(4)))
                        .later(Duration.ofSeconds(5))
                        .decide();

        assertThat(decision.status().lastUpgrade().map(LastUpgrade::downtime))
                .contains(Duration.ofSeconds(4));
        assertThat(told(decision)).hasSize(1);
    }

    private static Snapshots upAgain(Snapshots down) {
        return down.withJobManager(true)
                .withJob(running(down, NOW.plus(TO_CREATED), NOW.plus(TO_RUNNING)));
    }

    /** The job as its JobManager lists it. */
    private static JobView running(Snapshots of, Instant start, Instant lastChange) {
        return new JobView.Seen(
                JobState.RUNNING,
                new JobOverview(
                        of.observed().status().jobStatus().jobId().orElseThrow(),
                        "orders",
                        "RUNNING",
                        start,
                        Optional.empty(),
                        new TaskCounts(2, 2, 0),
                        lastChange));
    }

    private static List<String> told(Decision decision) {
        return decision.notes().stream()
                .filter(event -> event.reason().equals("Downtime"))
                .map(ResourceEvent::message)
                .toList();
    }
}
