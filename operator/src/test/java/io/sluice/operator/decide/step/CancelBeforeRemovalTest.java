// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import static io.sluice.operator.decide.Snapshots.NOW;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.JobState;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job that nothing is to be started from, before its cluster is removed. */
class CancelBeforeRemovalTest {
    private static final String RETENTION =
            "execution.checkpointing.externalized-checkpoint-retention";
    private static final Action REMOVAL = new Action.DeleteCluster("deployment-1");

    @Test
    void cancelsAStatelessJobAndLooksAtItAgainAtOnce() {
        var running = aRunningDeployment();
        var decision = running.withImage("flink:1.20-new").decide();

        assertThat(decision.reason()).isEqualTo(Reason.UPGRADE_STARTED);
        assertThat(decision.actions()).containsExactly(new Action.CancelJob(job(running)));
        assertThat(decision.checkAgain()).contains(Duration.ofMillis(250));
        assertThat(decision.status().jobStatus().jobId())
                .isPresent()
                .isNotEqualTo(running.observed().status().jobStatus().jobId());
    }

    @Test
    void removesTheClusterOnceTheJobHasEnded() {
        var running = aRunningDeployment();
        var dismissed = dismissed(running);

        assertThat(dismissed.withFormer(seen(running, JobState.CANCELLING)).decide().actions())
                .isEmpty();
        for (JobState end : List.of(JobState.CANCELED, JobState.FINISHED, JobState.FAILED)) {
            assertThat(dismissed.withFormer(seen(running, end)).decide().actions())
                    .containsExactly(REMOVAL);
        }
    }

    @Test
    void leavesFlinkTheTimeToDeleteWhatTheJobLeft() {
        var running = aRunningDeployment();
        var ended = dismissed(running).withFormer(endedAt(running, NOW));

        assertThat(ended.decide().actions()).isEmpty();
        assertThat(ended.later(Duration.ofMillis(300)).decide().checkAgain())
                .contains(Duration.ofMillis(700));
        assertThat(ended.later(CancelBeforeRemoval.CLEAN_UP).decide().actions())
                .containsExactly(REMOVAL);
    }

    @Test
    void asksAgainAfterACrashAndRemovesTheClusterWhenTheTimeIsOver() {
        var running = aRunningDeployment();
        var unheard = dismissed(running).withFormer(seen(running, JobState.RUNNING));

        assertThat(unheard.decide().actions()).containsExactly(new Action.CancelJob(job(running)));
        for (JobState state : List.of(JobState.RUNNING, JobState.CANCELLING)) {
            var late = unheard.withFormer(seen(running, state)).later(CancelBeforeRemoval.LIMIT);

            assertThat(late.decide().actions()).containsExactly(REMOVAL);
        }
    }

    @Test
    void writesNothingMoreWhileItWaits() {
        var running = aRunningDeployment();
        var waiting = dismissed(running).withFormer(seen(running, JobState.CANCELLING));
        var suspending = aRunningDeployment().withState("suspended");
        var deleted = aRunningDeployment().deleted();

        for (var each : List.of(waiting, suspending.decided(), deleted.decided())) {
            assertThat(each.later(Duration.ofSeconds(5)).decide().status())
                    .isEqualTo(each.observed().status());
            assertThat(each.later(CancelBeforeRemoval.LIMIT).decide().status())
                    .isEqualTo(each.observed().status());
            assertThat(each.later(CancelBeforeRemoval.LIMIT).decide().actions())
                    .containsExactly(REMOVAL);
        }
    }

    @Test
    void isNotHeldUpByAJobManagerThatCannotBeAsked() {
        var silent = new JobView.Unreachable("timed out");
        for (JobView view : List.of(silent, new JobView.NotListed(), new JobView.NotAsked())) {
            var running = aRunningDeployment().withJob(view);

            assertThat(running.withImage("flink:1.20-new").decide().actions())
                    .containsExactly(REMOVAL);
            assertThat(running.withState("suspended").decide().actions()).containsExactly(REMOVAL);
            assertThat(running.deleted().decide().actions()).containsExactly(REMOVAL);
        }
        assertThat(dismissed(aRunningDeployment()).withFormer(silent).decide().actions())
                .containsExactly(REMOVAL);
    }

    @Test
    void cancelsAStatelessJobThatIsSuspendedAndSaysSo() {
        var running = aRunningDeployment();
        var suspending = running.withState("suspended");
        var asked = suspending.decide();

        assertThat(asked.reason()).isEqualTo(Reason.SUSPENDING);
        assertThat(asked.actions()).containsExactly(new Action.CancelJob(job(running)));
        assertThat(asked.status().jobStatus().state()).contains(JobState.CANCELLING);
        assertThat(suspending.decided().withJob(JobState.CANCELED, 0).decide().actions())
                .containsExactly(REMOVAL);
        assertThat(suspending.decided().withNothingLeft().decide().reason())
                .isEqualTo(Reason.SUSPENDED);
    }

