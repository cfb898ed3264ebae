// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.autoscaler.flink.FlinkReplies;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.Dashboard;
import io.sluice.testkit.Prometheus;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every query of the dashboard gives series from a real Prometheus that scrapes the autoscaler,
 * while one job is scaled and another held. {@code local/prometheus} has one.
 */
@EnabledIfEnvironmentVariable(named = Prometheus.BINARY, matches = ".+")
class DashboardsIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    @TempDir private Path folder;

    @Test
    void everyPanelShowsSomething() throws Exception {
        String namespace = API.newNamespace();
        var board = Dashboard.read("autoscaler");
        try (var flink = new FlinkReplies();
                var service = ServiceIT.start(API, namespace, flink);
                var prometheus =
                        Prometheus.start(
                                folder, service.httpPort(), Dashboard.alerts("autoscaler"))) {
            flink.load(1000, 990);
            ScaledJob.create(API, namespace, "orders", ScaledJob.spec(true), "STABLE");
            ScaledJob.create(API, namespace, "returns", ScaledJob.spec("recommend"), "STABLE");

            await().atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(prometheus.unanswered(board)).isEmpty());
        }
    }
}
