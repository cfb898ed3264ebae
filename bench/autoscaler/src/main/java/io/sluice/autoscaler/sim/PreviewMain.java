// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.Preview;
import io.sluice.autoscaler.collect.EngineClient;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.cycle.CycleContext;
import io.sluice.autoscaler.cycle.CycleResult;
import io.sluice.autoscaler.cycle.JobScaler;
import io.sluice.autoscaler.decide.Engine;
import io.sluice.autoscaler.decide.EngineJob;
import io.sluice.autoscaler.govern.ScalePlan;
import io.sluice.flink.rest.JobDetails;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.client.program.rest.RestClusterClient;

/** Serves the page with the last hours of some simulated jobs, until its input ends. */
public final class PreviewMain {
    private static final Map<String, Double> CASES =
            Map.of(
                    "step-up non-linear", 8.0,
                    "day key-groups", 11.0,
                    "outage prime-partitions", 5.0,
                    "ramp-up skew", 5.0,
                    "too-large noisy", 4.0);
    private static final FlinkConfiguration PRICES =
            new FlinkConfiguration(
                    Map.of(
                            "job.autoscaler.governor.price.core-hour", "0.04",
                            "job.autoscaler.governor.price.gib-hour", "0.005"));
    private static final double TICK = 5;
    private static final double LOOK = 60;

    private PreviewMain() {}

    public static void main(String[] arguments) throws Exception {
        EngineClient client = new EngineClient(Duration.ofSeconds(1));
        try (client;
                Preview preview = new Preview(Integer.parseInt(arguments[0]))) {
            for (Map.Entry<String, Double> each : CASES.entrySet()) {
                Case scenario = named(each.getKey());
                client.callAt(
                        URI.create("http://localhost:1"),
                        unused -> {
                            live(scenario, each.getValue(), preview, unused);
                            return scenario;
                        });
            }
            System.out.println("http://localhost:" + preview.port() + "/");
            while (System.in.read() >= 0) {
                // whoever started this still looks
            }
        }
    }

    private static Case named(String part) {
        return Cases.all().stream()
                .filter(each -> each.name().startsWith(part))
                .findFirst()
                .orElseThrow();
    }

    private static void live(
            Case scenario, double hours, Preview preview, RestClusterClient<String> any)
            throws Exception {
        SimulatedFlink flink = new SimulatedFlink(scenario);
        SimulatedTime time = new SimulatedTime();
        JobScaler scaler = new JobScaler(new Engine(new SimulatedCollector(flink), time));
        FlinkConfiguration options = Scalers.options(scenario).with(PRICES);
        EngineJob job = Scalers.job(options, any);
        String name = scenario.name().replaceAll("[ .]+", "-");
        JobKey key = new JobKey("simulated", name, name);
        for (double seconds = LOOK; seconds <= hours * Load.HOUR; seconds += LOOK) {
            for (double tick = 0; tick < LOOK; tick += TICK) {
                flink.tick(TICK);
            }
            time.set(seconds);
            if (!flink.runs()) {
                continue;
            }
            CycleContext at = Scalers.context(flink, options, time.instant(), time.instant());
            CycleResult cycleResult = scaler.look(job, at);
            JobDetails seen = new JobDetails("", name, "RUNNING", at.vertices());
            if (cycleResult.plan() instanceof ScalePlan.Apply plan) {
                scaler.apply(plan, time.instant());
                flink.rescale(parallelisms(flink, plan.overrides()));
            }
            preview.show(
                    key,
                    seen,
                    cycleResult,
                    scaler.engine().overrides(),
                    scaler.history().ofDay(time.instant()));
        }
    }

    private static int[] parallelisms(SimulatedFlink flink, Map<String, Integer> wanted) {
        int[] now = flink.parallelism();
        List<Node> nodes = flink.job().nodes();
        for (int i = 0; i < now.length; i++) {
            now[i] = wanted.getOrDefault(nodes.get(i).id().toHexString(), now[i]);
        }
        return now;
    }
}
