// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import io.sluice.testkit.sim.FlinkProcess.Stop;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a JobManager's process was asked to save while its job runs, or to delete, and what came of
 * it. It is lost with the process.
 */
final class Savings {
    /**
     * @param cause what the operator asks for, whatever the name it asks under
     */
    private record Asked(String cause, boolean savepoint, Stop outcome) {}

    private static final Stop FAILED = new Stop.Failed(Optional.empty());

    private final FlinkStorage storage;
    private final Map<String, Asked> asked = new LinkedHashMap<>();
    private final Map<String, Boolean> disposals = new HashMap<>();

    Savings(FlinkStorage storage) {
        this.storage = storage;
    }

    /** Taken up whatever the job is like; the same name again changes nothing. */
    void ask(String triggerId, String cause, boolean savepoint, boolean lives) {
        if (asked.containsKey(triggerId)) {
            return;
        }
        boolean again =
                asked.values().stream()
                        .filter(other -> other.cause().equals(cause))
                        .anyMatch(other -> !other.outcome().equals(FAILED));
        if (again) {
            storage.violate("asked twice for " + cause);
        }
        asked.put(triggerId, new Asked(cause, savepoint, lives ? new Stop.InProgress() : FAILED));
    }

    /** That they were asked for is not on record any more: they may be asked for again. */
    void forgetCauses() {
        asked.replaceAll((id, was) -> new Asked(id, was.savepoint(), was.outcome()));
    }

    Optional<Stop> outcome(String triggerId) {
        return Optional.ofNullable(asked.get(triggerId)).map(Asked::outcome);
    }

    Optional<String> pending() {
        return asked.entrySet().stream()
                .filter(entry -> entry.getValue().outcome() instanceof Stop.InProgress)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    boolean isSavepoint(String triggerId) {
        return Optional.ofNullable(asked.get(triggerId)).filter(Asked::savepoint).isPresent();
    }

    void settle(String triggerId, Stop outcome) {
        asked.computeIfPresent(
                triggerId, (_, was) -> new Asked(was.cause(), was.savepoint(), outcome));
    }

    void fail(String triggerId) {
        settle(triggerId, FAILED);
    }

    /** The job runs no more. */
    void failAll() {
        asked.keySet().stream()
                .filter(id -> outcome(id).orElseThrow() instanceof Stop.InProgress)
                .toList()
                .forEach(this::fail);
    }

    /** Deletes the savepoint at {@code path}, unless that fails; returns the request's name. */
    String dispose(String path, Set<String> needed, boolean fails) {
        String request = "disposal-" + disposals.size();
        disposals.put(request, !fails);
        if (!fails) {
            storage.dispose(path, needed);
        }
        return request;
    }

    /** Whether it was deleted; empty if this process was never asked. */
    Optional<Boolean> disposal(String request) {
        return Optional.ofNullable(disposals.get(request));
    }
}
