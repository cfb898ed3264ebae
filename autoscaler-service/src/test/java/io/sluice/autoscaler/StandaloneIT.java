// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.StandaloneOptions;
import io.sluice.autoscaler.cycle.JobCycle;
import io.sluice.autoscaler.flink.FlinkReplies;
import io.sluice.process.LiveConfiguration;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The whole process before the replies of a real JobManager and one that does not answer. */
class StandaloneIT {
    private static final String JOB = "/shop/orders-by-hour-2957956b";

    private static final Pattern METRIC = Pattern.compile("\\b(sluice|jvm|process)_[a-z_]+");

    @TempDir Path locks;
    private final HttpClient http = HttpClient.newHttpClient();
    private final FlinkReplies flink = new FlinkReplies();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private Service service;

    @BeforeEach
    void start() {
        log.start();
        ((Logger) LoggerFactory.getLogger(JobCycle.class)).addAppender(log);
        flink.configuredWith(
                Map.of("jobmanager.scheduler", "adaptive", "job.autoscaler.enabled", "true"));
        Map<String, String> options = new HashMap<>();
        options.put(
                "autoscaler.standalone.fetcher.flink-clusters",
                "shop=" + flink.at() + ",bank=http://localhost:1");
        options.put("autoscaler.standalone.control-loop.interval", "500 ms");
        options.put("job.autoscaler.metrics.window", "2 s");
        options.put("job.autoscaler.stabilization.interval", "0 s");
        options.put("job.autoscaler.catch-up.duration", "0 s");
        options.put("job.autoscaler.utilization.max", "0.8");
        service =
                Service.standalone(
                        Settings.from(
                                Map.of(
                                        "SLUICE_HTTP_PORT",
                                        "0",
                                        "SLUICE_LOCK_DIR",
                                        locks.toString())),
                        LiveConfiguration.start(Optional.empty(), _ -> {}, _ -> {}),
                        StandaloneOptions.of(new FlinkConfiguration(options)),
                        InstantSource.system());
    }

    @AfterEach
    void stop() {
        ((Logger) LoggerFactory.getLogger(JobCycle.class)).detachAppender(log);
        service.close();
        flink.close();
    }

    @Test
    void asksTheJobManagerItselfForMoreAndExplainsIt() {
        flink.load(1000, 990);

        soon(
                () ->
                        assertThat(flink.requirements().at(upper(FlinkReplies.WORK)).asInt())
                                .isEqualTo(2));
        assertThat(flink.requirements().at(upper(FlinkReplies.LOAD)).asInt()).isEqualTo(1);
        assertThat(get("/explain" + JOB)).contains("\"kind\":\"Job\"", "work");
        assertThat(get("/metrics"))
                .contains("sluice_autoscaler_scalings_total{namespace=\"shop\"")
                .contains("sluice_autoscaler_cluster_up{cluster=\"bank\",} 0.0")
                .contains("sluice_autoscaler_cluster_held{cluster=\"shop\",} 1.0");
        assertThat(get("/readyz")).isEqualTo("ok\n");
    }

    @Test
    void saysOnceAndInOneLineThatMetricsAreMissing() {
        flink.hideBusyTime();

        soon(() -> assertThat(get("/explain" + JOB)).contains("\"errors\":3"));

        List<ILoggingEvent> warnings =
                List.copyOf(log.list).stream()
                        .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                        .toList();
        assertThat(warnings)
                .singleElement()
                .satisfies(
                        line -> {
                            assertThat(line.getFormattedMessage()).containsIgnoringCase("busy");
                            assertThat(line.getThrowableProxy()).isNull();
                        });
    }

    @Test
    void exportsWhateverTheDashboardAndTheAlertsAskFor() throws IOException {
        flink.load(1000, 990);
        soon(() -> assertThat(get("/explain" + JOB)).contains("\"scalings\":1"));

        Set<String> exported = exported(get("/metrics"));

        for (String file : List.of("dashboards/autoscaler.json", "alerts/autoscaler.yaml")) {
            String text = Files.readString(Path.of("../helm/sluice", file));
            assertThat(METRIC.matcher(text).results().map(MatchResult::group))
                    .as(file)
                    .hasSizeGreaterThan(4)
                    .allSatisfy(name -> assertThat(exported).contains(name));
        }
    }

    /** By {@code # TYPE} lines: a family without a sample yet is one, too. */
    private static Set<String> exported(String metrics) {
        Set<String> names = new HashSet<>();
        metrics.lines()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" ", -1))
                .forEach(
                        words -> {
                            names.add(words[2]);
                            if (words[3].equals("histogram")) {
                                for (String end : List.of("_bucket", "_count", "_sum")) {
                                    names.add(words[2] + end);
                                }
                            }
                        });
        return names;
    }

    private static String upper(String vertex) {
        return "/" + vertex + "/parallelism/upperBound";
    }

    private String get(String path) {
        URI uri = URI.create("http://localhost:" + service.httpPort() + path);
        try {
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }
}
