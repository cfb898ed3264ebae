// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.Decisions.startOf;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.api.status.LifecycleState;
import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.manifest.StateOptions;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A JobManager that hangs while the job is being stopped, and whose pod shows no problem. */
class SilentJobManagerTest {
    private static final JobView SILENT = new JobView.Unreachable("timed out");

    /** Longer than a checkpoint may take unless the job says otherwise. */
    private static final Duration LONG = Duration.ofMinutes(11);

    @Test
    void theUpgradeGoesOnFromTheMetadataOnceTheClusterIsGone() {
        var given = hanging(stoppingWithMetadata()).later(LONG);

        assertThat(given.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(given.decide().notes())
                .extracting(ResourceEvent::reason)
                .contains("JobManagerSilent");
        assertThat(given.decided().withTerminatingJobManager().decide().actions()).isEmpty();
        assertThat(given.decided().withPodsOnly().decide().actions()).isEmpty();
        assertThat(startOf(given.decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.LastState());
    }

    @Test
    void itIsGivenTheTimeThatASavepointMayTakeFromItsLastAnswerOn() {
        var hanging = hanging(stoppingWithMetadata());

        assertThat(hanging.later(Duration.ofMinutes(9)).decide().reason())
                .isEqualTo(Reason.JOB_UNREACHABLE);
        assertThat(effects(hanging.later(Duration.ofMinutes(9)))).isEmpty();
        var patient =
                hanging(
                        highlyAvailable("execution.checkpointing.timeout", "1 h")
                                .withImage("new")
                                .decided());
        assertThat(effects(patient.later(Duration.ofMinutes(59)))).isEmpty();
        assertThat(effects(patient.later(Duration.ofMinutes(61)))).isNotEmpty();
    }

    @Test
    void anAnswerInBetweenBeginsTheTimeAnew() {
        var answered =
                hanging(stoppingWithMetadata())
                        .later(Duration.ofMinutes(9))
                        .withJob(JobState.RUNNING, 2)
                        .withStop(new SavepointStatus.InProgress())
                        .decided();

        assertThat(answered.observed().status().jobStatus().state()).contains(JobState.RUNNING);
        assertThat(
                        effects(
                                hanging(answered.later(Duration.ofMinutes(5)))
                                        .later(Duration.ofMinutes(9))))
                .isEmpty();
    }

    @Test
    void aSavepointThatIsCompletedMeanwhileIsNotPassedOverForAnOlderCheckpoint() {
        var removed = hanging(stoppingWithMetadata()).later(LONG).decided();

        var ended = removed.withoutRecovery().withNothingLeft().decide();

        assertThat(ended.reason()).isEqualTo(Reason.RESTORE_FAILED);
        assertThat(ended.actions()).isEmpty();
        assertThat(ended.detail()).contains("file:///s/savepoint-");
    }

    @Test
    void withoutMetadataAHumanIsToldAndNothingIsRemoved() {
        var told = hanging(aRunningDeployment("savepoint").withImage("new").decided()).later(LONG);

        assertThat(told.decide().reason()).isEqualTo(Reason.JOB_MANAGER_SILENT);
        assertThat(effects(told)).isEmpty();
        assertThat(told.decide().notes())
                .extracting(ResourceEvent::reason)
                .contains("JobManagerSilent");
        assertThat(told.decided().decide().status()).isEqualTo(told.decide().status());
        assertThat(effects(told.withState("suspended"))).isEmpty();
    }

    @Test
    void itGoesOnByItselfWhenTheJobManagerAnswers() {
        var told =
                hanging(aRunningDeployment("savepoint").withImage("new").decided())
                        .later(LONG)
                        .decided();

        var answers =
                told.withJob(JobState.FINISHED, 0)
                        .withStop(new SavepointStatus.Completed("file:/s/1"));

        assertThat(answers.decide().status().jobStatus().upgradeSavepointPath())
                .contains("file:/s/1");
        assertThat(answers.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void theMetadataOfAnotherFlinkIsOfNoUse() {
        var told =
                hanging(
                                highlyAvailable("a", "b")
                                        .withSpec(
                                                Specs.withVersion(
                                                        Specs.highlyAvailable(
                                                                Specs.application(
                                                                        "flink:2.0", "savepoint")),
                                                        "v2_0"))
                                        .decided())
                        .later(LONG);

        assertThat(told.decide().reason()).isEqualTo(Reason.JOB_MANAGER_SILENT);
        assertThat(effects(told)).isEmpty();
    }

    @Test
    void whereOnlyASavepointWillDoAHumanIsAsked() {
        var told =
                hanging(
                                highlyAvailable(
                                                "kubernetes.operator.job.upgrade.last-state-fallback.enabled",
                                                "false")
                                        .withImage("new")
                                        .decided())
                        .later(LONG);

        assertThat(told.decide().reason()).isEqualTo(Reason.JOB_MANAGER_SILENT);
    }

    @Test
    void aCancellationIsWaitedForNoLongerThanFiveMinutes() {
        var cancelling =
                aHighlyAvailableDeployment()
                        .withConfiguration(
                                "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled",
                                "true")
                        .withCheckpoint("file:/c/7")
                        .withImage("new")
                        .decided();

        assertThat(cancelling.observed().status().attempt().stop())
                .hasValueSatisfying(it -> assertThat(it.how()).isEqualTo(StopStatus.How.CANCEL));

        assertThat(effects(hanging(cancelling).later(Duration.ofMinutes(4)))).isEmpty();
        assertThat(source(hanging(cancelling).later(Duration.ofMinutes(6))))
                .isEqualTo(StateOptions.LAST_STATE);
        assertThat(
                        hanging(cancelling.withoutRecovery())
                                .later(Duration.ofMinutes(6))
                                .decide()
                                .reason())
                .isEqualTo(Reason.JOB_MANAGER_SILENT);
    }

    @Test
    void aJobManagerWhoseProbeFailsWithoutAProblemOfItsPodIsTreatedTheSame() {
        var down = stoppingWithMetadata().withJobManagerDown().decided();

        assertThat(down.later(Duration.ofMinutes(9)).decide().reason())
                .isEqualTo(Reason.WAITING_FOR_JOB_MANAGER);
        assertThat(source(down.later(LONG))).isEqualTo(StateOptions.LAST_STATE);
        assertThat(down.withoutRecovery().later(LONG).decide().reason())
                .isEqualTo(Reason.JOB_MANAGER_SILENT);
    }

    @Test
    void aSuspensionGoesOnFromTheMetadataToo() {
        var suspending = highlyAvailable("a", "b").withState("suspended").decided();

        var suspended = hanging(suspending).later(LONG).decided().withNothingLeft().decided();

        assertThat(suspended.observed().status().lifecycleState())
                .contains(LifecycleState.SUSPENDED);
        assertThat(startOf(suspended.withState("running").decide()))
                .isEqualTo(new StartFrom.LastState());
    }

    @Test
    void aJobManagerThatCameBackAndListsNoJobIsGivenTimeAndThenTheMetadataIsUsed() {
        var back =
                hanging(stoppingWithMetadata())
                        .later(Duration.ofMinutes(8))
                        .withJob(new JobView.NotListed());

        assertThat(back.decide().reason()).isEqualTo(Reason.WAITING_FOR_SUBMISSION);
        assertThat(back.decided().later(Duration.ofMinutes(4)).decide().reason())
                .isEqualTo(Reason.WAITING_FOR_SUBMISSION);
        assertThat(source(back.decided().later(Duration.ofMinutes(6))))
                .isEqualTo(StateOptions.LAST_STATE);
        assertThat(back.withoutRecovery().decided().later(Duration.ofMinutes(6)).decide().reason())
                .isEqualTo(Reason.UPGRADE_FAILED);
    }

    private static Snapshots hanging(Snapshots stopping) {
        return stopping.withJob(SILENT).decided();
    }

    private static Snapshots stoppingWithMetadata() {
        return highlyAvailable("a", "b").withImage("new").decided();
    }

    /** In mode savepoint, with its last checkpoint in Flink's high-availability metadata. */
    private static Snapshots highlyAvailable(String key, String value) {
        return Snapshots.aNewResource("savepoint")
                .withSpec(Specs.highlyAvailable(Specs.application("flink:1.20", "savepoint")))
                .withConfiguration("execution.checkpointing.savepoint-dir", "file:///s")
                .withConfiguration(key, value)
                .decided()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2)
                .decided()
                .decided()
                .withRecovery();
    }

    /** Beside looking for Services that somebody may have deleted, which changes nothing else. */
    private static List<Action> effects(Snapshots given) {
        return given.decide().actions().stream()
                .filter(action -> !(action instanceof Action.ProvideServices))
                .toList();
    }

    private static String source(Snapshots snapshots) {
        return snapshots.decide().status().jobStatus().upgradeSavepointPath().orElse("");
    }
}
