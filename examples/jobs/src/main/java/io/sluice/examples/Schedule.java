// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * How many records are due over time, counted from the job's first start: a pure function of the
 * elapsed time, so that a restored job goes on where the curve is by now.
 */
sealed interface Schedule extends Serializable {

    /** Records per second at a moment. */
    double rate(Duration elapsed);

    /** The number of records due until a moment: the integral of the rate. */
    double due(Duration elapsed);

    /** A rate from a moment on. */
    record Step(Duration start, double rate) implements Serializable {}

    /** Rates that change abruptly; the last one stays. */
    record Steps(List<Step> steps) implements Schedule {

        public Steps {
            steps = List.copyOf(steps);
        }

        @Override
        public double rate(Duration elapsed) {
            double rate = 0;
            for (Step step : steps) {
                if (step.start().compareTo(elapsed) <= 0) {
                    rate = step.rate();
                }
            }
            return rate;
        }

        @Override
        public double due(Duration elapsed) {
            double due = 0;
            for (int i = 0; i < steps.size(); i++) {
                Duration end = i + 1 < steps.size() ? steps.get(i + 1).start() : elapsed;
                Duration until = end.compareTo(elapsed) < 0 ? end : elapsed;
                due +=
                        steps.get(i).rate()
                                * Math.max(0, seconds(until.minus(steps.get(i).start())));
            }
            return due;
        }
    }

    /** A wave that begins at its lowest rate. */
    record Sine(double low, double high, Duration period) implements Schedule {

        @Override
        public double rate(Duration elapsed) {
            return middle() - swing() * Math.cos(angle(elapsed));
        }

        @Override
        public double due(Duration elapsed) {
            double perRadian = seconds(period) / (2 * Math.PI);
            return middle() * seconds(elapsed) - swing() * perRadian * Math.sin(angle(elapsed));
        }

        private double middle() {
            return (low + high) / 2;
        }

        private double swing() {
            return (high - low) / 2;
        }

        private double angle(Duration elapsed) {
            return 2 * Math.PI * seconds(elapsed) / seconds(period);
        }
    }

    /** Another schedule, begun anew again and again. */
    record Repeated(Schedule once, Duration every) implements Schedule {

        @Override
        public double rate(Duration elapsed) {
            return once.rate(rest(elapsed));
        }

        @Override
        public double due(Duration elapsed) {
            return elapsed.dividedBy(every) * once.due(every) + once.due(rest(elapsed));
        }

        private Duration rest(Duration elapsed) {
            return elapsed.minus(every.multipliedBy(elapsed.dividedBy(every)));
        }
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
