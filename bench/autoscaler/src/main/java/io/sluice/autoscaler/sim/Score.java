// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import java.util.List;
import java.util.Optional;

/**
 * How a run went.
 *
 * @param steps rescales since the load settled until the size fitted and went on to; empty if the
 *     load does not settle, {@link #NEVER} if the size never did
 * @param steadyOver slots too many, as a share of the best, from three hours after it settled on
 * @param under slots missing to do what comes in, in slot hours
 * @param reversals changes of direction within two hours
 * @param lagging hours in which more than two minutes of load wait
 * @param lag mean of what waits, in seconds of load
 * @param worstLag likewise, the most of it
 * @param paid slots of whole TaskManagers, in slot hours
 * @param useless slots by those that can still help, where no number would do; 0 if one always does
 * @param unexplained reversals at which neither load nor lag had changed
 */
record Score(
        Optional<Integer> steps,
        Optional<Double> steadyOver,
        double under,
        int reversals,
        int rescales,
        double lagging,
        double lag,
        double worstLag,
        double paid,
        double useless,
        int unexplained) {
    static final int NEVER = 99;

    /** Seconds of load. */
    private static final double LAGGING = 120;

    private static final double SETTLING = 3;

    /** Seconds of load. */
    private static final double LITTLE = 30;

    private static final double SOON = 2;

    static Score of(Case scenario, Run run) {
        List<Run.Minute> minutes = run.minutes();
        return new Score(
                scenario.settles() ? Optional.of(steps(scenario, run)) : Optional.empty(),
                scenario.settles() ? Optional.of(steadyOver(scenario, minutes)) : Optional.empty(),
                minutes.stream().mapToInt(m -> Math.max(0, m.least() - m.slots())).sum() / 60.0,
                reversals(run.changes()),
                run.changes().size(),
                minutes.stream().filter(m -> m.lag() > LAGGING).count() / 60.0,
                minutes.stream().mapToDouble(Run.Minute::lag).average().orElse(0),
                minutes.stream().mapToDouble(Run.Minute::lag).max().orElse(0),
                minutes.stream().mapToInt(Run.Minute::paid).sum() / 60.0,
                minutes.stream()
                        .filter(minute -> !minute.feasible())
                        .mapToDouble(minute -> (double) minute.slots() / minute.best())
                        .max()
                        .orElse(0),
                unexplained(run));
    }

    /** The job fitted before as well as after, and little waited. */
    private static int unexplained(Run run) {
        int unexplained = 0;
        for (int i = 1; i < run.changes().size(); i++) {
            Run.Change before = run.changes().get(i - 1);
            Run.Change after = run.changes().get(i);
            Run.Minute then = run.minute(before.hour());
            Run.Minute now = run.minute(after.hour());
            boolean turned = after.up() != before.up() && after.hour() - before.hour() < SOON;
            boolean same = Math.abs(now.best() - then.best()) <= 1;
            if (turned && same && then.lag() < LITTLE && now.lag() < LITTLE) {
                unexplained++;
            }
        }
        return unexplained;
    }

    private static int steps(Case scenario, Run run) {
        double fittedFrom = Double.NaN;
        for (Run.Minute minute : run.minutes()) {
            if (!minute.fits()) {
                fittedFrom = Double.NaN;
            } else if (Double.isNaN(fittedFrom)) {
                fittedFrom = minute.hour();
            }
        }
        if (Double.isNaN(fittedFrom)) {
            return NEVER;
        }
        double until = fittedFrom;
        return (int)
                run.changes().stream()
                        .filter(change -> change.hour() >= scenario.settled())
                        .filter(change -> change.hour() < until)
                        .count();
    }

    private static double steadyOver(Case scenario, List<Run.Minute> minutes) {
        double over = 0;
        double best = 0;
        for (Run.Minute minute : minutes) {
            if (minute.hour() > scenario.settled() + SETTLING) {
                over += Math.max(0, minute.slots() - minute.best());
                best += minute.best();
            }
        }
        return best == 0 ? 0 : over / best;
    }

    private static int reversals(List<Run.Change> changes) {
        int reversals = 0;
        for (int i = 1; i < changes.size(); i++) {
            boolean turned = changes.get(i).up() != changes.get(i - 1).up();
            if (turned && changes.get(i).hour() - changes.get(i - 1).hour() < SOON) {
                reversals++;
            }
        }
        return reversals;
    }
}
