// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.collect.Footprint;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a job takes, and what its load needs if every subtask is as busy as the target utilization
 * says. Whole TaskManagers cost, whether all their slots are used or not.
 *
 * @param slots that it has
 * @param neededSlots empty while the rate or the capacity of a vertex is not known
 * @param costPerHour empty without prices
 * @param neededCostPerHour empty without prices, or while the needed slots are not known
 */
public record Consumption(
        int slots,
        Optional<Integer> neededSlots,
        Optional<Double> costPerHour,
        Optional<Double> neededCostPerHour) {

    /**
     * @param seen the job as it runs
     * @param target utilization, above 0 to 1
     */
    public static Consumption of(Proposal seen, double target, Prices prices) {
        Optional<Integer> needed = needed(seen, target);
        return new Consumption(
                seen.slotsNow(),
                needed,
                prices.perHour(seen.footprintNow()),
                needed.flatMap(
                        slots ->
                                prices.perHour(
                                        Footprint.of(
                                                slots, seen.slotsEach(), seen.taskManager()))));
    }

    private static Optional<Integer> needed(Proposal seen, double target) {
        Map<String, Integer> largest = new HashMap<>();
        for (Vertex vertex : seen.vertices().values()) {
            Optional<Integer> subtasks = needed(vertex, target);
            if (subtasks.isEmpty()) {
                return Optional.empty();
            }
            largest.merge(vertex.sharing(), subtasks.get(), Math::max);
        }
        return Optional.of(largest.values().stream().mapToInt(Integer::intValue).sum());
    }

    private static Optional<Integer> needed(Vertex vertex, double target) {
        Vertex.Need need = vertex.need();
        if (need.idles()) {
            return Optional.of(1);
        }
        double subtasks = Math.ceil(vertex.running() * need.rate() / (need.capacity() * target));
        return need.isKnown()
                ? Optional.of((int) Math.clamp(subtasks, 1, vertex.highest()))
                : Optional.empty();
    }
}
