// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import static io.sluice.operator.decide.Snapshots.NOW;
import static io.sluice.operator.decide.Snapshots.aDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.Condition;
import io.sluice.api.status.JobState;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job whose tasks do not all run. */
class WaitForTasksTest {
    @Test
    void saysAfterTwoMinutesThatThereIsNoTaskManagerAndWhatToDo() {
        var told = waitingSince(NOW).later(Duration.ofSeconds(121)).decide();

        assertThat(told.reason()).isEqualTo(Reason.NO_TASK_MANAGERS);
        assertThat(told.actions()).hasOnlyElementsOfType(Action.ProvideServices.class);
        assertThat(told.status().jobStatus().state()).contains(JobState.CREATED);
        assertThat(told.status().condition("Stalled"))
                .hasValueSatisfying(
                        stalled -> {
                            assertThat(stalled.status()).isEqualTo(Condition.Status.TRUE);
                            assertThat(stalled.message())
                                    .contains("ResourceQuota")
                                    .contains("spec.restartNonce");
                        });
        assertThat(told.notes())
                .extracting(ResourceEvent::reason)
                .containsExactly("JobStatusChanged", "NoTaskManagers");
    }

    @Test
    void writesNothingMoreWhileThereIsNoTaskManager() {
        var told = waitingSince(NOW).later(Duration.ofMinutes(3)).decided();
        var later = told.later(Duration.ofMinutes(1));

        assertThat(later.decide().status()).isEqualTo(told.observed().status());
        assertThat(later.decide().checkAgain())
                .isEqualTo(Optional.of(told.observed().polls().steady()));
    }

    @Test
    void waitsForTwoMinutesFromTheLastChangeOfATask() {
        var rescheduled = waitingSince(NOW.plus(Duration.ofMinutes(5)));

        assertThat(rescheduled.later(Duration.ofMinutes(7)).decide().reason())
                .isEqualTo(Reason.WAITING_FOR_TASKS);
        assertThat(rescheduled.later(Duration.ofSeconds(421)).decide().reason())
                .isEqualTo(Reason.NO_TASK_MANAGERS);
    }

    @Test
    void waitsOnWhereFlinkHasAskedForATaskManager() {
        var asked = waitingSince(NOW).withNativeTaskManagers().withJob(waiting(NOW));

        assertThat(asked.later(Duration.ofHours(1)).decide().reason())
                .isEqualTo(Reason.WAITING_FOR_TASKS);
    }

    /** Their Deployment says why it has no pods. */
    @Test
    void waitsOnForTaskManagersThatFlinkDoesNotAskFor() {
        var spec = Specs.application("flink:1.20", "stateless");
        spec.put("mode", "standalone");
        var standalone =
                Snapshots.aNewResource()
                        .withSpec(spec)
                        .decided()
                        .withJobManager(true)
                        .withJob(waiting(NOW))
                        .decided();

        assertThat(standalone.later(Duration.ofHours(1)).decide().reason())
                .isEqualTo(Reason.WAITING_FOR_TASKS);
    }

    @Test
    void saysNoMoreOfItOnceAllTasksRun() {
        var told = waitingSince(NOW).later(Duration.ofMinutes(3)).decided();

        var runs = told.withJob(JobState.RUNNING, 2).decide();

        assertThat(runs.reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(runs.status().condition("Stalled").orElseThrow().status())
                .isEqualTo(Condition.Status.FALSE);
    }

    private static Snapshots waitingSince(Instant lastChange) {
        return aDeployment("stateless").withJobManager(true).withJob(waiting(lastChange));
    }

    private static JobView waiting(Instant lastChange) {
        return new JobView.Seen(
                JobState.RUNNING,
                new JobOverview(
                        "id",
                        "orders",
                        "RUNNING",
                        NOW,
                        Optional.empty(),
                        new TaskCounts(2, 0, 0),
                        lastChange));
    }
}
