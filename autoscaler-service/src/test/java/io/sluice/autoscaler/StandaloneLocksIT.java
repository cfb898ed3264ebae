// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.autoscaler.flink.FlinkReplies;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of their own before the replies of one JobManager, without Kubernetes. */
class StandaloneLocksIT {
    private static final String JOB = "orders-by-hour-2957956b";
    private static final String WAITS = "this process waits until that one ends";

    @TempDir Path folder;
    private final HttpClient http = HttpClient.newHttpClient();
    private final FlinkReplies flink = new FlinkReplies();
    private final List<AutoscalerProcess> autoscalers = new ArrayList<>();

    @BeforeEach
    void prepare() {
        flink.load(1000, 990);
        flink.configuredWith(
                Map.of("jobmanager.scheduler", "adaptive", "job.autoscaler.enabled", "true"));
    }

    @AfterEach
    void stop() {
        autoscalers.forEach(each -> each.process().destroyForcibly());
        flink.close();
        http.close();
    }

    @Test
    void theSecondWaitsAndTakesOverWhenTheFirstIsKilled() throws Exception {
        AutoscalerProcess first = start("first", "shop=" + flink.at());
        await().atMost(Duration.ofMinutes(1))
                .until(() -> first.get(http, "/explain").contains(JOB));

        AutoscalerProcess second = start("second", "shop=" + flink.at());
        await().atMost(Duration.ofMinutes(1))
                .until(
                        () -> second.get(http, "/metrics"),
                        text ->
                                text.contains(
                                        "sluice_autoscaler_cluster_up{cluster=\"shop\",} 1.0"));

        assertThat(second.get(http, "/metrics"))
                .contains("sluice_autoscaler_cluster_held{cluster=\"shop\",} 0.0");
        assertThat(second.get(http, "/explain")).isEqualTo("[]");
        assertThat(second.get(http, "/explain/shop/" + JOB))
                .contains("process " + first.process().pid() + " on ")
                .contains("scales the jobs of shop");
        assertThat(second.get(http, "/readyz")).isEqualTo("ok\n");
        assertThat(Files.readString(second.log())).containsOnlyOnce(WAITS);

        first.process().destroyForcibly().waitFor();

        await().pollInterval(Duration.ofMillis(200))
                .atMost(Duration.ofSeconds(10))
                .until(() -> second.get(http, "/explain").contains(JOB));
        assertThat(second.get(http, "/metrics"))
                .contains("sluice_autoscaler_cluster_held{cluster=\"shop\",} 1.0");
    }

    @Test
    void theSecondTakesOverWhenTheFirstIsAskedToEnd() throws Exception {
        AutoscalerProcess first = start("first", "shop=" + flink.at());
        await().atMost(Duration.ofMinutes(1))
                .until(() -> first.get(http, "/explain").contains(JOB));
        AutoscalerProcess second = start("second", "shop=" + flink.at());
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Files.readString(second.log()).contains(WAITS));

        first.process().destroy();

        await().pollInterval(Duration.ofMillis(200))
                .atMost(Duration.ofSeconds(15))
                .until(() -> second.get(http, "/explain").contains(JOB));
    }

    @Test
    void aProcessThatKnowsTheClusterByTwoNamesKeepsItsLock() throws Exception {
        AutoscalerProcess first = start("first", "shop=" + flink.at() + ",store=" + flink.at());
        await().atMost(Duration.ofMinutes(1))
                .until(() -> first.get(http, "/explain").contains(JOB));
        assertThat(first.get(http, "/explain")).containsOnlyOnce(JOB);

        AutoscalerProcess second = start("second", "shop=" + flink.at());

        await().atMost(Duration.ofMinutes(1))
                .until(() -> Files.readString(second.log()).contains(WAITS));
    }

    @Test
    void endsWithExitCode2IfTheFolderCanNotBeUsed() throws Exception {
        Files.writeString(folder.resolve("locks"), "");

        AutoscalerProcess only = start("only", "shop=" + flink.at());

        assertThat(only.process().waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(only.process().exitValue()).isEqualTo(2);
        assertThat(Files.readString(only.log()))
                .contains(
                        "sluice-autoscaler: SLUICE_LOCK_DIR: '"
                                + folder.resolve("locks")
                                + "' can't be used");
    }

    private AutoscalerProcess start(String name, String clusters) throws IOException {
        AutoscalerProcess started =
                AutoscalerProcess.start(
                        folder.resolve(name + ".log"),
                        Map.of("SLUICE_LOCK_DIR", folder.resolve("locks").toString()),
                        "--standalone",
                        "--autoscaler.standalone.fetcher.flink-clusters",
                        clusters,
                        "--autoscaler.standalone.control-loop.interval",
                        "500 ms");
        autoscalers.add(started);
        return started;
    }
}
