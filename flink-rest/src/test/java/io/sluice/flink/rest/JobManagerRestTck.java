// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What every {@link JobManagerRest} does, so that a test that uses the fake tells the truth about
 * Flink.
 */
public abstract class JobManagerRestTck {
    private static final String UNKNOWN = "0123456789abcdef0123456789abcdef";
    private static final String TRIGGER = "11111111111111111111111111111111";
    private static final String OTHER_TRIGGER = "22222222222222222222222222222222";

    protected abstract JobManagerRest rest();

    /** A JobManager that answers. */
    protected abstract URI at();

    /** An address at which nobody answers. */
    protected abstract URI nowhere();

    /**
     * Starts a job of at least two vertices with parallelism 1 and maximum parallelism 4, under the
     * adaptive scheduler, with free slots for parallelism 2; returns its id.
     */
    protected abstract String startJob();

    /** Sees to it that the job completes a checkpoint soon. */
    protected abstract void completeACheckpoint(String jobId);

    /** A folder for savepoints. */
    protected abstract String savepoints();

    @Test
    void namesItsVersion() {
        await().untilAsserted(
                        () ->
                                assertThat(rest().config(at()).answer())
                                        .hasValueSatisfying(
                                                config ->
                                                        assertThat(config.flinkVersion())
                                                                .startsWith("1.20.")));
    }

    @Test
    void listsARunningJobWithItsTasks() {
        String jobId = startedJob();

        JobOverview job = overview(jobId);

        assertThat(job.state()).isEqualTo("RUNNING");
        assertThat(job.tasks().allUp()).isTrue();
        assertThat(job.endTime()).isEmpty();
    }

    @Test
    void countsRestartsAndCheckpointsOfARunningJob() {
        String jobId = startedJob();
        List<String> names = List.of("numRestarts", "numberOfCompletedCheckpoints", "no-such");

        await().atMost(Duration.ofSeconds(40))
                .untilAsserted(
                        () ->
                                assertThat(rest().metrics(at(), jobId, names).answer())
                                        .hasValueSatisfying(
                                                metrics ->
                                                        assertThat(metrics)
                                                                .containsOnlyKeys(
                                                                        "numRestarts",
                                                                        "numberOfCompletedCheckpoints")
                                                                .containsEntry(
                                                                        "numRestarts", 0.0)));
    }

    @Test
    void describesEachVertexOfAJob() {
        String jobId = startedJob();

        JobDetails job = rest().job(at(), jobId).answer().orElseThrow();

        assertThat(job.id()).isEqualTo(jobId);
        assertThat(job.state()).isEqualTo("RUNNING");
        assertThat(job.vertices())
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(
                        vertex -> {
                            assertThat(vertex.parallelism()).isEqualTo(1);
                            assertThat(vertex.maxParallelism()).isEqualTo(4);
                            assertThat(vertex.name()).isNotBlank();
                        });
    }

    @Test
    void tellsWhatItsJobManagerWasConfiguredWith() {
        var configuration = rest().jobConfiguration(at(), startedJob()).answer().orElseThrow();

        assertThat(configuration.get("jobmanager.scheduler")).isEqualToIgnoringCase("adaptive");
    }

    @Test
    void tellsNoExceptionOfAJobThatRunsWell() {
        assertThat(rest().exceptions(at(), startedJob())).isEqualTo(new Reply.Ok<>(List.of()));
    }

    @Test
    void knowsNoJobItWasNotGiven() {
        var bounds = Map.of(UNKNOWN, new ParallelismBounds(1, 1));

        assertThat(rest().job(at(), UNKNOWN)).isInstanceOf(Reply.JobUnknown.class);
        assertThat(rest().exceptions(at(), UNKNOWN)).isInstanceOf(Reply.JobUnknown.class);
        assertThat(rest().resourceRequirements(at(), UNKNOWN)).isInstanceOf(Reply.JobUnknown.class);
        assertThat(rest().changeResourceRequirements(at(), UNKNOWN, bounds))
                .isInstanceOf(Reply.JobUnknown.class);
        assertThat(rest().cancel(at(), UNKNOWN)).isInstanceOf(Reply.JobUnknown.class);
        assertThat(rest().checkpoints(at(), UNKNOWN)).isInstanceOf(Reply.JobUnknown.class);
        assertThat(rest().result(at(), UNKNOWN)).isInstanceOf(Reply.JobUnknown.class);
    }

