// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static io.sluice.operator.decide.SessionSnapshots.aReadySessionCluster;
import static io.sluice.operator.decide.Snapshots.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobLog;
import io.sluice.api.status.JobState;
import io.sluice.api.status.JobStatus;
import io.sluice.api.status.StateLog;
import io.sluice.api.status.StateTrigger;
import io.sluice.api.status.TriggerType;
import io.sluice.flink.rest.CheckpointInProgress;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.JobException;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.flink.rest.request.CheckpointRequest;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.RunView;
import io.sluice.operator.model.RunView.ClusterFacts;
import io.sluice.operator.model.StateView;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.StateView.StopView;
import io.sluice.operator.model.Target.Jobs;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunReaderTest {
    private static final URI AT = URI.create("http://orders-rest.shop:8081");
    private static final String JOB = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    private static final String TRIGGER = "11111111111111111111111111111111";

    private final FakeJobManager rest = new FakeJobManager();
    private final FakeCluster flink = rest.start(AT);
    private final ObservationMemory memory = new ObservationMemory();

    @Test
    void asksNothingMoreOfAJobThatRunsOnAsItWas() {
        flink.run(JOB, "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
        look();
        int before = flink.calls();

        var run = read(running(JobLog.EMPTY), NOW.plusSeconds(60));

        assertThat(flink.calls() - before).as("the list of jobs, and nothing else").isEqualTo(1);
        assertThat(run.exceptions()).isEmpty();
    }

    @Test
    void readsAgainWhatIsNotOnRecord() {
        flink.run(JOB, "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));

        assertThat(read(running(JobLog.EMPTY), NOW).exceptions()).isPresent();
        assertThat(read(running(JobLog.EMPTY), NOW).exceptions()).isPresent();
    }

    @Test
    void readsExceptionsAgainOnceTasksHaveChanged() {
        var job = flink.run(JOB, "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
        look();
        job.throwsAn(new JobException("E", "E", NOW, Optional.empty()));

        assertThat(read(running(JobLog.EMPTY), NOW).exceptions())
                .hasValueSatisfying(found -> assertThat(found).hasSize(1));
    }

    @Test
    void looksAgainAfterAWhile() {
        flink.run(JOB, "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
        look();

        var later = read(running(JobLog.EMPTY), NOW.plus(Duration.ofMinutes(10)));

        assertThat(later.exceptions()).isPresent();
        assertThat(later.cluster().taskManagers()).contains(1);
    }

    @Test
    void readsTheVersionWhenTheJobHasJustComeUp() {
        flink.run(JOB, "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
        JobStatus starting = running(JobLog.EMPTY).withState(JobState.CREATED, NOW);

        assertThat(read(starting, NOW).cluster().config()).isPresent();
    }

    @Test
    void readsWhatASessionClusterConsistsOfWhenItIsReadyAndWhenItsJobsHaveChanged() {
        flink.run(JOB, "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
        var status = aReadySessionCluster().observed().status();
        var described =
                aReadySessionCluster().withCluster(clusterFacts()).decided().observed().status();

        assertThat(facts(FlinkDeploymentStatus.NEW, NOW))
                .as("just ready")
                .isEqualTo(clusterFacts());
        assertThat(facts(status, NOW)).as("not on record").isEqualTo(clusterFacts());
        assertThat(facts(described, NOW)).as("jobs have changed").isEqualTo(clusterFacts());
        look();
        int before = flink.calls();
        assertThat(facts(described, NOW.plusSeconds(60))).isEqualTo(ClusterFacts.NONE);
        assertThat(flink.calls() - before).as("the list of jobs, and nothing else").isEqualTo(1);
        assertThat(facts(described, NOW.plus(Duration.ofMinutes(10)))).isEqualTo(clusterFacts());
    }

    @Test
    void asksForWhatIsUnderWay() {
        flink.run(JOB, "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
        var trigger =
                new StateTrigger(
                        Optional.of(TRIGGER),
                        NOW,
                        TriggerType.MANUAL,
                        "FULL",
                        Optional.of(1L),
                        1,
                        NOW);
        var status =
                running(
                        JobLog.EMPTY.withCheckpoints(
                                StateLog.EMPTY.withTrigger(Optional.of(trigger))));

        assertThat(read(status, NOW).checkpoint()).isEqualTo(new AsyncResult.Unknown());
        rest.triggerCheckpoint(
                AT, JOB, new CheckpointRequest(TRIGGER, CheckpointRequest.Type.FULL));
        assertThat(read(status, NOW).checkpoint())
                .isEqualTo(new AsyncResult.Done(Optional.empty()));
        flink.goSilent();
        assertThat(read(status, NOW).checkpoint()).isInstanceOf(AsyncResult.Silent.class);
    }

    @Test
    void tellsHowManySubtasksHaveAcknowledgedWhileASavepointIsInProgress() {
        var job = flink.run(JOB, "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
        job.savesSlowly();
        job.makes(new CheckpointInProgress(true, NOW, 16, 12));
        var asked = asked();
        look();
        read(running(JobLog.EMPTY), NOW);
        assertThat(memory.savepoints().acknowledgedRatio("uid")).as("none was asked for").isEmpty();
        rest.triggerSavepoint(
                AT,
                JOB,
                new SavepointRequest(
                        TRIGGER, Optional.empty(), StopRequest.SavepointFormat.CANONICAL));
        int before = flink.calls();

        assertThat(read(asked, NOW).savepoint()).isInstanceOf(AsyncResult.Pending.class);

        assertThat(memory.savepoints().acknowledgedRatio("uid")).contains(0.75);
        assertThat(flink.calls() - before)
                .as("the list of jobs, the savepoint and the statistics")
                .isEqualTo(3);
        job.finishSavepoint();
        read(asked, NOW);
        assertThat(memory.savepoints().acknowledgedRatio("uid")).as("it is complete").isEmpty();
    }

    @Test
    void asksForStatisticsOnceAtOneLook() {
        var job = flink.run(JOB, "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
        job.completesCheckpoint("s3://c/chk-1");
        job.makes(new CheckpointInProgress(true, NOW, 4, 1));
        JobStatus status = started(job().overview().startTime());
        var stop = new StopView.Known(new SavepointStatus.InProgress());
        int before = flink.calls();
        read(status, NOW);
        int usual = flink.calls() - before;
        var stopping = StateView.NONE.withStop(stop);
        before = flink.calls();

        read(status, NOW, stopping);

        assertThat(flink.calls() - before).as("a close look reads them anyway").isEqualTo(usual);
        assertThat(memory.savepoints().acknowledgedRatio("uid")).contains(0.25);
        var told = rest.checkpoints(AT, JOB).answer().orElseThrow();
        look();
        before = flink.calls();
        read(status, NOW, stopping.withLast(new LastCheckpoints.Known(told)));
        assertThat(flink.calls() - before).as("the list of jobs, and nothing else").isEqualTo(1);
        reading(NOW).unasked(NOW, status, stopping);
        assertThat(memory.savepoints().acknowledgedRatio("uid")).contains(0.25);
        reading(NOW).unasked(NOW, status, StateView.NONE);
        assertThat(memory.savepoints().acknowledgedRatio("uid")).isEmpty();
    }

    @Test
    void forgetsHowFarASavepointIsWhenNobodyAnswersOrNothingIsLeft() {
        var job = flink.run(JOB, "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
        job.makes(new CheckpointInProgress(true, NOW, 4, 1));
        var stopping =
                StateView.NONE.withStop(new StopView.Known(new SavepointStatus.InProgress()));
        JobStatus status = running(JobLog.EMPTY);

        reading(NOW).unasked(NOW, status, stopping);
        memory.forget("uid");
        assertThat(memory.savepoints().acknowledgedRatio("uid")).isEmpty();
        reading(NOW).unasked(NOW, status, stopping);
        flink.goSilent();
        reading(NOW).unasked(NOW, status, stopping);
        assertThat(memory.savepoints().acknowledgedRatio("uid")).isEmpty();
    }

    @Test
    void remembersTheLastCheckpointThatACloseLookSaw() {
        var job = flink.run(JOB, "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
        job.completesCheckpoint("s3://c/chk-1");
        JobStatus status = started(job().overview().startTime());

        assertThat(checkpoint(read(status, NOW))).contains("s3://c/chk-1");
        look();
        job.completesCheckpoint("s3://c/chk-2");
        assertThat(checkpoint(read(status, NOW.plusSeconds(60))))
                .as("not looked at closely")
                .contains("s3://c/chk-1");
        assertThat(checkpoint(read(status, NOW.plus(Duration.ofMinutes(10)))))
                .contains("s3://c/chk-2");
        flink.goSilent();
        assertThat(checkpoint(reading(NOW).unasked(NOW, status, StateView.NONE)))
                .contains("s3://c/chk-2");
        assertThat(checkpoint(read(status, NOW))).contains("s3://c/chk-2");
    }

    @Test
    void knowsNoCheckpointOfAnotherJobOrRun() {
        var job = flink.run(JOB, "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
        job.completesCheckpoint("s3://c/chk-1");

        assertThat(checkpoint(read(started(NOW.minusSeconds(5)), NOW))).isEmpty();
        read(started(job().overview().startTime()), NOW);
        assertThat(memory.checkpoint("uid", "b".repeat(32))).isEmpty();
        memory.forget("uid");
        assertThat(memory.checkpoint("uid", JOB)).isEmpty();
    }

    private static Optional<String> checkpoint(RunView run) {
        return run.lastCheckpoint().map(CheckpointRef::path);
    }

    private JobView.Seen job() {
        return (JobView.Seen) JobReader.job(rest, AT, JOB);
    }

    private static JobStatus started(Instant at) {
        return running(JobLog.EMPTY).withStartTime(Optional.of(at));
    }

    private RunReader reading(Instant now) {
        return new RunReader(rest, AT, "uid", memory, now);
    }

    /**
     * As a reconciliation does that has stored all that follows from what is read at the first
     * look.
     */
    private void look() {
        JobView.Seen job = (JobView.Seen) JobReader.job(rest, AT, JOB);
        memory.looked("uid", job.overview().lastChange(), NOW);
    }

    private RunView read(JobStatus status, Instant now) {
        return read(status, now, StateView.NONE);
    }

    private RunView read(JobStatus status, Instant now, StateView state) {
        JobView job = JobReader.job(rest, AT, JOB);
        return reading(now).of(NOW, status, job, true, state);
    }

    /** A status that has a savepoint on record which was asked for. */
    private static JobStatus asked() {
        var trigger =
                new StateTrigger(
                        Optional.of(TRIGGER),
                        NOW,
                        TriggerType.MANUAL,
                        "CANONICAL",
                        Optional.of(1L),
                        1,
                        NOW);
        return running(
                JobLog.EMPTY.withSavepoints(StateLog.EMPTY.withTrigger(Optional.of(trigger))));
    }

    private ClusterFacts facts(FlinkDeploymentStatus status, Instant now) {
        return new RunReader(rest, AT, "uid", memory, now)
                .of(NOW, status, (Jobs.Listed) JobReader.jobs(rest, AT))
                .cluster();
    }

    private ClusterFacts clusterFacts() {
        return new ClusterFacts(rest.config(AT).answer(), Optional.of(1));
    }

    private static JobStatus running(JobLog log) {
        return new JobStatus(
                Optional.of("orders"),
                Optional.of(JOB),
                Optional.of(JobState.RUNNING),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                log);
    }
}
