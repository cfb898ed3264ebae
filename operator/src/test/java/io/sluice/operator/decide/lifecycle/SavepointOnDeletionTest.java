// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.JobState;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import org.junit.jupiter.api.Test;

class SavepointOnDeletionTest {
    private static final String ASKED = "kubernetes.operator.job.savepoint-on-deletion";

    @Test
    void isMadeOfAJobThatOneOfTwoJobManagersRuns() {
        var running = begun().withOneOfTwoJobManagers(true).withJob(JobState.RUNNING, 2).decided();

        assertThat(running.deleted().decide().actions())
                .hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);
    }

    @Test
    void isAskedForOfAJobThatRanThoughBothJobManagersAreDown() {
        var ran = begun().withOneOfTwoJobManagers(true).withJob(JobState.RUNNING, 2).decided();

        assertThat(ran.withOneOfTwoJobManagers(false).deleted().decide().actions())
                .hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);
    }

    @Test
    void isNotWaitedForWhereNoJobManagerEverWasUp() {
        var never = begun().withOneOfTwoJobManagers(false).decided();

        assertThat(never.deleted().decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void isWaitedForWhileItIsWritten() {
        var stopping =
                aRunningDeployment("savepoint")
                        .withConfiguration(ASKED, "true")
                        .decided()
                        .deleted()
                        .decided()
                        .withStop(new SavepointStatus.InProgress());

        assertThat(stopping.decide().reason()).isEqualTo(Reason.DELETING);
        assertThat(stopping.decide().actions()).as("the cluster stays until it is made").isEmpty();
    }

    private static Snapshots begun() {
        return aNewResource("savepoint").withConfiguration(ASKED, "true").decided();
    }
}
