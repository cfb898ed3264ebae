// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.ordinary;

import static java.util.Comparator.comparingLong;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How long what took in one phase, in milliseconds, and what failed. */
public final class Measurements {
    private final Map<Action, List<Measured>> all = new EnumMap<>(Action.class);
    private final Map<Action, List<String>> failures = new EnumMap<>(Action.class);

    /**
     * An action is over now.
     *
     * @param name of the resource
     */
    void took(Action action, String name, long millis) {
        took(action, new Measured(name, InstantSource.system().instant(), millis));
    }

    public synchronized void took(Action action, Measured measured) {
        all.computeIfAbsent(action, _ -> new ArrayList<>()).add(measured);
    }

    synchronized void failed(Action action, String why) {
        failures.computeIfAbsent(action, _ -> new ArrayList<>()).add(why);
    }

    public synchronized int count(Action action) {
        return all.getOrDefault(action, List.of()).size();
    }

    public synchronized List<String> failures(Action action) {
        return List.copyOf(failures.getOrDefault(action, List.of()));
    }

    /** That not more than {@code 1 - share} of them exceed; 0 if there are none. */
    public synchronized long quantile(Action action, double share) {
        List<Measured> sorted = slowest(action);
        return sorted.isEmpty()
                ? 0
                : sorted.get(sorted.size() - Math.max(1, (int) Math.ceil(share * sorted.size())))
                        .millis();
    }

    /** All of them, the slowest first. */
    public synchronized List<Measured> slowest(Action action) {
        return all.getOrDefault(action, List.of()).stream()
                .sorted(comparingLong(Measured::millis).reversed())
                .toList();
    }
}
