// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJob;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.StateView.LastCheckpoints;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The checkpoints of a job that has ended, of which the next one may be started. */
class StateReaderTest {
    private static final URI AT = URI.create("http://orders-rest.shop:8081");
    private static final String JOB = "a".repeat(32);
    private static final Duration CACHED = Duration.ofSeconds(3);

    private final FakeJobManager rest = new FakeJobManager();
    private final FakeCluster flink = rest.start(AT);
    private final FakeJob ended = run("file:/c/chk-7");
    private final Duration late = CACHED.plusSeconds(60);

    @Test
    void tellsTheLastOneOfAJobThatHasEnded() {
        assertThat(read(late)).contains("file:/c/chk-7");
    }

    /** A JobManager that restarts without its results runs the job again, from nothing. */
    @Test
    void tellsNoCheckpointsOfARunThatBeganMeanwhile() {
        JobView.Seen before = listed();
        ended.startedAt(before.overview().startTime().plusSeconds(30));

        assertThat(read(before, late)).isEmpty();
    }

    @Test
    void tellsNoCheckpointsOfAJobThatRunsAgain() {
        JobView.Seen before = listed();
        ended.is("RUNNING");

        assertThat(read(before, late)).isEmpty();
    }

    /** Flink answers from a cache, in which the last checkpoint may not be yet. */
    @Test
    void tellsNoneWhileFlinkMayAnswerFromBeforeTheEnd() {
        assertThat(read(CACHED)).isEmpty();
    }

    @Test
    void takesNoSilenceForAnAnswer() {
        JobView.Seen before = listed();
        flink.goSilent();

        assertThat(read(before, late)).isEmpty();

        flink.answer();
        flink.refuses(Optional.of(503));

        assertThat(read(before, late)).isEmpty();
    }

    private FakeJob run(String checkpoint) {
        FakeJob job = flink.run(JOB, "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
        job.completesCheckpoint(checkpoint);
        job.is("FINISHED");
        return job;
    }

    private JobView.Seen listed() {
        return (JobView.Seen) JobReader.job(rest, AT, JOB);
    }

    private Optional<String> read(Duration sinceEnd) {
        return read(listed(), sinceEnd);
    }

    /** Empty as long as nobody can tell. */
    private Optional<String> read(JobView.Seen job, Duration sinceEnd) {
        return StateReader.last(rest, AT, job, CACHED, _ -> sinceEnd)
                        instanceof LastCheckpoints.Known(var told)
                ? told.latest().map(CheckpointRef::path)
                : Optional.empty();
    }
}
