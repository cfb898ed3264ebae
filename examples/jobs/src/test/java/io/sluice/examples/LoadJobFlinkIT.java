// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flink's rates are those of the last minute, so that most of it is waiting. */
@Execution(ExecutionMode.CONCURRENT)
class LoadJobFlinkIT {

    @TempDir private Path savepoints;

    private LocalFlink flink;

    @BeforeEach
    void startFlink() throws Exception {
        flink = new LocalFlink();
    }

    @AfterEach
    void stopFlink() throws Exception {
        flink.stop();
    }

    @Test
    void emitsTheDueNumberAndNoMore() throws Exception {
        JobID job = submit("--schedule", "0s:1000,2s:0", "--capacity", "5000");

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> {
                            assertThat(flink.sum(job, "work", "work.processed")).isEqualTo(2000);
                            assertThat(flink.sum(job, "Source", "Source__load.numRecordsIn"))
                                    .isEqualTo(2000);
                            assertThat(flink.sum(job, "Source", "Source__load.pendingRecords"))
                                    .isZero();
                        });
    }

    @Test
    void endsAfterAsManyRecordsAsItIsToldTo() throws Exception {
        JobID job = submit("--schedule", "0s:1000", "--capacity", "5000", "--records", "1500");

        var result = flink.cluster().requestJobResult(job).get(60, TimeUnit.SECONDS);

        assertThat(result.isSuccess()).isTrue();
        assertThat(flink.received(job, "work")).isEqualTo(1500);
    }

    @Test
    void itsLedgerHoldsEachRecord(@TempDir Path ledger) throws Exception {
        JobID job =
                submit("--schedule", "0s:1000", "--records", "500", "--ledger", ledger.toString());

        flink.cluster().requestJobResult(job).get(60, TimeUnit.SECONDS);

        try (var files = Files.list(ledger)) {
            assertThat(files)
                    .singleElement()
                    .satisfies(
                            file ->
                                    assertThat(Files.readAllLines(file))
                                            .map(line -> line.split(" ")[0])
                                            .containsExactlyElementsOf(
                                                    IntStream.range(0, 500)
                                                            .mapToObj(Integer::toString)
                                                            .toList()));
        }
    }

    /** Also what is committed before the job ends has each record once. */
    @Test
    void commitsEachRecordOnceThoughItGoesOnFromASavepoint(@TempDir Path folder) throws Exception {
        String[] arguments = {
            "--schedule", "0s:400,5s:0", "--capacity", "5000", "--committed", folder.toString()
        };
        JobID second = stopAndGoOn(arguments);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () ->
                                assertThat(flink.sum(second, "work", "work.processed"))
                                        .isEqualTo(2000));
        stop(second);

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () ->
                                assertThat(committed(folder))
                                        .containsExactlyInAnyOrderElementsOf(
                                                IntStream.range(0, 2000)
                                                        .mapToObj(Integer::toString)
                                                        .toList()));
    }

    private static List<String> committed(Path folder) throws IOException {
        List<String> lines = new ArrayList<>();
        try (var files = Files.newDirectoryStream(folder, "part-*")) {
            for (Path file : files) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }

    @Test
    void whatExceedsTheCapacityIsReportedAsPendingAndAsBusy() throws Exception {
        JobID job = submit("--schedule", "0s:800", "--capacity", "100");

        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> {
                            assertThat(flink.sum(job, "Source", "Source__load.pendingRecords"))
                                    .isGreaterThan(500);
                            assertThat(flink.sum(job, "work", "busyTimeMsPerSecond"))
                                    .isGreaterThan(900);
                            assertThat(flink.sum(job, "work", "numRecordsInPerSecond"))
                                    .isBetween(80.0, 115.0);
                        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aLimitedSinkDoesNoMoreThanItsLimit(int parallelism) throws Exception {
        JobID job =
                submit(parallelism, "--schedule", "0s:800", "--capacity", "500", "--limit", "100");

        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> {
                            assertThat(flink.sum(job, "Source", "Source__load.pendingRecords"))
                                    .isGreaterThan(2000);
                            assertThat(flink.sum(job, "limited", "busyTimeMsPerSecond"))
                                    .isGreaterThan(900 * parallelism);
                            assertThat(flink.sum(job, "limited", "numRecordsInPerSecond"))
                                    .isBetween(80.0, 115.0);
                        });
    }

    @Test
    void goesOnWithItsCurveAndItsCountAfterARestore() throws Exception {
        String[] arguments = {"--schedule", "0s:400,5s:0", "--capacity", "5000"};
        JobID second = stopAndGoOn(arguments);

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> {
                            assertThat(flink.sum(second, "work", "work.processed")).isEqualTo(2000);
                            assertThat(flink.sum(second, "Source", "Source__load.numRecordsIn"))
                                    .isLessThan(2000);
                        });
    }

    /** The job that goes on from the savepoint of one that has processed something. */
    private JobID stopAndGoOn(String... arguments) throws Exception {
        JobID first = submit(arguments);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> assertThat(flink.sum(first, "work", "work.processed")).isPositive());
        JobGraph graph = graph(1, arguments);
        graph.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(stop(first)));
        return flink.cluster().submitJob(graph).get(30, TimeUnit.SECONDS).getJobID();
    }

    /** The savepoint with which the job was stopped. */
    private String stop(JobID job) throws Exception {
        return flink.cluster()
                .stopWithSavepoint(job, savepoints.toString(), false, SavepointFormatType.CANONICAL)
                .get(30, TimeUnit.SECONDS);
    }

    private JobID submit(String... arguments) throws Exception {
        return submit(1, arguments);
    }

    private JobID submit(int parallelism, String... arguments) throws Exception {
        return flink.cluster()
                .submitJob(graph(parallelism, arguments))
                .get(30, TimeUnit.SECONDS)
                .getJobID();
    }

    private static JobGraph graph(int parallelism, String... arguments) {
        var environment = StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(parallelism);
        LoadJob.define(environment, LoadArguments.of(arguments));
        return environment.getStreamGraph().getJobGraph();
    }
}
