// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A trace lived through, minute by minute. */
final class Run {
    private static final double TICK = 5;
    private static final double MINUTE = 60;

    private final List<Minute> minutes = new ArrayList<>();
    private List<Change> changes = List.of();

    /**
     * @param paid slots of whole TaskManagers
     * @param best slots that fit
     * @param least slots below which what comes in can't be done
     * @param feasible whether any number of slots would do for what comes in
     * @param lag seconds of load that wait; none while the cluster has no room for what comes in
     * @param fits whether slots are within a step of the best and no vertex has more than one too
     *     few; up, a step is the next parallelism that can be told to be better
     */
    record Minute(
            double hour,
            int slots,
            int paid,
            int best,
            int least,
            boolean feasible,
            double lag,
            boolean fits) {}

    /** A rescale. */
    record Change(double hour, boolean up) {}

    List<Minute> minutes() {
        return minutes;
    }

    /** The last one that ended before. */
    Minute minute(double hour) {
        return minutes.get(Math.clamp((long) (hour * 60) - 1, 0, minutes.size() - 1));
    }

    List<Change> changes() {
        return changes;
    }

    static Run of(Case scenario, SimulatedFlink flink, SimulatedTime time, Scaler scaler)
            throws Exception {
        Run run = new Run();
        int looks = (int) (scenario.hours() * Load.HOUR / scenario.look());
        double usual = Math.max(1, scenario.usual());
        for (int look = 1; look <= looks; look++) {
            for (double tick = 0; tick < scenario.look(); tick += TICK) {
                flink.tick(TICK);
            }
            double seconds = look * scenario.look();
            time.set(seconds);
            if (seconds % MINUTE == 0) {
                run.note(scenario, flink, seconds, usual);
            }
            if (flink.runs() && scenario.conditions().tellsMetrics(seconds)) {
                scaler.look().ifPresent(wanted -> rescale(flink, wanted));
            }
        }
        run.changes = flink.changes();
        return run;
    }

    /** Whether the cluster has room for what comes in. */
    private static boolean isPossible(Case scenario, double load, double seconds) {
        return scenario.slots(load, 1) <= scenario.conditions().room().applyAsDouble(seconds);
    }

    private static void rescale(SimulatedFlink flink, Map<String, Integer> wanted) {
        int[] after = flink.parallelism();
        Arrays.setAll(
                after,
                i -> wanted.getOrDefault(flink.job().nodes().get(i).id().toHexString(), after[i]));
        flink.rescale(after);
    }

    private void note(Case scenario, SimulatedFlink flink, double seconds, double usual) {
        double load =
                scenario.load().at(seconds) / scenario.conditions().speed().applyAsDouble(seconds);
        int[] best = scenario.job().least(load, Job.FITTING);
        int[] now = flink.parallelism();
        int bestSlots = scenario.slots(load, Job.FITTING);
        int next = bestSlots + 1;
        boolean fits = Job.slots(now) >= bestSlots - 1;
        for (int i = 0; i < now.length; i++) {
            fits &= now[i] >= best[i] - 1;
            next = Math.max(next, scenario.job().nodes().get(i).next(best[i]));
        }
        fits &= Job.slots(now) <= next;
        minutes.add(
                new Minute(
                        seconds / Load.HOUR,
                        Job.slots(now),
                        Math.ceilDiv(Job.slots(now), scenario.slotsEach()) * scenario.slotsEach(),
                        bestSlots,
                        scenario.slots(load, 1),
                        scenario.job().isFeasible(load),
                        isPossible(scenario, load, seconds) ? flink.waiting() / usual : 0,
                        fits));
    }
}
