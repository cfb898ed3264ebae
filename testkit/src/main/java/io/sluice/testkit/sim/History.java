// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.util.ArrayList;
import java.util.List;

/** Every value something ever had, so that it can be read late. */
public final class History<T> {
    private final List<T> values = new ArrayList<>();

    public History(T first) {
        values.add(first);
    }

    public T latest() {
        return values.getLast();
    }

    /** Keeps {@code value} as the latest, unless it is what was there. */
    public void add(T value) {
        if (!value.equals(latest())) {
            values.add(value);
        }
    }

    /** A reader that starts with the latest value, as a watch does after its first list. */
    public LateReader<T> watch() {
        return new LateReader<>(this, values.size() - 1);
    }

    /** Reads in order, but not necessarily up to date. */
    public static final class LateReader<T> {
        private final History<T> history;
        private int position;

        private LateReader(History<T> history, int position) {
            this.history = history;
            this.position = position;
        }

        /**
         * What this reader knows; with a fault it lags behind, by as many values as the dice say.
         */
        public T read(Faults faults, Dice dice, int percent) {
            int newest = history.values.size() - 1;
            position =
                    faults.strikes(percent) ? position + dice.below(newest - position + 1) : newest;
            return history.values.get(position);
        }
    }
}
