// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.flink.rest.request.CheckpointRequest;
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
public abstract class JobManagerRestTck extends JobStateTck {
    /** An address at which nobody answers. */
    protected abstract URI nowhere();

    /** As {@link #rest}, of whose jobs no more than so many vertices are read. */
    protected abstract JobManagerRest readingVertices(int most);

    /**
     * Starts a job of at least two vertices with parallelism 1 and maximum parallelism 4, under the
     * adaptive scheduler, with free slots for parallelism 2; returns its id.
     */
    @Override
    protected abstract String startJob();

    /** As {@link #startJob}, of a job whose checkpoints Flink deletes when it is cancelled. */
    protected abstract String startJobThatRetainsNothing();

    private static final String IN = "currentInputWatermark";
    private static final String OUT = "Source__[a-z]+\\.currentOutputWatermark";

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

    /** Records without a time have the lowest watermark that there is. */
    @Test
    void summarizesWhatTheSubtasksOfEachVertexMeasure() {
        String jobId = startedJob();
        List<PlanNode> plan = rest().plan(at(), jobId).answer().orElseThrow();
        assertThat(plan).extracting(PlanNode::isSource).containsExactly(true, false);
        String source = plan.getFirst().id();
        String other = plan.getLast().id();

        await().atMost(Duration.ofSeconds(40))
                .untilAsserted(
                        () -> {
                            assertThat(rest().subtaskMetricNames(at(), jobId, source).answer())
                                    .hasValueSatisfying(
                                            names ->
                                                    assertThat(names)
                                                            .anyMatch(name -> name.matches(OUT))
                                                            .doesNotContain(IN));
                            assertThat(
                                            rest().subtaskMetrics(at(), jobId, other, List.of(IN))
                                                    .answer())
                                    .contains(
                                            Map.of(
                                                    IN,
                                                    new MetricSummary(
                                                            Long.MIN_VALUE,
                                                            Long.MIN_VALUE,
                                                            Long.MIN_VALUE)));
                        });
        assertThat(rest().subtaskMetrics(at(), jobId, other, List.of(IN, "no-such")).answer())
                .as("of which one is not known")
                .contains(Map.of());
        assertThat(rest().plan(at(), "0123456789abcdef0123456789abcdef"))
                .isEqualTo(new Reply.JobUnknown<>());
    }

