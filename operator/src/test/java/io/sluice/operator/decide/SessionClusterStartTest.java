// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.ReconciliationState;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A session cluster from its creation until its JobManager answers. */
class SessionClusterStartTest {
    private final Snapshots recorded = SessionSnapshots.aNewSessionCluster().decided();
    private final Snapshots starting = recorded.withJobManager(false);

    @Test
    void itsFirstStartCostsNoStatusUntilItIsUp() {
        assertThat(starting.decide().status()).isEqualTo(recorded.observed().status());
        assertThat(starting.decide().reason()).isEqualTo(Reason.DEPLOYMENT_STARTED);
        assertThat(starting.decide().actions()).isEmpty();
    }

    @Test
    void aStartThatTakesLongIsTold() {
        Decision late = starting.later(Duration.ofMinutes(1)).decide();

        assertThat(late.reason()).isEqualTo(Reason.WAITING_FOR_JOB_MANAGER);
        assertThat(state(late)).isEqualTo(ReconciliationState.DEPLOYED);
    }

    @Test
    void whatItsPodWaitsForIsTold() {
        Decision delayed =
                starting.withPodDelay("Unschedulable", "pod p: 0/3 nodes are available").decide();

        assertThat(delayed.reason()).isEqualTo(Reason.WAITING_FOR_JOB_MANAGER);
        assertThat(state(delayed)).isEqualTo(ReconciliationState.DEPLOYED);
    }

    /** That it has stood is not on record: it is made once more, as the same attempt. */
    @Test
    void oneThatIsDeletedBeforeItIsUpIsMadeAgain() {
        assertThat(starting.decided().withNothingLeft().decide().actions())
                .singleElement()
                .isEqualTo(recorded.decide().actions().getFirst());
    }

    /** Its job may have made state by the time that it is gone. */
    @Test
    void thatAJobsClusterStandsIsOnRecordAtOnce() {
        Snapshots application = Snapshots.aNewResource().decided().withJobManager(false);

        assertThat(application.decide().reason()).isEqualTo(Reason.WAITING_FOR_JOB_MANAGER);
        assertThat(state(application.decide())).isEqualTo(ReconciliationState.DEPLOYED);
    }

    private static ReconciliationState state(Decision decision) {
        return decision.status().reconciliationStatus().state();
    }
}
