// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.util.List;
import java.util.Optional;

/** A world, who acts in it, and what must hold. */
public interface Scenario {
    /** Something that may happen next; a higher weight makes it likelier. */
    record Move(String name, int weight, Runnable happen) {}

    List<Move> moves();

    /** What is wrong now; checked after every move. Empty if nothing is. */
    Optional<String> violation();

    /** One orderly round after faults have ended: everybody has a turn and time passes. */
    void round();

    /** What is not yet as it has to be in the end; empty once it is. */
    Optional<String> unsettled();
}
