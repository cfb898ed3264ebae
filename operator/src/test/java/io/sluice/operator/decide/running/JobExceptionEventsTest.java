// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import static io.sluice.operator.decide.Snapshots.NOW;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.flink.rest.JobException;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobExceptionEventsTest {
    @Test
    void tellsEachOnceAndTheNewestFirst() {
        var failing = aRunningDeployment().withExceptions(boom(2), boom(1));

        assertThat(told(failing))
                .extracting(ResourceEvent::message)
                .containsExactly("boom 2", "boom 1");
        assertThat(told(failing.decided())).isEmpty();
        assertThat(told(failing.decided().withExceptions(boom(3), boom(2), boom(1))))
                .extracting(ResourceEvent::message)
                .containsExactly("boom 3");
    }

    @Test
    void doesNotTellAgainWhatItToldBeforeItRestarted() {
        var told = aRunningDeployment().withExceptions(boom(1)).decided();

        assertThat(told.observed().status().jobStatus().log().toldUntil())
                .contains(NOW.plusSeconds(1));
        assertThat(told(told.withExceptions(boom(1)))).isEmpty();
    }

    @Test
    void leavesOutWhatIsLongAgo() {
        assertThat(told(aRunningDeployment().withExceptions(at(NOW.minusSeconds(1801), "old"))))
                .isEmpty();
    }

    @Test
    void tellsTenAtMostAndNoneOfTheOthersLater() {
        JobException[] many =
                IntStream.range(0, 30).mapToObj(i -> boom(30 - i)).toArray(JobException[]::new);
        var failing = aRunningDeployment().withExceptions(many);

        assertThat(told(failing)).hasSize(10);
        assertThat(told(failing).getFirst().message()).isEqualTo("boom 30");
        assertThat(told(failing.decided())).isEmpty();
    }

    @Test
    void cutsTheStackTraceAndSaysWhereItHappened() {
        var exception =
                new JobException(
                        "java.lang.Error",
                        "java.lang.Error: x\n" + "\tat a.B.c(B.java:1)\n".repeat(9),
                        NOW,
                        Optional.of("count (1/2)"),
                        Optional.of("10.0.0.1:6122"),
                        Optional.of("orders-taskmanager-1-1"),
                        Map.of("my type!", "user"));

        var event = told(aRunningDeployment().withExceptions(exception)).getFirst();

        assertThat(event.component()).isEqualTo("Job");
        assertThat(event.message().lines()).hasSize(6).last().isEqualTo("… 5 more lines");
        assertThat(event.annotations())
                .containsEntry("exception-timestamp", NOW.toString())
                .containsEntry("task-name", "count (1/2)")
                .containsEntry("endpoint", "10.0.0.1:6122")
                .containsEntry("tm-id", "orders-taskmanager-1-1")
                .containsEntry("failure-label-my-type", "user");
    }

    @Test
    void tellsAsMuchAsTheOperatorIsTold() {
        var failing =
                aRunningDeployment()
                        .withDefaults(
                                Map.of(
                                        "kubernetes.operator.events.exceptions.stacktrace-lines",
                                        "2",
                                        "kubernetes.operator.events.exceptions.limit-per-reconciliation",
                                        "1"))
                        .withExceptions(
                                boom(1), at(NOW.plusSeconds(2), "boom\n" + "\tat a.B\n".repeat(9)));

        assertThat(told(failing))
                .singleElement()
                .satisfies(event -> assertThat(event.message().lines()).hasSize(3))
                .satisfies(event -> assertThat(event.message()).endsWith("… 8 more lines"));
    }

    @Test
    void showsNoSecret() {
        var running =
                aRunningDeployment()
                        .withConfiguration("s3.secret-key", "hunter22")
                        .decided()
                        .withNothingLeft()
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .withExceptions(at(NOW, "no access with hunter22"));

        assertThat(told(running))
                .extracting(ResourceEvent::message)
                .containsExactly("no access with ******");
    }

    @Test
    void saysWhyAJobFailedForGoodAndKeepsSayingIt() {
        var failed =
                aRunningDeployment()
                        .withExceptions(
                                at(
                                        NOW,
                                        "org.apache.flink.JobException: suppressed\nCaused by: java.lang.Error: disk full"))
                        .withJob(JobState.FAILED, 0);

        assertThat(failed.decide().reason()).isEqualTo(Reason.JOB_FAILED);
        assertThat(failed.decide().detail()).isEqualTo("java.lang.Error: disk full");
        var later = failed.decided().withExceptions().decide();
        assertThat(later.detail()).isEqualTo("java.lang.Error: disk full");
        assertThat(later.status()).isEqualTo(failed.decided().observed().status());
    }

    private static JobException boom(int second) {
        return at(NOW.plusSeconds(second), "boom " + second);
    }

    private static JobException at(Instant at, String trace) {
        return new JobException("java.lang.Error", trace, at, Optional.empty());
    }

    private static List<ResourceEvent> told(Snapshots snapshots) {
        return snapshots.decide().notes().stream()
                .filter(event -> event.reason().equals("JobException"))
                .toList();
    }
}