    @Test
    void readsNothingOfAnAnswerThatIsTooLargeAndIsAskedOtherThings() {
        String jobId = startedJob();
        JobManagerRest limited = readingVertices(1);

        assertThat(limited.job(at(), jobId))
                .isInstanceOfSatisfying(
                        Reply.TooLarge.class,
                        tooLarge -> assertThat(tooLarge.limit()).isEqualTo(AnswerLimit.VERTICES));
        assertThat(limited.jobs(at())).isInstanceOf(Reply.Ok.class);
        assertThat(limited.cancel(at(), jobId)).isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));
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
    void knowsNoJobItWasNotGiven() {
        var bounds = Map.of(UNKNOWN, new ParallelismBounds(1, 1));

        assertThat(rest().job(at(), UNKNOWN)).isInstanceOf(Reply.JobUnknown.class);
        assertThat(rest().exceptions(at(), UNKNOWN)).isInstanceOf(Reply.JobUnknown.class);
        assertThat(rest().resourceRequirements(at(), UNKNOWN)).isInstanceOf(Reply.JobUnknown.class);
        assertThat(rest().changeResourceRequirements(at(), UNKNOWN, bounds))
                .isInstanceOf(Reply.JobUnknown.class);
        assertThat(rest().cancel(at(), UNKNOWN)).isInstanceOf(Reply.JobUnknown.class);
        assertThat(rest().checkpoints(at(), UNKNOWN)).isInstanceOf(Reply.JobUnknown.class);
        assertThat(rest().checkpointRetention(at(), UNKNOWN)).isInstanceOf(Reply.JobUnknown.class);
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
    void tellsWhetherACancellationLeavesTheCheckpoints() {
        assertThat(rest().checkpointRetention(at(), startedJob()))
                .isEqualTo(new Reply.Ok<>(CheckpointRetention.RETAINED));
    }

    @Test
    void tellsWhetherACancellationDeletesTheCheckpoints() {
        String jobId = startJobThatRetainsNothing();

        await().untilAsserted(
                        () ->
                                assertThat(rest().checkpointRetention(at(), jobId))
                                        .isEqualTo(new Reply.Ok<>(CheckpointRetention.DELETED)));
    }

    @Test
    void deletesTheCheckpointsOfACancelledJobThatRetainsNothing() {
        String jobId = startJobThatRetainsNothing();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(overview(jobId).tasks().allUp()).isTrue());
        completeACheckpoint(jobId);
        await().atMost(Duration.ofSeconds(30)).until(() -> completed(jobId).isPresent());

        rest().cancel(at(), jobId);

        await().atMost(Duration.ofSeconds(30))
                .until(() -> completed(jobId).filter(CheckpointRef::discarded).isPresent());
    }

    private Optional<CheckpointRef> completed(String jobId) {
        return rest().checkpoints(at(), jobId).answer().flatMap(Checkpoints::completed);
    }

    @Test
    void countsItsTaskManagers() {
        startedJob();

        assertThat(rest().taskManagers(at())).isEqualTo(new Reply.Ok<>(1));
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
        assertThat(rest().checkpointRetention(nowhere(), UNKNOWN))
                .isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().result(nowhere(), UNKNOWN)).isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().checkpoint(nowhere(), UNKNOWN, TRIGGER))
                .isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().disposeSavepoint(nowhere(), "file:/x"))
                .isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().disposal(nowhere(), TRIGGER)).isInstanceOf(Reply.Unreachable.class);
        assertThat(rest().taskManagers(nowhere())).isInstanceOf(Reply.Unreachable.class);
    }

    private List<JobVertex> vertices(String jobId) {
        return rest().job(at(), jobId).answer().orElseThrow().vertices();
    }

    private Map<String, ParallelismBounds> boundsOfAll(String jobId, ParallelismBounds bounds) {
        return vertices(jobId).stream().collect(Collectors.toMap(JobVertex::id, _ -> bounds));
    }

    /** Only of those that it still lists: a job of the suite may make new ones all the time. */
    @Test
    void knowsTheDetailsOfTheLastCheckpoint() {
        String jobId = startedJob();
        completeCheckpoint(jobId, TRIGGER, CheckpointRequest.Type.CONFIGURED);

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> {
                            Optional<CheckpointRef> last = checkpoints(jobId).completed();
                            assertThat(last).isPresent();
                            assertThat(details(jobId, last.orElseThrow().id()))
                                    .map(CheckpointRef::id)
                                    .isEqualTo(last.map(CheckpointRef::id));
                        });
    }

    @Test
    void knowsNoCheckpointOfAJobItDoesNotKnow() {
        assertThat(rest().checkpointDetails(at(), UNKNOWN, 7).answer()).isEmpty();
    }

    @Test
    void hasNoResultOfAJobThatRuns() {
        assertThat(rest().result(at(), startedJob()))
                .isEqualTo(new Reply.Ok<>(new JobResult(Optional.empty(), Optional.empty())));
    }

    @Test
    void hasTheResultOfACancelledJob() {
        String jobId = startedJob();

        rest().cancel(at(), jobId);

        await().untilAsserted(
                        () ->
                                assertThat(rest().result(at(), jobId))
                                        .isEqualTo(
                                                new Reply.Ok<>(
                                                        new JobResult(
                                                                Optional.of("CANCELED"),
                                                                Optional.empty()))));
    }

    private Optional<CheckpointRef> details(String jobId, long checkpointId) {
        return rest().checkpointDetails(at(), jobId, checkpointId).answer();
    }
}
