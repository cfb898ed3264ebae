// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Somebody has deleted the Services before a JobManager. */
class MissingServicesTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void areLookedAtOnceAReadyJobManagerHasBeenSilentForAMinute() {
        Snapshots silent = silent(aRunningDeployment());

        assertThat(silent.decide().actions()).isEmpty();
        assertThat(silent.decided().later(LONG).decide().reason())
                .isEqualTo(Reason.JOB_UNREACHABLE);
        assertThat(silent.decided().later(LONG).decide().actions())
                .hasOnlyElementsOfType(Action.ProvideServices.class);
    }

    /** The edit waits for the job, and the cluster that stands is the one before the edit. */
    @Test
    void areThoseOfTheClusterThatStandsWhileAnEditWaits() {
        Snapshots edited =
                silent(aRunningDeployment("savepoint")).decided().withImage("new").decided();

        assertThat(edited.decide().reason()).isEqualTo(Reason.WAITING_FOR_RUNNING_JOB);
        assertThat(edited.later(LONG).decide().actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.ProvideServices.class,
                        action ->
                                assertThat(action.plan().spec().image())
                                        .isNotEqualTo(Optional.of("new")));
    }

    @Test
    void areNotLookedAtWhereTheJobManagerAnswersOrIsNotReady() {
        Snapshots silent = silent(aRunningDeployment()).decided().later(LONG);

        assertThat(
                        silent.withJob(new JobView.Unreachable("too much", NoAnswer.TOO_LARGE))
                                .decide()
                                .actions())
                .isEmpty();
        assertThat(silent.withTerminatingJobManager().decide().actions()).isEmpty();
    }

    @Test
    void ofASessionClusterAreLookedAtToo() {
        Snapshots ready = SessionSnapshots.aReadySessionCluster();

        assertThat(
                        ready.withTarget(
                                        SessionSnapshots.silentSince(
                                                ready.observed().now().minus(LONG)))
                                .decide()
                                .actions())
                .hasOnlyElementsOfType(Action.ProvideServices.class);
    }

    private static Snapshots silent(Snapshots running) {
        return running.withJob(new JobView.Unreachable("no route to host"));
    }
}
