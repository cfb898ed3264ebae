// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.flink.rest.request.CheckpointRequest;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What becomes of a job and its state, whatever answers for it: real Flink, the fake that tests
 * talk to, and Flink in the simulated worlds.
 */
public abstract class JobStateTck {
    static final String UNKNOWN = "0123456789abcdef0123456789abcdef";
    static final String TRIGGER = "11111111111111111111111111111111";

    private static final String OTHER_TRIGGER = "22222222222222222222222222222222";

    protected abstract JobManagerRest rest();

    /** A JobManager that answers. */
    protected abstract URI at();

    /** Starts a job; returns its id. */
    protected abstract String startJob();

    /** Sees to it that the job completes a checkpoint soon. */
    protected abstract void completeACheckpoint(String jobId);

    /** A folder for savepoints. */
    protected abstract String savepoints();

    @Test
    void listsARunningJobWithItsTasks() {
        String jobId = startedJob();

        JobOverview job = overview(jobId);

        assertThat(job.state()).isEqualTo("RUNNING");
        assertThat(job.tasks().allUp()).isTrue();
        assertThat(job.endTime()).isEmpty();
    }

    @Test
    void tellsNoExceptionOfAJobThatRunsWell() {
        assertThat(rest().exceptions(at(), startedJob())).isEqualTo(new Reply.Ok<>(List.of()));
    }

