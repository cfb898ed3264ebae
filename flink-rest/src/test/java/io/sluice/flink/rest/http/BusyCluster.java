// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * A real Flink in a process of its own, for those who can't have one in theirs: with the adaptive
 * scheduler, four slots and a job whose one working subtask is busy most of the time. Prints where
 * it answers, and ends when its input does.
 */
public final class BusyCluster {
    private static final int RECORDS_PER_SECOND = 100;
    private static final Duration WORK = Duration.ofMillis(9);

    private BusyCluster() {}

    public static void main(String[] args) throws Exception {
        MiniClusterConfiguration configuration =
                new MiniClusterConfiguration.Builder()
                        .setConfiguration(configuration())
                        .setNumTaskManagers(1)
                        .setNumSlotsPerTaskManager(4)
                        .build();
        MiniCluster cluster = new MiniCluster(configuration);
        cluster.start();
        submitTo(cluster);
        System.out.println(cluster.getRestAddress().join());
        while (System.in.read() >= 0) {
            // whoever started this is still there
        }
        cluster.close();
    }

    private static void submitTo(MiniCluster cluster) {
        var environment = StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(1).setMaxParallelism(4);
        var ticks =
                new DataGeneratorSource<Long>(
                        tick -> tick,
                        Long.MAX_VALUE,
                        RateLimiterStrategy.perSecond(RECORDS_PER_SECOND),
                        Types.LONG);
        environment
                .fromSource(ticks, WatermarkStrategy.noWatermarks(), "ticks")
                .rebalance()
                .map(BusyCluster::work)
                .returns(Types.LONG)
                .name("work")
                .sinkTo(new DiscardingSink<>());
        cluster.submitJob(environment.getStreamGraph().getJobGraph()).join();
    }

    private static Long work(Long tick) {
        long end = System.nanoTime() + WORK.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return tick;
    }

    private static Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.PORT, 0);
        configuration.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
        configuration.set(JobManagerOptions.SCHEDULER, JobManagerOptions.SchedulerType.Adaptive);
        configuration.set(JobManagerOptions.SCHEDULER_SCALING_INTERVAL_MIN, Duration.ZERO);
        configuration.set(JobManagerOptions.RESOURCE_STABILIZATION_TIMEOUT, Duration.ofMillis(100));
        configuration.set(MetricOptions.METRIC_FETCHER_UPDATE_INTERVAL, Duration.ofMillis(200));
        configuration.setString("job.autoscaler.enabled", "true");
        return configuration;
    }
}
