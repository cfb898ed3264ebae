// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import java.util.Arrays;
import java.util.Random;

/**
 * One job living through a trace, as a fluid: what a vertex can't take dams up to the sources and
 * waits there. A rescale stops it, and what came since the last checkpoint is read again.
 */
final class SimulatedFlink {
    private static final double CHECKPOINTS = 60;

    /** So busy timers keep a vertex. */
    private static final double BY_TIMERS = 0.6;

    private final Case scenario;
    private final Random random;
    private final int[] parallelism;
    private final double[] in;
    private final double[] records;
    private final double[] busyTime;
    private final double[] waiting;
    private final double[] pressure;
    private final int[] pipelines;
    private double now;
    private double runsSince;

    SimulatedFlink(Case scenario) {
        this.scenario = scenario;
        random = new Random(scenario.seed());
        parallelism = scenario.start().stream().mapToInt(Integer::intValue).toArray();
        in = new double[parallelism.length];
        records = new double[parallelism.length];
        busyTime = new double[parallelism.length];
        waiting = new double[parallelism.length];
        pressure = new double[parallelism.length];
        pipelines = scenario.job().pipelines();
    }

    Job job() {
        return scenario.job();
    }

    int[] parallelism() {
        return parallelism.clone();
    }

    /** Seconds since the trace began, when it last began to run. */
    double runsSince() {
        return runsSince;
    }

    boolean runs() {
        return now >= runsSince;
    }

    /** Records that wait at all sources, but for those that no parallelism could keep up with. */
    double waiting() {
        boolean[] feasible = job().feasible(scenario.load().at(now));
        double sum = 0;
        for (int i = 0; i < waiting.length; i++) {
            sum += feasible[i] ? waiting[i] : 0;
        }
        return sum;
    }

    void tick(double seconds) {
        double rate = scenario.load().at(now) * Math.max(0, 1 + scenario.noise() * gauss() / 2);
        double[] arrivals = job().arrivals(rate);
        now += seconds;
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] += arrivals[i] * seconds;
        }
        if (runs()) {
            work(seconds);
        } else {
            Arrays.fill(in, 0);
        }
    }

    void rescale(int[] wanted) {
        double[] again = Arrays.copyOf(in, in.length);
        double since = random.nextDouble() * CHECKPOINTS;
        for (int i = 0; i < wanted.length; i++) {
            parallelism[i] = Math.clamp(wanted[i], 1, Node.MAX_PARALLELISM);
            if (job().nodes().get(i).isSource()) {
                waiting[i] += again[i] * since;
            }
            records[i] = 0;
            busyTime[i] = 0;
        }
        runsSince = now + scenario.restart() * (0.8 + 0.4 * random.nextDouble());
    }

    boolean tellsBacklog() {
        return scenario.tellsBacklog();
    }

    double seenBusy(int vertex) {
        Node node = job().nodes().get(vertex);
        double busy =
                node.byTimers()
                        ? BY_TIMERS
                        : Math.min(1, node.load(in[vertex], parallelism[vertex]));
        return Math.clamp(1000 * busy * (1 + scenario.noise() * gauss()), 0, 1000);
    }

    double seenRate(int vertex) {
        return job().nodes().get(vertex).byTimers()
                ? 0
                : Math.max(0, in[vertex] * (1 + scenario.noise() * gauss() / 2));
    }

    double seenPressure(int vertex) {
        return pressure[pipelines[vertex]] * 1000;
    }

    double records(int vertex) {
        return records[vertex];
    }

    double busyTime(int vertex) {
        return busyTime[vertex];
    }

    double waiting(int vertex) {
        return waiting[vertex];
    }

    private void work(double seconds) {
        double[] wished = new double[waiting.length];
        Arrays.setAll(wished, i -> waiting[i] / seconds);
        double[] flow = job().flow(wished);
        double[] fullest = new double[flow.length];
        Arrays.fill(fullest, 1);
        for (int i = 0; i < flow.length; i++) {
            double load = job().nodes().get(i).load(flow[i], parallelism[i]);
            fullest[pipelines[i]] = Math.max(fullest[pipelines[i]], load);
        }
        Arrays.setAll(pressure, i -> 1 - 1 / fullest[i]);
        for (int i = 0; i < flow.length; i++) {
            if (job().nodes().get(i).byTimers()) {
                busyTime[i] += 1000 * seconds * BY_TIMERS * parallelism[i];
                continue;
            }
            in[i] = flow[i] / fullest[pipelines[i]];
            records[i] += in[i] * seconds;
            busyTime[i] += 1000 * seconds * in[i] / job().nodes().get(i).rateOfOne(parallelism[i]);
            if (job().nodes().get(i).isSource()) {
                waiting[i] = Math.max(0, waiting[i] - in[i] * seconds);
            }
        }
    }

    private double gauss() {
        return Math.clamp(random.nextGaussian(), -3, 3);
    }
}
