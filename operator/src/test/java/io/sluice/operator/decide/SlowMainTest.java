// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.Decisions.startOf;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.Condition;
import io.sluice.api.status.LifecycleState;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A JobManager that is up and lists no job for long: main() plans, or does I/O, before it submits.
 */
class SlowMainTest {
    private static final Duration LONG = Duration.ofMinutes(6);
    private static final StartFrom SAVEPOINT = new StartFrom.Savepoint("file:/s/1");

    @Test
    void aJobThatMainHasYetToSubmitIsNotLost() {
        var decision = silentForLong().decide();

        assertThat(decision.reason()).isEqualTo(Reason.WAITING_FOR_SUBMISSION);
        assertThat(decision.status().lifecycleState()).contains(LifecycleState.DEPLOYED);
        assertThat(decision.status().condition("Stalled").map(Condition::status))
                .contains(Condition.Status.FALSE);
        assertThat(silentForLong().decided().decide().status()).isEqualTo(decision.status());
    }

    @Test
    void anEditReplacesItWithWhatItWasToStartFrom() {
        var edited = silentForLong().withImage("newer");

        assertThat(edited.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(startOf(edited.decided().withNothingLeft().decide())).isEqualTo(SAVEPOINT);
    }

    @Test
    void anEditReplacesTheFirstAttemptOfAllWithItsInitialState() {
        var first =
                Snapshots.aNewResource("savepoint")
                        .withSpec(
                                Specs.redeployed(
                                        Specs.application("flink:1.20", "savepoint"),
                                        "file:/s/initial",
                                        1))
                        .decided();

        var edited = silentForLong(first).withImage("newer");

        assertThat(startOf(edited.decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/s/initial"));
    }

    @Test
    void aLastStateThatItWasToStartFromIsTakenAlongUnderTheSameJobId() {
        var upgraded =
                aHighlyAvailableDeployment().withImage("new").decided().withNothingLeft().decided();
        var edited = silentForLong(upgraded).withImage("newer");

        var next = edited.decided().withNothingLeft().decide();

        assertThat(startOf(next)).isEqualTo(new StartFrom.LastState());
        assertThat(next.status().jobStatus().jobId())
                .isEqualTo(upgraded.observed().status().jobStatus().jobId());
    }

    @Test
    void aSuspensionKeepsWhatItWasToStartFrom() {
        var suspended =
                silentForLong().withState("suspended").decided().withNothingLeft().decided();

        assertThat(suspended.decide().reason()).isEqualTo(Reason.SUSPENDED);
        assertThat(suspended.decide().status().jobStatus().upgradeSavepointPath())
                .contains("file:/s/1");
        assertThat(startOf(suspended.withState("running").decide())).isEqualTo(SAVEPOINT);
    }

    @Test
    void howLongItHasBeenMissingCountsFromWhenTheJobManagerCameUp() {
        var started = upgradedFromASavepoint().withJobManager(false).decided().later(LONG);

        var cameUp = started.withJobManager(true).withJob(new JobView.NotListed());

        assertThat(cameUp.withImage("newer").decide().reason())
                .isEqualTo(Reason.WAITING_FOR_RUNNING_JOB);
        assertThat(cameUp.decided().later(Duration.ofMinutes(4)).decide().detail()).isEmpty();
        assertThat(cameUp.decided().later(LONG).withImage("newer").decide().reason())
                .as("not known to be the first process")
                .isEqualTo(Reason.UPGRADE_FAILED);
    }

    @Test
    void aJobManagerThatAnswersAgainIsGivenTheSameTime() {
        var silent =
                aRunningDeployment("savepoint")
                        .withJob(new JobView.Unreachable("timed out"))
                        .decided()
                        .later(LONG);

        var answers = silent.withJob(new JobView.NotListed());

        assertThat(answers.decide().reason()).isEqualTo(Reason.WAITING_FOR_SUBMISSION);
        assertThat(answers.decided().later(LONG).decide().reason()).isEqualTo(Reason.JOB_NOT_FOUND);
    }

    @Test
    void aJobThatWasListedOnceIsLostAsBefore() {
        var missed =
                aRunningDeployment("savepoint")
                        .withFirstProcess()
                        .withJob(new JobView.NotListed())
                        .decided()
                        .later(LONG);

        assertThat(missed.decide().reason()).isEqualTo(Reason.JOB_NOT_FOUND);
        assertThat(missed.withImage("newer").decide().reason()).isEqualTo(Reason.UPGRADE_FAILED);
    }

    @Test
    void anotherProcessThanTheFirstMayHaveLostTheJob() {
        var missed =
                upgradedFromASavepoint()
                        .withJobManager(true)
                        .withJob(new JobView.NotListed())
                        .decided()
                        .later(LONG);

        assertThat(missed.decide().reason()).isEqualTo(Reason.JOB_NOT_FOUND);
        assertThat(missed.withImage("newer").decide().actions()).isEmpty();
    }

    private static Snapshots silentForLong() {
        return silentForLong(upgradedFromASavepoint());
    }

    private static Snapshots silentForLong(Snapshots begun) {
        return begun.withJobManager(true)
                .withFirstProcess()
                .withJob(new JobView.NotListed())
                .decided()
                .later(LONG);
    }

    private static Snapshots upgradedFromASavepoint() {
        return aRunningDeployment("savepoint")
                .withImage("new")
                .decided()
                .withStop(new SavepointStatus.Completed("file:/s/1"))
                .decided()
                .withNothingLeft()
                .decided();
    }
}
