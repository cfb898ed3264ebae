// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Where savepoints and checkpoints lie. */
final class SimulatedFiles {
    /** Who has written what; it is remembered for ever. */
    private final Map<String, String> makers = new HashMap<>();

    private final TreeSet<String> there = new TreeSet<>();

    /**
     * Writes a savepoint.
     *
     * @param maker the uid of the snapshot that it was written for, or who else has asked for it
     * @return where it is
     */
    String write(String folder, String maker) {
        String path = folder + "/savepoint-" + (makers.size() + 1);
        keep(path, maker);
        return path;
    }

    /** Flink has written a checkpoint there. */
    void keep(String path, String maker) {
        makers.put(path, maker);
        there.add(path);
    }

    void delete(String path) {
        there.remove(path);
    }

    boolean isThere(String path) {
        return there.contains(path);
    }

    /** Whether {@code maker} has written {@code path}, be it there still or not. */
    boolean wasWrittenBy(String maker, String path) {
        return Optional.of(maker).equals(Optional.ofNullable(makers.get(path)));
    }

    boolean hasWritten(String maker) {
        return makers.containsValue(maker);
    }

    /** All savepoints that are there, in an order of their own. */
    List<String> savepoints() {
        return there.stream().filter(path -> path.contains("/savepoint-")).toList();
    }
}
