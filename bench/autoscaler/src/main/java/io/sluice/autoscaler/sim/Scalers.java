// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.EngineOptions;
import io.sluice.autoscaler.collect.Footprint;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.cycle.CycleContext;
import io.sluice.autoscaler.cycle.CycleResult;
import io.sluice.autoscaler.cycle.JobScaler;
import io.sluice.autoscaler.decide.Engine;
import io.sluice.autoscaler.decide.EngineJob;
import io.sluice.autoscaler.govern.Health;
import io.sluice.autoscaler.govern.RescalingLimits;
import io.sluice.autoscaler.govern.ScalePlan;
import io.sluice.flink.rest.JobVertex;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.autoscaler.BareClock;
import org.apache.flink.autoscaler.JobAutoScalerContext;
import org.apache.flink.autoscaler.ScalingExecutor;
import org.apache.flink.autoscaler.ScalingMetricEvaluator;
import org.apache.flink.autoscaler.TimedAutoScaler;
import org.apache.flink.autoscaler.event.AutoScalerEventHandler;
import org.apache.flink.autoscaler.realizer.ScalingRealizer;
import org.apache.flink.autoscaler.state.InMemoryAutoScalerStateStore;
import org.apache.flink.autoscaler.tuning.ConfigChanges;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The two that are compared: ours, and the engine alone with its defaults. */
final class Scalers {
    private static final JobKey KEY = new JobKey("sim", "job", "1");
    private static final String JOB = "00000000000000000000000000000001";

    private static final Logger LOG = LoggerFactory.getLogger(Scalers.class);

    private Scalers() {}

    static Scaler ours(
            SimulatedFlink flink,
            Case scenario,
            SimulatedTime time,
            RestClusterClient<String> any) {
        JobScaler scaler = new JobScaler(new Engine(new SimulatedCollector(flink), time));
        FlinkConfiguration options = options(scenario);
        EngineJob job = job(options, any);
        return () -> {
            CycleContext at = context(flink, options, time.instant(), time.instant());
            CycleResult cycleResult = scaler.look(job, at);
            cycleResult.evaluation().failure().ifPresent(Scalers::fail);
            LOG.debug(
                    "{} {} {}",
                    time.instant(),
                    cycleResult.plan(),
                    cycleResult.proposal().vertices().values());
            if (cycleResult.plan() instanceof ScalePlan.Apply plan) {
                scaler.apply(plan, time.instant());
                return Optional.of(plan.overrides());
            }
            return Optional.empty();
        };
    }

    static FlinkConfiguration options(Case scenario) {
        return new FlinkConfiguration(
                scenario.inPlace()
                        ? Map.of(
                                "job.autoscaler.enabled", "true",
                                "jobmanager.scheduler", "adaptive")
                        : Map.of("job.autoscaler.enabled", "true"));
    }

    static EngineJob job(FlinkConfiguration options, RestClusterClient<String> any) {
        return new EngineJob(KEY, JOB, EngineOptions.of(options), () -> any);
    }

    static CycleContext context(
            SimulatedFlink flink, FlinkConfiguration options, Instant now, Instant uptime) {
        return new CycleContext(
                now,
                uptime,
                options,
                vertices(flink),
                () -> Health.STEADY,
                _ -> RescalingLimits.EMPTY,
                new Footprint(flink.slotsEach(), (long) flink.slotsEach() << 30),
                flink.slotsEach(),
                Duration.ZERO);
    }

    static Scaler bare(SimulatedFlink flink, SimulatedTime time, RestClusterClient<String> any) {
        return engine(flink, time, any, Map.of());
    }

    /**
     * As somebody would set the engine who has read its documentation: a window that ends before
     * the next burst, fewer slots back at once, its own remedies for what does not scale.
     */
    static Scaler tuned(SimulatedFlink flink, SimulatedTime time, RestClusterClient<String> any) {
        return engine(
                flink,
                time,
                any,
                Map.of(
                        "job.autoscaler.metrics.window", "5 min",
                        "job.autoscaler.stabilization.interval", "2 min",
                        "job.autoscaler.utilization.min", "0.4",
                        "job.autoscaler.utilization.max", "0.9",
                        "job.autoscaler.scale-down.max-factor", "0.5",
                        "job.autoscaler.catch-up.duration", "15 min",
                        "job.autoscaler.observed-scalability.enabled", "true",
                        "job.autoscaler.scaling.effectiveness.detection.enabled", "true"));
    }

    private static Scaler engine(
            SimulatedFlink flink,
            SimulatedTime time,
            RestClusterClient<String> any,
            Map<String, String> options) {
        Map<String, String> all = new HashMap<>(options);
        all.put("job.autoscaler.enabled", "true");
        InMemoryAutoScalerStateStore<JobKey, JobAutoScalerContext<JobKey>> store =
                new InMemoryAutoScalerStateStore<>();
        Events events = new Events();
        ScalingExecutor<JobKey, JobAutoScalerContext<JobKey>> executor =
                new ScalingExecutor<>(events, store);
        BareClock.set(executor, time);
        var engine =
                new TimedAutoScaler<>(
                        new BareCollector(flink),
                        new ScalingMetricEvaluator(),
                        executor,
                        events,
                        new Nothing(),
                        store,
                        time);
        JobAutoScalerContext<JobKey> context =
                new JobAutoScalerContext<>(
                        KEY,
                        JobID.fromHexString(JOB),
                        JobStatus.RUNNING,
                        Configuration.fromMap(all),
                        new UnregisteredMetricsGroup(),
                        () -> any);
        return () -> {
            Map<String, String> before = new HashMap<>(store.getParallelismOverrides(context));
            engine.scale(context);
            Map<String, String> after = store.getParallelismOverrides(context);
            if (after.equals(before)) {
                return Optional.empty();
            }
            Map<String, Integer> wanted = new HashMap<>();
            after.forEach((vertex, value) -> wanted.put(vertex, Integer.valueOf(value)));
            return Optional.of(wanted);
        };
    }

    private static List<JobVertex> vertices(SimulatedFlink flink) {
        List<JobVertex> vertices = new ArrayList<>();
        int[] parallelism = flink.parallelism();
        for (int i = 0; i < parallelism.length; i++) {
            Node node = flink.job().nodes().get(i);
            vertices.add(
                    new JobVertex(
                            node.id().toHexString(),
                            node.name(),
                            parallelism[i],
                            Node.MAX_PARALLELISM,
                            "RUNNING"));
        }
        return vertices;
    }

    private static void fail(Throwable thrown) {
        throw new IllegalStateException("the engine failed", thrown);
    }

    private static final class Nothing
            implements ScalingRealizer<JobKey, JobAutoScalerContext<JobKey>> {
        @Override
        public void realizeParallelismOverrides(
                JobAutoScalerContext<JobKey> context, Map<String, String> overrides) {}

        @Override
        public void realizeConfigOverrides(
                JobAutoScalerContext<JobKey> context, ConfigChanges changes) {}
    }

    private static final class Events
            implements AutoScalerEventHandler<JobKey, JobAutoScalerContext<JobKey>> {
        @Override
        public void handleEvent(
                JobAutoScalerContext<JobKey> context,
                Type type,
                String reason,
                String message,
                @Nullable String key,
                @Nullable Duration interval) {}

        @Override
        public void handleException(
                JobAutoScalerContext<JobKey> context, String reason, Throwable thrown) {
            fail(thrown);
        }
    }
}
