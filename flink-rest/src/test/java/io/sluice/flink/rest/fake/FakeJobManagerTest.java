// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.fake;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.JobManagerRestTck;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.request.StopRequest;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FakeJobManagerTest extends JobManagerRestTck {
    private static final URI AT = URI.create("http://orders-rest.shop:8081");
    private static final String JOB = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    private final FakeJobManager rest = new FakeJobManager();
    private final FakeCluster cluster = rest.start(AT);

    @Override
    protected JobManagerRest rest() {
        return rest;
    }

    @Override
    protected JobManagerRest readingVertices(int most) {
        return rest.readingVertices(most);
    }

    @Override
    protected URI at() {
        return AT;
    }

    @Override
    protected URI nowhere() {
        return URI.create("http://gone-rest.shop:8081");
    }

    @Override
    protected String startJob() {
        cluster.run(
                JOB,
                "orders",
                new JobVertex("01", "Source: load", 1, 4, "RUNNING"),
                new JobVertex("02", "work", 1, 4, "RUNNING"));
        return JOB;
    }

    @Override
    protected String startJobThatRetainsNothing() {
        String jobId = startJob();
        cluster.job(jobId).orElseThrow().hasCheckpoints(CheckpointRetention.DELETED);
        return jobId;
    }

    @Override
    protected void completeACheckpoint(String jobId) {
        cluster.job(jobId).orElseThrow().completesCheckpoint("file:/checkpoints/chk-1");
    }

    @Override
    protected String savepoints() {
        return "file:/savepoints";
    }

    @Test
    void failsBothStopsIfASecondComesUnderAnotherName() {
        startJob();
        cluster.job(JOB).orElseThrow().holdsStops();

        rest.stop(AT, JOB, named("11111111111111111111111111111111"));
        rest.stop(AT, JOB, named("22222222222222222222222222222222"));

        for (String trigger : List.of("1", "2")) {
            assertThat(rest.savepoint(AT, JOB, trigger.repeat(32)).answer())
                    .hasValueSatisfying(
                            status ->
                                    assertThat(status).isInstanceOf(SavepointStatus.Failed.class));
        }
    }

    private static StopRequest named(String triggerId) {
        return new StopRequest(
                triggerId, Optional.empty(), StopRequest.SavepointFormat.CANONICAL, false);
    }

    @Test
    void fallsSilentAndAnswersAgain() {
        cluster.goSilent();
        assertThat(rest.jobs(AT)).isInstanceOf(Reply.Unreachable.class);

        cluster.answer();
        assertThat(rest.jobs(AT)).isInstanceOf(Reply.Ok.class);
    }
}
