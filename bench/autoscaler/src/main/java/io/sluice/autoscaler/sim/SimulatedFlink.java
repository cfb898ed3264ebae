// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * One job living through a trace, as a fluid: what a vertex can't take dams up to the sources and
 * waits there. A rescale stops it, and what came since the last checkpoint is read again.
 */
final class SimulatedFlink {
    private static final double CHECKPOINTS = 60;

    /** So busy timers keep a vertex. */
    private static final double BY_TIMERS = 0.6;

    /** Seconds that a first attempt to start takes if it fails. */
    private static final double FAILED_START = 600;

    private final Case scenario;
    private final Random random;
    private final int[] parallelism;
    private final double[] in;
    private final double[] records;
    private final double[] busyTime;
    private final double[] waiting;
    private final double[] pressure;
    private final int[] pipelines;
    private final double[] error;
    private final List<Run.Change> changes = new ArrayList<>();
    private Optional<int[]> asked = Optional.empty();
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
        error = new double[parallelism.length];
        double[] arrivals = job().arrivals(scenario.load().at(0));
        Arrays.setAll(waiting, i -> arrivals[i] * scenario.conditions().backlog());
    }

    /** Rescales that came about. */
    List<Run.Change> changes() {
        return List.copyOf(changes);
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
        boolean[] feasible = job().feasible(scenario.load().at(now) / speed());
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
        asked.ifPresent(this::rescale);
        blur(seconds);
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] += arrivals[i] * seconds;
        }
        if (runs()) {
            work(seconds);
        } else {
            Arrays.fill(in, 0);
        }
    }

    /**
     * Happens when the cluster can give what it takes, unless something else is asked for first.
     */
    void rescale(int[] wanted) {
        boolean isMore = Job.slots(wanted) > Job.slots(parallelism);
        if (isMore && Job.slots(wanted) > scenario.conditions().room().applyAsDouble(now)) {
            asked = Optional.of(wanted.clone());
            return;
        }
        asked = Optional.empty();
        if (!Arrays.equals(wanted, parallelism)) {
            restart(wanted);
        }
    }

    private void restart(int[] wanted) {
        boolean up = IntStream.range(0, wanted.length).anyMatch(i -> wanted[i] > parallelism[i]);
        changes.add(new Run.Change(now / Load.HOUR, up));
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
        double failing = scenario.conditions().failing();
        if (failing > 0 && random.nextDouble() < failing) {
            runsSince += FAILED_START;
        }
    }

    int slotsEach() {
        return scenario.slotsEach();
    }

    boolean tellsBacklog() {
        return scenario.tellsBacklog();
    }

    double seenBusy(int vertex) {
        Node node = job().nodes().get(vertex);
        double busy =
                node.byTimers() ? BY_TIMERS : Math.min(1, load(vertex, in[vertex]) * crowded());
        return Math.clamp(1000 * busy * (1 + scenario.noise() * noise(vertex)), 0, 1000);
    }

    double seenRate(int vertex) {
        return job().nodes().get(vertex).byTimers()
                ? 0
                : Math.max(0, in[vertex] * (1 + scenario.noise() * noise(vertex) / 2));
    }

    /** From 0 to 1; 0, which is not known, where each subtask has a processor of its own. */
    double seenProcessors() {
        double share = processors(in) / scenario.conditions().coresEach();
        return share == 0 ? 0 : Math.clamp(share * (1 + scenario.noise() * gauss() / 2), 0, 1);
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
            fullest[pipelines[i]] = Math.max(fullest[pipelines[i]], load(i, flow[i]));
        }
        double shared = processors(flow) / scenario.conditions().coresEach();
        Arrays.setAll(fullest, i -> Math.max(fullest[i], shared));
        Arrays.setAll(pressure, i -> 1 - 1 / fullest[i]);
        for (int i = 0; i < flow.length; i++) {
            if (job().nodes().get(i).byTimers()) {
                busyTime[i] += 1000 * seconds * BY_TIMERS * parallelism[i];
                continue;
            }
            in[i] = flow[i] / fullest[pipelines[i]];
            records[i] += in[i] * seconds;
            busyTime[i] +=
                    1000
                            * seconds
                            * in[i]
                            / job().nodes().get(i).rateOfOne(parallelism[i])
                            / speed();
            if (job().nodes().get(i).isSource()) {
                waiting[i] = Math.max(0, waiting[i] - in[i] * seconds);
            }
        }
    }

    private double speed() {
        return scenario.conditions().speed().applyAsDouble(now);
    }

    /** How busy the fullest subtask of a vertex would be, 1 for always. */
    private double load(int vertex, double flow) {
        return job().nodes().get(vertex).load(flow, parallelism[vertex]) / speed();
    }

    /** How many processors the subtasks in one slot would need. */
    private double processors(double[] flow) {
        return IntStream.range(0, flow.length).mapToDouble(i -> load(i, flow[i])).sum();
    }

    /**
     * Who waits for a processor is busy: where the processors of a slot are used up, its busiest
     * subtask has no idle time left. Below that nobody can see how near it is.
     */
    private double crowded() {
        double most =
                IntStream.range(0, in.length).mapToDouble(i -> load(i, in[i])).max().orElse(0);
        boolean isFull = processors(in) > 0.99 * scenario.conditions().coresEach();
        return isFull && most > 0 ? Math.max(1, 1 / most) : 1;
    }

    /** Lets the noise of each vertex wander. */
    private void blur(double seconds) {
        double memory = scenario.conditions().noiseMemory();
        if (memory > 0) {
            double kept = Math.exp(-seconds / memory);
            Arrays.setAll(error, i -> kept * error[i] + Math.sqrt(1 - kept * kept) * gauss());
        }
    }

    private double noise(int vertex) {
        return scenario.conditions().noiseMemory() > 0 ? error[vertex] : gauss();
    }

    private double gauss() {
        return Math.clamp(random.nextGaussian(), -3, 3);
    }
}
