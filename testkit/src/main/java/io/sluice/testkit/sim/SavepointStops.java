// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import io.sluice.testkit.sim.FlinkProcess.Stop;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The stops with a savepoint that a JobManager's process was asked for, by trigger id, and what
 * came of them. They are lost with the process.
 */
final class SavepointStops {
    private static final Stop FAILED = new Stop.Failed(Optional.empty());

    private final FlinkStorage storage;
    private final Map<String, Stop> outcomes = new HashMap<>();

    /** Those that were asked for by one that had stood still, and knew of no other. */
    private final Set<String> late = new HashSet<>();

    SavepointStops(FlinkStorage storage) {
        this.storage = storage;
    }

    Optional<Stop> outcome(String triggerId) {
        return Optional.ofNullable(outcomes.get(triggerId));
    }

    /** The request is refused for good. */
    void refuse(String triggerId) {
        outcomes.put(triggerId, FAILED);
    }

    /** The request is the only one under way. */
    void begin(String triggerId, boolean isLate) {
        outcomes.put(triggerId, new Stop.InProgress());
        if (isLate) {
            late.add(triggerId);
        }
    }

    /** The request ends the one under way, and fails with it. */
    void collide(String triggerId, boolean isLate) {
        if (!isLate && !late.containsAll(pending())) {
            storage.violate("a second stop under another name kills the first");
        }
        failAll();
        refuse(triggerId);
    }

    void settle(String triggerId, Stop outcome) {
        outcomes.put(triggerId, outcome);
    }

    /** The job runs no more. */
    void failAll() {
        outcomes.replaceAll((_, stop) -> stop instanceof Stop.InProgress ? FAILED : stop);
    }

    /** Who asked for what is under way is not on record any more. */
    void forgetWhoAsked() {
        late.addAll(pending());
    }

    Set<String> pending() {
        return outcomes.entrySet().stream()
                .filter(entry -> entry.getValue() instanceof Stop.InProgress)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Those that failed without a savepoint. */
    Set<String> failed() {
        return outcomes.entrySet().stream()
                .filter(entry -> entry.getValue().equals(FAILED))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Whether one is under way, or has written a savepoint. */
    boolean hasUnfailed() {
        return outcomes.values().stream().anyMatch(stop -> !stop.equals(FAILED));
    }

    boolean hasSavepoint() {
        return outcomes.values().stream().anyMatch(SavepointStops::hasPath);
    }

    private static boolean hasPath(Stop stop) {
        return stop instanceof Stop.Completed
                || (stop instanceof Stop.Failed(var path) && path.isPresent());
    }
}