    @Test
    void cancelsAJobAndAcceptsItAgain() {
        String jobId = startedJob();

        assertThat(rest().cancel(at(), jobId)).isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));

        await().untilAsserted(() -> assertThat(overview(jobId).state()).isEqualTo("CANCELED"));
        assertThat(overview(jobId).endTime()).isPresent();
        assertThat(rest().cancel(at(), jobId)).isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));
    }

    @Test
    void stopsAJobWithASavepointAndTellsWhereItIs() {
        String jobId = startedJob();

        assertThat(rest().stop(at(), jobId, stop(TRIGGER)))
                .isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () ->
                                assertThat(savepoint(jobId))
                                        .isInstanceOf(SavepointStatus.Completed.class));
        var path = ((SavepointStatus.Completed) savepoint(jobId)).location();
        assertThat(path).contains("savepoint-" + jobId.substring(0, 6));
        await().untilAsserted(() -> assertThat(overview(jobId).state()).isEqualTo("FINISHED"));
        await().untilAsserted(
                        () ->
                                assertThat(checkpoints(jobId).latest().map(CheckpointRef::path))
                                        .contains(path));
    }

    @Test
    void takesTheSameStopForOne() {
        String jobId = startedJob();
        rest().stop(at(), jobId, stop(TRIGGER));
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () ->
                                assertThat(savepoint(jobId))
                                        .isInstanceOf(SavepointStatus.Completed.class));
        var path = savepoint(jobId);

        assertThat(rest().stop(at(), jobId, stop(TRIGGER)))
                .isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));

        assertThat(savepoint(jobId)).isEqualTo(path);
    }

    @Test
    void takesUpAStopOfAJobItDoesNotKnowAndSaysLaterThatItFailed() {
        assertThat(rest().stop(at(), UNKNOWN, stop(TRIGGER)))
                .isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));

        await().untilAsserted(
                        () ->
                                assertThat(savepoint(UNKNOWN))
                                        .isInstanceOf(SavepointStatus.Failed.class));
    }

    @Test
    void knowsNoSavepointItWasNotAskedFor() {
        assertThat(rest().savepoint(at(), startedJob(), OTHER_TRIGGER))
                .isEqualTo(new Reply.Ok<>(new SavepointStatus.Unknown()));
    }

    @Test
    void tellsOfACancelledJobWhereItsLastCheckpointIs() {
        String jobId = startedJob();
        completeACheckpoint(jobId);
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(checkpoints(jobId).latest()).isPresent());

        rest().cancel(at(), jobId);

        await().untilAsserted(() -> assertThat(overview(jobId).state()).isEqualTo("CANCELED"));
        // Flink answers from a cache of three seconds: what was the last before may be discarded
        // now.
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () ->
                                assertThat(checkpoints(jobId).latest())
                                        .hasValueSatisfying(
                                                last -> assertThat(last.isAddressable()).isTrue()));
    }

    @Test
    void writesASavepointWhileTheJobRunsOn() {
        String jobId = startedJob();
        var request =
                new SavepointRequest(
                        TRIGGER, Optional.of(savepoints()), StopRequest.SavepointFormat.CANONICAL);

        assertThat(rest().triggerSavepoint(at(), jobId, request))
                .isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));
        assertThat(rest().triggerSavepoint(at(), jobId, request))
                .isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));

        assertThat(pathOfSavepoint(jobId)).contains("savepoint-" + jobId.substring(0, 6));
        assertThat(overview(jobId).state()).isEqualTo("RUNNING");
    }

    @Test
    void takesUpASavepointOfAJobItDoesNotKnowAndSaysLaterThatItFailed() {
        var request =
                new SavepointRequest(
                        TRIGGER, Optional.of(savepoints()), StopRequest.SavepointFormat.CANONICAL);

        assertThat(rest().triggerSavepoint(at(), UNKNOWN, request))
                .isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));

        await().untilAsserted(
                        () ->
                                assertThat(savepoint(UNKNOWN))
                                        .isInstanceOf(SavepointStatus.Failed.class));
    }

    @Test
    void completesACheckpointWhenAsked() {
        String jobId = startedJob();

        completeCheckpoint(jobId, TRIGGER, CheckpointRequest.Type.FULL);
        completeCheckpoint(jobId, OTHER_TRIGGER, CheckpointRequest.Type.CONFIGURED);
    }

    @Test
    void knowsNoCheckpointItWasNotAskedForAndSaysLaterThatThatOfAnUnknownJobFailed() {
        assertThat(checkpoint(startedJob(), OTHER_TRIGGER))
                .isEqualTo(new CheckpointStatus.Unknown());

        rest().triggerCheckpoint(
                        at(),
                        UNKNOWN,
                        new CheckpointRequest(TRIGGER, CheckpointRequest.Type.CONFIGURED));

        await().untilAsserted(
                        () ->
                                assertThat(checkpoint(UNKNOWN, TRIGGER))
                                        .isInstanceOf(CheckpointStatus.Failed.class));
    }

    @Test
    void disposesOfASavepointAndIsDoneAgainIfItIsGone() {
        String jobId = startedJob();
        rest().triggerSavepoint(
                        at(),
                        jobId,
                        new SavepointRequest(
                                TRIGGER,
                                Optional.of(savepoints()),
                                StopRequest.SavepointFormat.CANONICAL));
        String path = pathOfSavepoint(jobId);

        for (int i = 0; i < 2; i++) {
            String request = rest().disposeSavepoint(at(), path).answer().orElseThrow();
            await().untilAsserted(
                            () ->
                                    assertThat(rest().disposal(at(), request))
                                            .isEqualTo(new Reply.Ok<>(new DisposalStatus.Done())));
        }
        assertThat(rest().disposal(at(), UNKNOWN))
                .isEqualTo(new Reply.Ok<>(new DisposalStatus.Unknown()));
    }

    @Test
    void saysWhenTheTasksOfAJobLastChanged() {
        JobOverview job = overview(startedJob());

        assertThat(job.lastChange()).isAfterOrEqualTo(job.startTime());
    }

    void completeCheckpoint(String jobId, String trigger, CheckpointRequest.Type type) {
        assertThat(rest().triggerCheckpoint(at(), jobId, new CheckpointRequest(trigger, type)))
                .isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () ->
                                assertThat(checkpoint(jobId, trigger))
                                        .isInstanceOf(CheckpointStatus.Completed.class));
    }

    private CheckpointStatus checkpoint(String jobId, String trigger) {
        return rest().checkpoint(at(), jobId, trigger).answer().orElseThrow();
    }

    private String pathOfSavepoint(String jobId) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () ->
                                assertThat(savepoint(jobId))
                                        .isInstanceOf(SavepointStatus.Completed.class));
        return ((SavepointStatus.Completed) savepoint(jobId)).location();
    }

    StopRequest stop(String triggerId) {
        return new StopRequest(
                triggerId, Optional.of(savepoints()), StopRequest.SavepointFormat.CANONICAL, false);
    }

    private SavepointStatus savepoint(String jobId) {
        return rest().savepoint(at(), jobId, TRIGGER).answer().orElseThrow();
    }

    Checkpoints checkpoints(String jobId) {
        return rest().checkpoints(at(), jobId).answer().orElseThrow();
    }

    String startedJob() {
        String jobId = startJob();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(overview(jobId).tasks().allUp()).isTrue());
        return jobId;
    }

    JobOverview overview(String jobId) {
        return rest().jobs(at()).answer().stream()
                .flatMap(List::stream)
                .filter(job -> job.id().equals(jobId))
                .findFirst()
                .orElseThrow(() -> new AssertionError("job " + jobId + " is not listed"));
    }
}
