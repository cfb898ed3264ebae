// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.api.status.Condition;
import io.sluice.api.status.JobState;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ScalingView;
import io.sluice.operator.model.StateView.LastCheckpoints;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the autoscaler asks for is a part of the spec. */
class AutoscaledTest {
    private static final String IN_PLACE = "jobmanager.scheduler";

    @Test
    void restartsAJobWhoseSchedulerCanNotBeAsked() {
        var scaled = aRunningDeployment().withConfiguration(ParallelismOverrides.KEY, "aa:3");

        assertThat(scaled.decide().reason()).isEqualTo(Reason.UPGRADE_STARTED);
        assertThat(scaled.decide().notes())
                .anySatisfy(
                        event ->
                                assertThat(event.message())
                                        .isEqualTo(
                                                "SCALE change(s) carried out:"
                                                        + " spec.flinkConfiguration."
                                                        + ParallelismOverrides.KEY
                                                        + ": (none) -> aa:3"));
        assertThat(recorded(scaled)).contains("aa:3");
    }

    @Test
    void aHeldChangeIsAConditionUntilItIsOver() {
        var held =
                aRunningDeployment()
                        .withHold(new AutoscalerOverrides.Hold("CoolingDown", "work 2 -> 4"));

        assertThat(held.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(held.decide().actions()).isEmpty();
        assertThat(held.decide().status().conditions())
                .filteredOn(condition -> condition.type().equals("ScalingHeld"))
                .singleElement()
                .satisfies(
                        condition -> {
                            assertThat(condition.status()).isEqualTo(Condition.Status.TRUE);
                            assertThat(condition.reason()).isEqualTo("CoolingDown");
                            assertThat(condition.message()).isEqualTo("work 2 -> 4");
                        });
        assertThat(held.decided().decide().status())
                .describedAs("nothing is written while nothing changes")
                .isEqualTo(held.decide().status());
        assertThat(held.decided().withoutHold().decide().status().conditions())
                .extracting(Condition::type)
                .doesNotContain("ScalingHeld")
                .contains("Ready");
    }

    @Test
    void recordsWhatIsDoneInPlaceAndRestartsNothing() {
        var scaled =
                aRunningDeployment()
                        .withConfiguration(IN_PLACE, "adaptive")
                        .decided()
                        .withUpgradeDone()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .withConfiguration(ParallelismOverrides.KEY, "aa:3")
                        .withScaling(Map.of("aa", 3), vertex(1, new ParallelismBounds(1, 1)));

        assertThat(scaled.decide().actions())
                .singleElement()
                .isInstanceOf(Action.ScaleInPlace.class);
        assertThat(recorded(scaled)).contains("aa:3");
    }

    @Test
    void restartsAJobThatIsNotToBeScaledWhileItRuns() {
        var scaled =
                aRunningDeployment()
                        .withConfiguration(IN_PLACE, "adaptive")
                        .withConfiguration(
                                "kubernetes.operator.job.upgrade.inplace-scaling.enabled", "false")
                        .decided()
                        .withUpgradeDone()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .withConfiguration(ParallelismOverrides.KEY, "aa:3");

        assertThat(scaled.decide().reason()).isEqualTo(Reason.UPGRADE_STARTED);
    }

    @Test
    void restartsAJobThatRunsWithoutTheSchedulerOfTodaysDefaults() {
        var scaled =
                aRunningDeployment()
                        .withDefaults(Map.of(IN_PLACE, "adaptive"))
                        .withConfiguration(ParallelismOverrides.KEY, "aa:3")
                        .withScaling(Map.of("aa", 3), new ScalingView.ByRestart());

        assertThat(scaled.decide().reason()).isEqualTo(Reason.UPGRADE_STARTED);
    }

    @Test
    void scalesAJobInPlaceThatRunsWithASchedulerWhichTodaysDefaultsLack() {
        var started =
                aNewResource("stateless")
                        .withDefaults(Map.of(IN_PLACE, "adaptive"))
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided();
        var scaled =
                started.withDefaults(Map.of())
                        .withConfiguration(ParallelismOverrides.KEY, "aa:3")
                        .withScaling(Map.of("aa", 3), vertex(1, new ParallelismBounds(1, 1)));

        assertThat(scaled.decide().actions())
                .singleElement()
                .isInstanceOf(Action.ScaleInPlace.class);
    }

    @Test
    void letsAJobBeThatNobodyScalesAnyMore() {
        var former =
                aRunningDeployment()
                        .withConfiguration(ParallelismOverrides.KEY, "aa:3")
                        .decided()
                        .withUpgradeDone()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided();

        var left = former.withConfiguration(ParallelismOverrides.KEY, "");

        assertThat(left.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(left.decide().actions()).isEmpty();
        assertThat(recorded(left)).contains("");
    }

    @Test
    void movesNoJobThatHasEnded() {
        var ended = aRunningDeployment().withJob(JobState.FINISHED, 0).decided();

        var scaled = ended.withConfiguration(ParallelismOverrides.KEY, "aa:3");

        assertThat(scaled.decide().actions()).isEmpty();
        assertThat(scaled.decide().status().jobStatus().state()).contains(JobState.FINISHED);
    }

    @Test
    void waitsUntilTheJobRunsAndTakesUpTheRestAtOnce() {
        var failing = aRunningDeployment().withJob(JobState.RESTARTING, 0).decided();

        var asked =
                failing.withConfiguration(ParallelismOverrides.KEY, "aa:3")
                        .withConfiguration("job.autoscaler.enabled", "true");

        assertThat(asked.decide().actions()).isEmpty();
        assertThat(recorded(asked)).contains("");
        assertThat(asked.decided().withJob(JobState.RUNNING, 2).decide().reason())
                .isEqualTo(Reason.UPGRADE_STARTED);
    }

    @Test
    void runsNoJobAgainThatFinishedWhileItWasStoppedForAWishThatWasTakenBack() {
        var stopping =
                aRunningDeployment("savepoint")
                        .withConfiguration(ParallelismOverrides.KEY, "aa:3")
                        .decided();

        var finished =
                stopping.withConfiguration(ParallelismOverrides.KEY, "")
                        .withJob(JobState.FINISHED, 0)
                        .withStop(new SavepointStatus.Failed("the job finished", Optional.empty()))
                        .withLast(new LastCheckpoints.Known(Checkpoints.NONE));

        assertThat(stopping.withStop(new SavepointStatus.InProgress()).decide().reason())
                .isEqualTo(Reason.SAVEPOINT_IN_PROGRESS);
        assertThat(finished.decide().reason()).isEqualTo(Reason.JOB_FINISHED);
        assertThat(finished.decided().withUpgradeDone().decide().reason())
                .isEqualTo(Reason.JOB_FINISHED);
    }

    @Test
    void runsNoJobAgainThatIsDoneBecauseItsMemoryIsNotTunedAnyMore() {
        var done =
                aRunningDeployment()
                        .withConfiguration("job.autoscaler.memory.tuning.enabled", "true")
                        .withConfiguration("taskmanager.memory.managed.fraction", "0.1")
                        .decided()
                        .withUpgradeDone()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .withJob(JobState.FINISHED, 0)
                        .decided();

        var left =
                done.withConfiguration("taskmanager.memory.managed.fraction", "0.4")
                        .withConfiguration("job.autoscaler.memory.tuning.enabled", "false");

        assertThat(left.decide().reason()).isEqualTo(Reason.JOB_FINISHED);
        assertThat(left.withRestartNonce(1).decide().reason()).isEqualTo(Reason.UPGRADE_STARTED);
    }

    private static Optional<String> recorded(Snapshots snapshots) {
        return snapshots
                .decide()
                .status()
                .reconciliationStatus()
                .lastReconciledSpec()
                .flatMap(ReconciledSpec::decode)
                .map(
                        taken ->
                                taken.spec()
                                        .path("flinkConfiguration")
                                        .path(ParallelismOverrides.KEY)
                                        .asText());
    }

    private static ScalingView vertex(int parallelism, ParallelismBounds bounds) {
        return new ScalingView.Known(
                List.of(new JobVertex("aa", "count", parallelism, 128, "RUNNING")),
                Map.of("aa", bounds));
    }
}