    /** The mode of the new spec counts, as for everything else about the state. */
    @Test
    void cancelsAJobWhoseNewSpecIsStatelessAndNoOther() {
        var stateless = Specs.application("flink:1.20-new", "stateless");
        var savepoint = Specs.application("flink:1.20-new", "savepoint");

        assertThat(aRunningDeployment("savepoint").withSpec(stateless).decide().actions())
                .hasOnlyElementsOfType(Action.CancelJob.class);
        assertThat(aRunningDeployment("stateless").withSpec(savepoint).decide().actions())
                .hasOnlyElementsOfType(Action.StopWithSavepoint.class);
        assertThat(aHighlyAvailableDeployment().withImage("flink:1.20-new").decide().actions())
                .containsExactly(REMOVAL);
    }

    /** That may be a checkpoint of the very job, which a cancellation might delete. */
    @Test
    void cancelsNothingWhereTheUserNamesTheStateToGoOnFrom() {
        ObjectNode spec = Specs.application("flink:1.20", "stateless");

        assertThat(
                        aRunningDeployment()
                                .withSpec(Specs.redeployed(spec, "file:/c/chk-7", 1))
                                .decide()
                                .actions())
                .containsExactly(REMOVAL);
    }

    @Test
    void cancelsADeletedJobThatIsNotHighlyAvailableWithState() {
        var discarded = highlyAvailable("stateless", "DELETE_ON_CANCELLATION");
        var retained = highlyAvailable("last-state", "RETAIN_ON_CANCELLATION");
        var precious = highlyAvailable("last-state", "DELETE_ON_CANCELLATION");

        for (var cancelled :
                List.of(
                        aRunningDeployment("stateless"),
                        aRunningDeployment("savepoint"),
                        running(
                                Specs.configured(
                                        Specs.application("flink:1.20", "savepoint"),
                                        RETENTION,
                                        "DELETE_ON_CANCELLATION")),
                        running(discarded),
                        running(
                                Specs.asking(
                                        precious,
                                        "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled")))) {
            var decision = cancelled.deleted().decide();

            assertThat(decision.reason()).isEqualTo(Reason.DELETING);
            assertThat(decision.actions()).containsExactly(new Action.CancelJob(job(cancelled)));
        }
        for (var kept :
                List.of(aHighlyAvailableDeployment(), running(retained), running(precious))) {
            assertThat(kept.deleted().decide().actions()).containsExactly(REMOVAL);
        }
    }

    @Test
    void removesADeletedJobsClusterOnceItHasEnded() {
        var running = aRunningDeployment("savepoint");
        var deleted = running.deleted().decided();

        assertThat(deleted.withJob(seen(running, JobState.CANCELLING)).decide().actions())
                .isEmpty();
        assertThat(deleted.withJob(seen(running, JobState.CANCELED)).decide().actions())
                .containsExactly(REMOVAL);
        assertThat(deleted.withJob(new JobView.Unreachable("x")).decide().actions())
                .containsExactly(REMOVAL);
    }

    @Test
    void doesNotCancelAJobWhoseEndIsOnRecord() {
        var ended = aRunningDeployment().withJob(JobState.FINISHED, 0).decided();

        assertThat(ended.withJob(JobState.RUNNING, 2).deleted().decide().actions())
                .containsExactly(REMOVAL);
    }

    /** An image was changed, and the former cluster stands as it did. */
    private static Snapshots dismissed(Snapshots running) {
        return running.withImage("flink:1.20-new")
                .decided()
                .withCluster(running.observed().cluster());
    }

    private static ObjectNode highlyAvailable(String mode, String retention) {
        return Specs.configured(
                Specs.highlyAvailable(Specs.application("flink:1.20", mode)), RETENTION, retention);
    }

    private static Snapshots running(ObjectNode spec) {
        return aNewResource()
                .withSpec(spec)
                .decided()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2)
                .decided();
    }

    private static String job(Snapshots of) {
        return of.observed().status().jobStatus().jobId().orElseThrow();
    }

    private static JobView seen(Snapshots of, JobState state) {
        return seen(of, state, Optional.empty());
    }

    private static JobView endedAt(Snapshots of, Instant when) {
        return seen(of, JobState.CANCELED, Optional.of(when));
    }

    private static JobView seen(Snapshots of, JobState state, Optional<Instant> end) {
        return new JobView.Seen(
                state,
                new JobOverview(
                        job(of), "orders", state.wire(), NOW, end, new TaskCounts(2, 2, 0)));
    }
}
