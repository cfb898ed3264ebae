// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.JobManagerRestTck;
import io.sluice.flink.rest.MetricSummary;
import io.sluice.flink.rest.PlanNode;
import io.sluice.flink.rest.Reply;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobManagerRestFlinkIT extends JobManagerRestTck {
    private static final HttpJobManagerRest REST =
            new HttpJobManagerRest(UsualLimits.HTTP.withRequest(Duration.ofSeconds(20)));

    private static final Duration CHECKPOINT_INTERVAL = Duration.ofMillis(200);

    @TempDir static Path folder;

    private final List<HttpJobManagerRest> opened = new ArrayList<>();

    @SuppressWarnings("NonFinalStaticField") // one cluster serves all tests
    private static MiniCluster cluster;

    @BeforeAll
    static void startFlink() throws Exception {
        cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(configuration())
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(2)
                                .build());
        cluster.start();
    }

    @AfterAll
    static void stopFlink() throws Exception {
        REST.close();
        cluster.close();
    }

    @AfterEach
    void closeClients() {
        opened.forEach(HttpJobManagerRest::close);
    }

    @AfterEach
    void cancelJobs() throws Exception {
        for (var job : cluster.listJobs().get()) {
            if (!job.getJobState().isGloballyTerminalState()) {
                cluster.cancelJob(job.getJobId()).get();
                cluster.requestJobResult(job.getJobId()).get();
            }
        }
    }

    @Override
    protected JobManagerRest rest() {
        return REST;
    }

    @Override
    protected JobManagerRest readingVertices(int most) {
        var limited =
                new HttpJobManagerRest(
                        UsualLimits.HTTP.withAnswers(UsualLimits.ANSWERS.withVertices(most)));
        opened.add(limited);
        return limited;
    }

    @Override
    protected URI at() {
        return cluster.getRestAddress().join();
    }

    @Override
    protected URI nowhere() {
        return URI.create("http://localhost:1");
    }

    @Override
    protected String startJob() {
        return startJob(ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    }

    @Override
    protected String startJobThatRetainsNothing() {
        return startJob(ExternalizedCheckpointRetention.DELETE_ON_CANCELLATION);
    }

    /** A streaming job can be asked for one all the same. */
    @Test
    void tellsThatNothingIsRetainedOfAJobThatMakesNoCheckpointsByItself() {
        var environment = StreamExecutionEnvironment.getExecutionEnvironment();
        environment
                .fromSource(ticks(), WatermarkStrategy.noWatermarks(), "ticks")
                .sinkTo(new DiscardingSink<>());
        JobGraph job = environment.getStreamGraph().getJobGraph();
        cluster.submitJob(job).join();

        assertThat(REST.checkpointRetention(at(), job.getJobID().toHexString()))
                .isEqualTo(new Reply.Ok<>(CheckpointRetention.DELETED));
    }

    /** Flink retains the checkpoints of no job that says nothing of it. */
    @Test
    void tellsThatNothingIsRetainedByDefault() {
        String jobId = startJob(ExternalizedCheckpointRetention.NO_EXTERNALIZED_CHECKPOINTS);

        assertThat(REST.checkpointRetention(at(), jobId))
                .isEqualTo(new Reply.Ok<>(CheckpointRetention.DELETED));
    }

    /** The time of the records is their number, so that it goes on. */
    @Test
    void tellsTheWatermarksOfAJobWhoseRecordsHaveATime() {
        var environment = StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(1);
        environment
                .fromSource(
                        ticks(),
                        WatermarkStrategy.<Long>forMonotonousTimestamps()
                                .withTimestampAssigner((tick, _) -> tick),
                        "ticks")
                .keyBy(tick -> tick)
                .sinkTo(new DiscardingSink<>());
        JobGraph job = environment.getStreamGraph().getJobGraph();
        cluster.submitJob(job).join();
        String id = job.getJobID().toHexString();
        await().atMost(Duration.ofSeconds(40))
                .until(() -> REST.plan(at(), id).answer().isPresent());

        for (PlanNode vertex : REST.plan(at(), id).answer().orElseThrow()) {
            String name =
                    vertex.isSource()
                            ? "Source__ticks.currentOutputWatermark"
                            : "currentInputWatermark";
            await().atMost(Duration.ofSeconds(40)).until(() -> lowest(id, vertex.id(), name) > 0);
        }
    }

    private double lowest(String jobId, String vertexId, String name) {
        return REST.subtaskMetrics(at(), jobId, vertexId, List.of(name))
                .answer()
                .flatMap(found -> Optional.ofNullable(found.get(name)))
                .map(MetricSummary::min)
                .orElse(0.0);
    }

    private static String startJob(ExternalizedCheckpointRetention retention) {
        var environment = StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(1).setMaxParallelism(4);
        environment.enableCheckpointing(CHECKPOINT_INTERVAL.toMillis());
        environment.getCheckpointConfig().setExternalizedCheckpointRetention(retention);
        environment
                .fromSource(ticks(), WatermarkStrategy.noWatermarks(), "ticks")
                .keyBy(tick -> tick)
                .sinkTo(new DiscardingSink<>());
        JobGraph job = environment.getStreamGraph().getJobGraph();
        cluster.submitJob(job).join();
        return job.getJobID().toHexString();
    }

    /** Every job here makes one by itself. */
    @Override
    protected void completeACheckpoint(String jobId) {}

    @Override
    protected String savepoints() {
        return folder.resolve("savepoints").toUri().toString();
    }

    private static DataGeneratorSource<Long> ticks() {
        return new DataGeneratorSource<>(
                tick -> tick, Long.MAX_VALUE, RateLimiterStrategy.perSecond(100), Types.LONG);
    }

    private static Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.PORT, 0);
        configuration.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                folder.resolve("checkpoints").toUri().toString());
        configuration.set(JobManagerOptions.SCHEDULER, JobManagerOptions.SchedulerType.Adaptive);
        configuration.set(JobManagerOptions.SCHEDULER_SCALING_INTERVAL_MIN, Duration.ZERO);
        configuration.set(JobManagerOptions.RESOURCE_STABILIZATION_TIMEOUT, Duration.ofMillis(100));
        return configuration;
    }
}
