// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.ordinary;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How long what took in one phase, in milliseconds, and what failed. */
public final class Measurements {
    private final Map<Action, List<Long>> millis = new EnumMap<>(Action.class);
    private final Map<Action, List<String>> failures = new EnumMap<>(Action.class);

    public synchronized void took(Action action, long time) {
        millis.computeIfAbsent(action, _ -> new ArrayList<>()).add(time);
    }

    synchronized void failed(Action action, String why) {
        failures.computeIfAbsent(action, _ -> new ArrayList<>()).add(why);
    }

    public synchronized int count(Action action) {
        return millis.getOrDefault(action, List.of()).size();
    }

    public synchronized List<String> failures(Action action) {
        return List.copyOf(failures.getOrDefault(action, List.of()));
    }

    /** That not more than {@code 1 - share} of them exceed; 0 if there are none. */
    public synchronized long quantile(Action action, double share) {
        List<Long> sorted = new ArrayList<>(millis.getOrDefault(action, List.of()));
        Collections.sort(sorted);
        return sorted.isEmpty()
                ? 0
                : sorted.get(Math.max(0, (int) Math.ceil(share * sorted.size()) - 1));
    }
}
