// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.world;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The storage that savepoints and checkpoints are written to. */
public final class DurableStates {
    /**
     * What a job had read when it was written.
     *
     * @param line which run from nothing it goes back to: positions of two lines say nothing of
     *     each other
     * @param position how many records of the source are in it
     */
    public record State(String path, int line, long position) {
        /** Whether a job that goes on from here has all that {@code other} has. */
        public boolean holds(State other) {
            return line == other.line && position >= other.position;
        }

        @Override
        public String toString() {
            return path + " (line " + line + " at " + position + ")";
        }
    }

    private final Map<String, State> written = new HashMap<>();
    private final Set<String> there = new HashSet<>();

    public State write(String path, int line, long position) {
        State state = new State(path, line, position);
        written.put(path, state);
        there.add(path);
        return state;
    }

    public void delete(String path) {
        there.remove(path);
    }

    /** What can be restored from the path. */
    public Optional<State> find(String path) {
        return Optional.ofNullable(written.get(path)).filter(_ -> there.contains(path));
    }

    /** Whether Flink has ever written there. */
    public boolean wasWritten(String path) {
        return written.containsKey(path);
    }

    /** Where there is something to be restored now. */
    public List<String> paths() {
        return there.stream().sorted().toList();
    }
}
