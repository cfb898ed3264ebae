// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import static io.sluice.operator.decide.Decisions.startOf;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.JobState;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A JobManager that begins a job anew, and leaves its state behind. */
class LostRunTest {
    @Test
    void tellsThatAJobManagerWithoutHighAvailabilityHasBegunTheJobAnew() {
        var anew = begunAnew();

        assertThat(anew.decide().reason()).isEqualTo(Reason.STATE_LOST);
        assertThat(anew.decide().reason().wire()).isEqualTo("StateLost");
        assertThat(anew.decide().detail()).contains("file:/c/9");
        assertThat(anew.decide().notes()).extracting(ResourceEvent::reason).contains("StateLost");
        assertThat(anew.decided().decide().reason()).isEqualTo(Reason.STATE_LOST);
        assertThat(anew.decided().decide().status()).isEqualTo(anew.decided().observed().status());
    }

    @Test
    void takesNothingThatTheNewRunMakesForTheStateOfTheOneBefore() {
        var edited = begunAnew().decided().withCheckpoint("file:/c/empty").withImage("new");
        var ended = begunAnew().decided().withCheckpoint("file:/c/empty");

        assertThat(edited.decide().reason()).isEqualTo(Reason.STATE_LOST);
        assertThat(edited.decide().actions()).isEmpty();
        assertThat(
                        ended.withJobOfAnotherRun(JobState.FINISHED, 0)
                                .decide()
                                .status()
                                .jobStatus()
                                .upgradeSavepointPath())
                .isNotEqualTo(Optional.of("file:/c/empty"));
    }

    @Test
    void startsFromTheSavepointThatAUserNamesOnceTheJobHasBegunAnew() {
        ObjectNode named =
                Specs.redeployed(Specs.application("flink:1.20", "savepoint"), "file:/c/9", 1);

        assertThat(begunAnew().decided().withSpec(named).decide().reason())
                .isEqualTo(Reason.UPGRADE_STARTED);
    }

    @Test
    void takesTheNewRunForTheJobWhereItIsMadeStateless() {
        var kept = begunAnew().decided().withSpec(Specs.application("flink:1.20", "stateless"));
        var back = kept.decided().withSpec(Specs.application("flink:1.20", "savepoint"));

        assertThat(kept.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(back.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
    }

    @Test
    void restartsFromTheLastKnownStateWhereAnOptionSaysSo() {
        var anew =
                aRunningDeployment("savepoint")
                        .withConfiguration("kubernetes.operator.job.restart.lost-state", "true")
                        .decided()
                        .withCheckpointSeen("file:/c/9")
                        .withJobOfAnotherRun(JobState.RUNNING, 2);

        assertThat(anew.decide().reason()).isEqualTo(Reason.RESTARTING_LOST_RUN);
        assertThat(startOf(anew.decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/c/9"));
    }

    @Test
    void takesARestartOfAHighlyAvailableJobManagerForNoLoss() {
        assertThat(aHighlyAvailableDeployment().withJobOfAnotherRun(JobState.RUNNING, 2).decide())
                .satisfies(it -> assertThat(it.reason()).isEqualTo(Reason.JOB_RUNNING));
    }

    private static Snapshots begunAnew() {
        return aRunningDeployment("savepoint")
                .withCheckpointSeen("file:/c/9")
                .withJobOfAnotherRun(JobState.RUNNING, 2);
    }
}
