// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A trace lived through, minute by minute. */
final class Run {
    private static final double TICK = 5;
    private static final double LOOK = 60;

    private final List<Minute> minutes = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();

    /**
     * @param best slots that fit
     * @param least slots below which what comes in can't be done
     * @param lag seconds of load that wait
     * @param fits whether slots are within one of the best and no vertex has more than one too few
     */
    record Minute(double hour, int slots, int best, int least, double lag, boolean fits) {}

    /** A rescale. */
    record Change(double hour, boolean up) {}

    List<Minute> minutes() {
        return minutes;
    }

    List<Change> changes() {
        return changes;
    }

    static Run of(Case scenario, SimulatedFlink flink, SimulatedTime time, Scaler scaler)
            throws Exception {
        Run run = new Run();
        int minutes = (int) (scenario.hours() * 60);
        for (int minute = 0; minute < minutes; minute++) {
            for (double tick = 0; tick < LOOK; tick += TICK) {
                flink.tick(TICK);
            }
            double seconds = (minute + 1) * LOOK;
            time.set(seconds);
            run.note(scenario, flink, seconds);
            if (flink.runs()) {
                Optional<Map<String, Integer>> wanted = scaler.look();
                wanted.ifPresent(parallelisms -> run.rescale(flink, parallelisms, seconds));
            }
        }
        return run;
    }

    private void rescale(SimulatedFlink flink, Map<String, Integer> wanted, double seconds) {
        int[] before = flink.parallelism();
        int[] after = before.clone();
        boolean up = false;
        boolean changed = false;
        for (int i = 0; i < after.length; i++) {
            after[i] =
                    wanted.getOrDefault(flink.job().nodes().get(i).id().toHexString(), before[i]);
            up |= after[i] > before[i];
            changed |= after[i] != before[i];
        }
        if (changed) {
            flink.rescale(after);
            changes.add(new Change(seconds / Load.HOUR, up));
        }
    }

    private void note(Case scenario, SimulatedFlink flink, double seconds) {
        double load = scenario.load().at(seconds);
        int[] best = scenario.job().least(load, Job.FITTING);
        int[] now = flink.parallelism();
        int bestSlots = Job.slots(best);
        boolean fits = Math.abs(Job.slots(now) - bestSlots) <= 1;
        for (int i = 0; i < now.length; i++) {
            fits &= now[i] >= best[i] - 1;
        }
        minutes.add(
                new Minute(
                        seconds / Load.HOUR,
                        Job.slots(now),
                        bestSlots,
                        Job.slots(scenario.job().least(load, 1)),
                        flink.waiting() / Math.max(1, usual(scenario)),
                        fits));
    }

    /** The load by which lag is told in seconds: the one at the end. */
    private static double usual(Case scenario) {
        return scenario.load().at(scenario.hours() * Load.HOUR - 1);
    }
}
