// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.util.List;
import java.util.Optional;

/** A world, who acts in it, and what must hold. */
public interface Scenario {
    /** Something that may happen next; a higher weight makes it likelier. */
    record Move(String name, int weight, Runnable happen) {
        /** Lets one of {@code moves} happen. */
        public static void any(List<Move> moves, Environment environment) {
            int lot = environment.dice().below(moves.stream().mapToInt(Move::weight).sum());
            int next = 0;
            while (lot >= moves.get(next).weight()) {
                lot -= moves.get(next).weight();
                next++;
            }
            environment.trace().add(moves.get(next).name());
            moves.get(next).happen().run();
        }
    }

    List<Move> moves();

    /** What may happen before each move, by {@link Environment#besides}. */
    default void besides() {}

    /** What is wrong now; checked after every move. Empty if nothing is. */
    Optional<String> violation();

    /** One orderly round after faults have ended: everybody has a turn and time passes. */
    void round();

    /** What is not yet as it has to be in the end; empty once it is. */
    Optional<String> unsettled();
}
