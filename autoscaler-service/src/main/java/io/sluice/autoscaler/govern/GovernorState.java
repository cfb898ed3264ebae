// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.history.Arrivals;
import io.sluice.autoscaler.history.History;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the governor remembers of a job. Its entries in the job's ConfigMap stand beside those of
 * the Apache operator's layout, which leaves them alone.
 */
public record GovernorState(
        History history,
        SteadyLoad steadyLoad,
        Arrivals arrivals,
        Capacities capacities,
        Saturation saturation) {
    public static final GovernorState NONE =
            new GovernorState(
                    History.NONE, SteadyLoad.NONE, Arrivals.NONE, Capacities.NONE, Saturation.NONE);

    private static final String RESCALES = "governorRescales";

    /** What idles since the last rescale. */
    private static final String IDLE = "governorIdle";

    private static final String STEADY_LOAD = "governorSteadyLoad";
    private static final String ARRIVALS = "governorArrivals";
    private static final String CAPACITIES = "governorCapacities";
    private static final String SATURATION = "governorSaturation";
    private static final Set<String> HISTORY = Set.of(RESCALES, ARRIVALS, CAPACITIES, SATURATION);

    /**
     * Whether an entry still tells something after a time in which nobody looked at the job. What
     * idles and for how long the load has stayed the same does not.
     */
    public static boolean isHistory(String entry) {
        return HISTORY.contains(entry);
    }

    /** What {@link #text} wrote; without what can't be read. */
    public static GovernorState read(Map<String, String> entries, Instant now) {
        return new GovernorState(
                History.parse(entries.getOrDefault(RESCALES, ""))
                        .withIdle(entries.getOrDefault(IDLE, ""), now),
                SteadyLoadText.read(entries.getOrDefault(STEADY_LOAD, ""), now),
                Arrivals.read(entries.getOrDefault(ARRIVALS, ""), now),
                Capacities.read(entries.getOrDefault(CAPACITIES, ""), now),
                Saturation.read(entries.getOrDefault(SATURATION, ""), now));
    }

    /** Entries of the ConfigMap. */
    public SortedMap<String, String> text(Instant now) {
        NavigableMap<String, String> entries = new TreeMap<>();
        if (!history.rescales().isEmpty()) {
            entries.put(RESCALES, history.text());
        }
        history.idleText(now).ifPresent(idle -> entries.put(IDLE, idle));
        SteadyLoadText.of(steadyLoad).ifPresent(load -> entries.put(STEADY_LOAD, load));
        arrivals.text().ifPresent(text -> entries.put(ARRIVALS, text));
        capacities.text().ifPresent(text -> entries.put(CAPACITIES, text));
        saturation.text().ifPresent(text -> entries.put(SATURATION, text));
        return entries;
    }
}
