// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.Decisions.plan;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import org.junit.jupiter.api.Test;

/** Jobs that are started again without a change of the spec, because an option asks for it. */
class RescueTest {
    private static final String RESTART_FAILED = "kubernetes.operator.job.restart.failed";

    @Test
    void startsAFailedJobAgainFromTheStateOfItsEnd() {
        var failed =
                asking(aRunningDeployment("savepoint"))
                        .withJob(JobState.FAILED, 0)
                        .withCheckpoint("file:/c/7");

        assertThat(failed.decide().reason()).isEqualTo(Reason.RESTARTING_FAILED_JOB);
        assertThat(failed.decide().status().jobStatus().upgradeSavepointPath())
                .contains("file:/c/7");
        assertThat(failed.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(plan(failed.decided().withNothingLeft().decide()).from())
                .isEqualTo(new StartFrom.Savepoint("file:/c/7"));
    }

    @Test
    void startsAFailedJobUnderANewAttempt() {
        var failed = asking(aRunningDeployment()).withJob(JobState.FAILED, 0);

        assertThat(failed.decide().status().attempt().id())
                .isPresent()
                .isNotEqualTo(failed.observed().status().attempt().id());
    }

    @Test
    void waitsUntilTheStateOfAFailedJobIsKnown() {
        var failed = asking(aRunningDeployment("savepoint")).withJob(JobState.FAILED, 0);

        assertThat(failed.decide().reason()).isEqualTo(Reason.STATE_UNREAD);
        assertThat(failed.decide().actions()).isEmpty();
    }

    @Test
    void leavesAFailedJobToAHumanWhoseCheckpointIsGone() {
        var failed =
                asking(aRunningDeployment("savepoint"))
                        .withJob(JobState.FAILED, 0)
                        .withCheckpoint("<checkpoint-not-externally-addressable>");

        assertThat(failed.decide().reason()).isEqualTo(Reason.CHECKPOINT_NOT_FOUND);
        assertThat(failed.decide().actions()).isEmpty();
    }

    @Test
    void neverStartsAFinishedOrACancelledJobAgain() {
        for (JobState end : new JobState[] {JobState.FINISHED, JobState.CANCELED}) {
            var ended = asking(aRunningDeployment()).withJob(end, 0);

            assertThat(ended.decide().actions()).isEmpty();
            assertThat(ended.decided().withNothingLeft().decide().actions()).isEmpty();
            assertThat(ended.withIllness().decide().actions()).isEmpty();
        }
    }

    @Test
    void startsAnUnhealthyJobAgainFromItsLastCheckpoint() {
        var ill = aHighlyAvailableDeployment().withIllness();

        assertThat(ill.decide().reason()).isEqualTo(Reason.RESTARTING_UNHEALTHY_JOB);
        assertThat(ill.decide().notes())
                .extracting(ResourceEvent::reason)
                .contains("RestartUnhealthyJob");
        assertThat(plan(ill.decided().withNothingLeft().decide()).from())
                .isEqualTo(new StartFrom.LastState());
    }

    @Test
    void saysOfAnUnhealthyJobWithoutMetadataWhyItIsLeftAlone() {
        var ill = aRunningDeployment("savepoint").withIllness();

        assertThat(ill.decide().reason()).isEqualTo(Reason.JOB_UNHEALTHY);
        assertThat(ill.decide().actions()).isEmpty();
        assertThat(ill.decide().status().condition("Stalled").orElseThrow().message())
                .contains("70 restarts", "high-availability.type");
    }

    private static Snapshots asking(Snapshots before) {
        return before.withConfiguration(RESTART_FAILED, "true").decided();
    }
}
