// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.fake;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.JobManagerRestTck;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.Reply;
import java.net.URI;
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

    @Test
    void fallsSilentAndAnswersAgain() {
        cluster.goSilent();
        assertThat(rest.jobs(AT)).isInstanceOf(Reply.Unreachable.class);

        cluster.answer();
        assertThat(rest.jobs(AT)).isInstanceOf(Reply.Ok.class);
    }
}
