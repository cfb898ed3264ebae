// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.JobManagerLimits;
import io.sluice.autoscaler.collect.StandaloneOptions;
import io.sluice.autoscaler.flink.BusyFlink;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.http.HttpJobManagerRest;
import io.sluice.process.LiveConfiguration;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandaloneFlinkIT {
    @TempDir Path locks;

    @Test
    void scalesTheJobOfARealFlinkInPlace() throws Exception {
        try (BusyFlink flink = new BusyFlink();
                HttpJobManagerRest rest = new HttpJobManagerRest(JobManagerLimits.DEFAULT);
                Service _ = service(flink.at())) {
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(
                            () ->
                                    assertThat(work(rest, flink.at()))
                                            .extracting(JobVertex::parallelism)
                                            .containsExactly(2));
        }
    }

    private static List<JobVertex> work(HttpJobManagerRest rest, URI at) {
        return rest.jobs(at).answer().orElse(List.of()).stream()
                .flatMap(job -> rest.job(at, job.id()).answer().stream())
                .flatMap(job -> job.vertices().stream())
                .filter(vertex -> vertex.name().startsWith("work"))
                .toList();
    }

    private Service service(URI flink) {
        return Service.standalone(
                Settings.from(Map.of("SLUICE_HTTP_PORT", "0", "SLUICE_LOCK_DIR", locks.toString())),
                LiveConfiguration.start(Optional.empty(), _ -> {}, _ -> {}),
                StandaloneOptions.of(
                        new FlinkConfiguration(
                                Map.of(
                                        "autoscaler.standalone.fetcher.flink-clusters",
                                        "busy=" + flink,
                                        "autoscaler.standalone.control-loop.interval",
                                        "1 s",
                                        "job.autoscaler.metrics.window",
                                        "5 s",
                                        "job.autoscaler.stabilization.interval",
                                        "5 s",
                                        "job.autoscaler.catch-up.duration",
                                        "0 s",
                                        "job.autoscaler.utilization.max",
                                        "0.8"))),
                InstantSource.system());
    }
}