    @Test
    void startsWithBoundsUpToTheConfiguredParallelism() {
        String jobId = startedJob();

        var bounds = rest().resourceRequirements(at(), jobId).answer().orElseThrow();

        assertThat(bounds)
                .isEqualTo(boundsOfAll(jobId, new ParallelismBounds(1, 1)))
                .hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void rescalesToNewBounds() {
        String jobId = startedJob();
        var wanted = boundsOfAll(jobId, new ParallelismBounds(1, 2));

        Reply<Accepted> reply = rest().changeResourceRequirements(at(), jobId, wanted);

        assertThat(reply).isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));
        assertThat(rest().resourceRequirements(at(), jobId)).isEqualTo(new Reply.Ok<>(wanted));
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () ->
                                assertThat(vertices(jobId))
                                        .allSatisfy(v -> assertThat(v.parallelism()).isEqualTo(2)));
    }

    @Test
    void refusesBoundsThatLeaveAVertexOut() {
        String jobId = startedJob();
        var partial = Map.of(vertices(jobId).getFirst().id(), new ParallelismBounds(1, 2));

        assertThat(rest().changeResourceRequirements(at(), jobId, partial))
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(400));
    }

    @Test
    void refusesBoundsAboveTheMaximumParallelism() {
        String jobId = startedJob();
        var tooMany = boundsOfAll(jobId, new ParallelismBounds(1, 5));

        assertThat(rest().changeResourceRequirements(at(), jobId, tooMany))
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(400));
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
        assertThat(rest().result(at(), jobId))
                .isEqualTo(
                        new Reply.Ok<>(new JobResult(Optional.of("CANCELED"), Optional.empty())));
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
        Map.of(
                        TRIGGER,
                        CheckpointRequest.Type.FULL,
                        OTHER_TRIGGER,
                        CheckpointRequest.Type.CONFIGURED)
                .forEach(
                        (trigger, type) -> {
                            var request = new CheckpointRequest(trigger, type);
                            assertThat(rest().triggerCheckpoint(at(), jobId, request))
                                    .isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));
                            await().atMost(Duration.ofSeconds(30))
                                    .untilAsserted(
                                            () ->
                                                    assertThat(checkpoint(jobId, trigger))
                                                            .isInstanceOf(
                                                                    CheckpointStatus.Completed
                                                                            .class));
                        });
    }

    @Test
    void knowsNoCheckpointItWasNotAskedForAndNoneOfAJobItDoesNotKnow() {
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
    void countsItsTaskManagers() {
        startedJob();

        assertThat(rest().taskManagers(at())).isEqualTo(new Reply.Ok<>(1));
    }

    @Test
    void saysWhenTheTasksOfAJobLastChanged() {
        JobOverview job = overview(startedJob());

        assertThat(job.lastChange()).isAfterOrEqualTo(job.startTime());
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

    @Test
    void hasNoResultOfAJobThatRuns() {
        assertThat(rest().result(at(), startedJob()))
                .isEqualTo(new Reply.Ok<>(new JobResult(Optional.empty(), Optional.empty())));
    }

    @Test
    void isUnreachableWhereNobodyAnswers() {
        assertThat(rest().config(nowhere())).isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().jobs(nowhere())).isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().job(nowhere(), UNKNOWN)).isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().cancel(nowhere(), UNKNOWN)).isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().stop(nowhere(), UNKNOWN, stop(TRIGGER)))
                .isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().savepoint(nowhere(), UNKNOWN, TRIGGER))
                .isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().checkpoints(nowhere(), UNKNOWN)).isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().result(nowhere(), UNKNOWN)).isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().checkpoint(nowhere(), UNKNOWN, TRIGGER))
                .isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().disposeSavepoint(nowhere(), "file:/x"))
                .isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().disposal(nowhere(), TRIGGER)).isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().taskManagers(nowhere())).isInstanceOf(Reply.Unreachable.class);
    }

    private StopRequest stop(String triggerId) {
        return new StopRequest(
                triggerId, Optional.of(savepoints()), StopRequest.SavepointFormat.CANONICAL, false);
    }

    private SavepointStatus savepoint(String jobId) {
        return rest().savepoint(at(), jobId, TRIGGER).answer().orElseThrow();
    }

    private Checkpoints checkpoints(String jobId) {
        return rest().checkpoints(at(), jobId).answer().orElseThrow();
    }

    private String startedJob() {
        String jobId = startJob();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(overview(jobId).tasks().allUp()).isTrue());
        return jobId;
    }

    private JobOverview overview(String jobId) {
        return rest().jobs(at()).answer().stream()
                .flatMap(List::stream)
                .filter(job -> job.id().equals(jobId))
                .findFirst()
                .orElseThrow(() -> new AssertionError("job " + jobId + " is not listed"));
    }

    private List<JobVertex> vertices(String jobId) {
        return rest().job(at(), jobId).answer().orElseThrow().vertices();
    }

    private Map<String, ParallelismBounds> boundsOfAll(String jobId, ParallelismBounds bounds) {
        return vertices(jobId).stream().collect(Collectors.toMap(JobVertex::id, _ -> bounds));
    }
}
