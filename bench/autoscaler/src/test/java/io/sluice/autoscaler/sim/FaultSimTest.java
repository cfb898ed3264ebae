// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.EngineClient;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.cycle.CycleResult;
import io.sluice.autoscaler.cycle.JobScaler;
import io.sluice.autoscaler.decide.Engine;
import io.sluice.autoscaler.govern.GovernorState;
import io.sluice.autoscaler.govern.ScalePlan;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import org.apache.flink.autoscaler.JobAutoScalerContext;
import org.apache.flink.autoscaler.metrics.FlinkMetric;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.rest.messages.job.metrics.AggregatedMetric;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong around a job leads to no scaling that would not have happened without it. */
class FaultSimTest {
    private static final double HOUR = 3600;

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -1})
    void leavesAJobAloneWhoseMetricsAreNoNumbers(double value) {
        LiveReplica job = new LiveReplica("fitting plain", 4);
        job.metrics = seen -> value;
        job.faultyFrom = HOUR;
        job.faultyTo = 2 * HOUR;

        assertThat(job.live().changes()).isEmpty();
    }

    @Test
    void leavesAJobAloneSomeOfWhoseMetricsAreMissing() {
        LiveReplica job = new LiveReplica("fitting plain", 4);
        job.metrics = seen -> job.random.nextInt(4) == 0 ? Double.NaN : seen;
        job.faultyFrom = HOUR;
        job.faultyTo = 3 * HOUR;

        assertThat(job.live().changes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {-6 * 3600, -600, -30, 30, 420, 6 * 3600})
    void leavesAJobAloneWhenTheClockJumps(long seconds) {
        LiveReplica job = new LiveReplica("fitting plain", 5);
        job.jump = Duration.ofSeconds(seconds);
        job.jumpAt = 2 * HOUR;

        assertThat(job.live().changes()).isEmpty();
    }

    /** Decided some minutes later, a step may be taken for growth that goes on: it is met early. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void scalesOnceAndFarEnoughThoughItDiesAgainAndAgain(long seed) {
        Run undisturbed = new LiveReplica("step-up plain", 6).live();
        int slots = undisturbed.minutes().getLast().slots();
        LiveReplica job = new LiveReplica("step-up plain", 6);
        job.random = new Random(seed);
        job.deaths = 0.2;

        Run run = job.live();

        assertThat(run.changes()).hasSameSizeAs(undisturbed.changes()).allMatch(Run.Change::up);
        assertThat(run.minutes().getLast().slots()).isBetween(slots - 2, 2 * slots);
    }

    /** A job, its autoscaler, and what is done to them. */
    private static final class LiveReplica {
        private final Case scenario;
        private final double hours;
        private Random random = new Random(7);
        private DoubleUnaryOperator metrics = seen -> seen;
        private double faultyFrom = Double.MAX_VALUE;
        private double faultyTo;
        private Duration jump = Duration.ZERO;
        private double jumpAt = Double.MAX_VALUE;
        private double deaths;

        LiveReplica(String name, double hours) {
            scenario =
                    Cases.all().stream()
                            .filter(each -> each.name().contains(name))
                            .findFirst()
                            .orElseThrow();
            this.hours = hours;
        }

        Run live() {
            EngineClient client = new EngineClient(Duration.ofSeconds(1));
            try (client) {
                return client.callAt(URI.create("http://localhost:1"), this::live);
            } catch (Exception failed) { // declared by the engine
                throw new AssertionError(scenario.name(), failed);
            }
        }

        private Run live(RestClusterClient<String> any) throws Exception {
            Case cut = scenario.withHours(hours);
            SimulatedTime uptime = new SimulatedTime();
            SimulatedFlink flink = new SimulatedFlink(cut);
            return Run.of(cut, flink, uptime, new InterruptedScaler(flink, uptime, any));
        }

        private double seconds(SimulatedTime uptime) {
            return uptime.instant().toEpochMilli() / 1000.0;
        }

        private Instant clock(SimulatedTime uptime) {
            return seconds(uptime) < jumpAt ? uptime.instant() : uptime.instant().plus(jump);
        }

        private final class InterruptedScaler implements Scaler {
            private final SimulatedFlink flink;
            private final SimulatedTime uptime;
            private final SimulatedTime clock = new SimulatedTime();
            private final RestClusterClient<String> any;
            private Map<String, String> stored = Map.of();
            private JobScaler scaler;

            InterruptedScaler(
                    SimulatedFlink flink, SimulatedTime uptime, RestClusterClient<String> any) {
                this.flink = flink;
                this.uptime = uptime;
                this.any = any;
                scaler = born();
            }

            private JobScaler born() {
                JobScaler next =
                        new JobScaler(
                                new Engine(
                                        new FaultyCollector(flink, LiveReplica.this, uptime),
                                        clock));
                next.engine().load(stored);
                next.recall(GovernorState.read(stored, clock.instant()));
                return next;
            }

            @Override
            public Optional<Map<String, Integer>> look() throws Exception {
                FlinkConfiguration options = Scalers.options(scenario);
                clock.set(clock(uptime).toEpochMilli() / 1000.0);
                CycleResult cycleResult =
                        scaler.look(
                                Scalers.job(options, any),
                                Scalers.context(flink, options, clock.instant(), uptime.instant()));
                if (dies()) { // decided, and nothing is published
                    scaler = born();
                    return Optional.empty();
                }
                Optional<Map<String, Integer>> published = Optional.empty();
                if (cycleResult.plan() instanceof ScalePlan.Apply plan) {
                    scaler.apply(plan, clock.instant());
                    published = Optional.of(plan.overrides());
                }
                stored = new TreeMap<>(scaler.engine().text());
                stored.putAll(scaler.governorState().text(clock.instant()));
                if (dies()) { // published, and nobody was told
                    scaler = born();
                }
                return published;
            }

            private boolean dies() {
                return deaths > 0 && random.nextDouble() < deaths;
            }
        }
    }

    private static final class FaultyCollector extends SimulatedCollector {
        private final LiveReplica job;
        private final SimulatedTime uptime;

        FaultyCollector(SimulatedFlink flink, LiveReplica job, SimulatedTime uptime) {
            super(flink);
            this.job = job;
            this.uptime = uptime;
        }

        @Override
        protected Map<JobVertexID, Map<FlinkMetric, AggregatedMetric>> queryAllAggregatedMetrics(
                JobAutoScalerContext<JobKey> context,
                Map<JobVertexID, Map<String, FlinkMetric>> wanted) {
            var seen = super.queryAllAggregatedMetrics(context, wanted);
            double now = job.seconds(uptime);
            if (now < job.faultyFrom || now >= job.faultyTo) {
                return seen;
            }
            Map<JobVertexID, Map<FlinkMetric, AggregatedMetric>> faulty = new HashMap<>();
            seen.forEach(
                    (vertex, values) -> {
                        Map<FlinkMetric, AggregatedMetric> others =
                                new EnumMap<>(FlinkMetric.class);
                        values.forEach(
                                (metric, value) -> {
                                    double other = job.metrics.applyAsDouble(value.getSum());
                                    others.put(
                                            metric,
                                            new AggregatedMetric(
                                                    "", other, other, other, other, 0.0));
                                });
                        faulty.put(vertex, others);
                    });
            return faulty;
        }
    }
}
