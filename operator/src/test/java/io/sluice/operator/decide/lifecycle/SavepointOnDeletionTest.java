// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.StateView;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The savepoint that is made of a job before it is deleted, where one is wanted. */
class SavepointOnDeletionTest {
    private static final String ASKED = "kubernetes.operator.job.savepoint-on-deletion";
    private static final SavepointStatus DONE = new SavepointStatus.Completed("file:/s/1");

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

    @Test
    void makesALastSavepointBeforeADeletionThatAsksForOne() {
        var deleting =
                aRunningDeployment("savepoint")
                        .withConfiguration(ASKED, "true")
                        .decided()
                        .deleted();

        assertThat(deleting.decide().actions())
                .hasOnlyElementsOfType(Action.StopWithSavepoint.class);
        assertThat(deleting.decided().withStop(DONE).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(deleting.decided().withStop(DONE).decide().notes())
                .extracting(ResourceEvent::message)
                .anyMatch(message -> message.contains("file:/s/1"));
    }

    @Test
    void doesNotLetALastSavepointHoldUpADeletionForEver() {
        var deleting =
                aRunningDeployment("savepoint")
                        .withConfiguration(ASKED, "true")
                        .decided()
                        .deleted()
                        .decided()
                        .withStop(new StateView.StopView.Silent("refused"));

        assertThat(deleting.decide().actions()).isEmpty();
        assertThat(deleting.later(Duration.ofMinutes(6)).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void waitsForALastSavepointNoLongerThanTheOperatorIsTold() {
        var deleting =
                aRunningDeployment("savepoint")
                        .withDefaults(
                                Map.of("kubernetes.operator.resource.cleanup.timeout", "1 min"))
                        .withConfiguration(ASKED, "true")
                        .decided()
                        .deleted()
                        .decided()
                        .withStop(new StateView.StopView.Silent("refused"));

        assertThat(deleting.later(Duration.ofSeconds(50)).decide().actions()).isEmpty();
        assertThat(deleting.later(Duration.ofSeconds(70)).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    private static Snapshots begun() {
        return aNewResource("savepoint").withConfiguration(ASKED, "true").decided();
    }
}
