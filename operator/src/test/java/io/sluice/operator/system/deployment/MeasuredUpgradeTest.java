// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.deployment;

import static io.sluice.operator.system.deployment.OperatedDeployment.stateful;
import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.TestCluster;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job that is down for an upgrade, while one process of the operator follows another. */
class MeasuredUpgradeTest {
    private OperatedDeployment orders;

    TestCluster cluster() {
        return InMemoryApiServer.live();
    }

    @BeforeEach
    void start() {
        TestCluster cluster = cluster();
        orders = new OperatedDeployment(cluster.client(), cluster.newNamespace(), "orders");
    }

    @AfterEach
    void stop() {
        orders.close();
    }

    @Test
    void isMeasuredByAProcessThatDidNotStopTheJob() {
        orders.create(stateful("savepoint"));
        orders.runJob();
        String first = orders.attempt();
        orders.edit(spec -> spec.put("image", "flink:1.20-new"));
        orders.replacedBy(first);
        Instant stopped = since();

        orders.restartOperator(Duration.ofMinutes(2));
        assertThat(since()).isEqualTo(stopped);
        orders.runJob(
                job -> {
                    job.startedAt(stopped.plusSeconds(30));
                    job.tasksChangedAt(stopped.plusMillis(41_230));
                });

        var last = orders.status().path("lastUpgrade");
        assertThat(last.path("outcome").asText()).isEqualTo("upgraded");
        assertThat(last.path("upgradeMode").asText()).isEqualTo("savepoint");
        assertThat(last.path("stopRequestedTime").asText()).isEqualTo(stopped.toString());
        assertThat(last.path("downtime").asText()).isEqualTo("41.2 s");
        assertThat(orders.status().at("/attempt/interruption").isMissingNode()).isTrue();
        soon(
                () ->
                        assertThat(orders.told("Downtime"))
                                .startsWith(
                                        "The upgrade (savepoint) kept the job down for 41.2 s: ")
                                .endsWith("11.2 s until all its tasks ran"));
    }

    private Instant since() {
        return Instant.parse(orders.status().at("/attempt/interruption/since").asText());
    }
}
