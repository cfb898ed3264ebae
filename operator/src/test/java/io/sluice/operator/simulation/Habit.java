// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import java.util.EnumSet;
import java.util.Set;

/** What users, administrators and tools do at any time; each of them in a share of the runs. */
enum Habit {
    /** Changes the upgrade mode between savepoint and last-state, with or without more. */
    CHANGES_MODE,
    /** Makes a job stateless, or a stateless job stateful. */
    CHANGES_TO_STATELESS,
    /** Goes back to any earlier spec, but keeps the nonces of the present one. */
    REVERTS,
    /** Goes back to any earlier spec with the nonces and the path that were in it. */
    REVERTS_NONCES,
    /** Switches high availability on and off in the spec. */
    CHANGES_AVAILABILITY,
    /** Switches high availability, and whether results are kept, in the operator's defaults. */
    CHANGES_DEFAULT_AVAILABILITY,
    /** Changes in the defaults where savepoints go, and leaves it to them. */
    CHANGES_DEFAULTS,
    /** Runs jobs that make no checkpoints. */
    MAKES_NO_CHECKPOINTS,
    /** Has checkpoints deleted when a job is cancelled, by the spec or the defaults. */
    DELETES_CHECKPOINTS,
    /** Another Flink version while the mode changes too. */
    CHANGES_VERSION_WITH_MODE,
    /** Expects to be told when a JobManager begins a job anew that had state. */
    NOTICES_LOSSES,
    /** Removes the path that a job at rest is to be resumed from. */
    REMOVES_PATH,
    /**
     * Removes a single field of the status, at most once for each that the operator writes. Several
     * cuts may hide from each other: without its attempt and its conditions a status can't be told
     * from another operator's.
     */
    CUTS_STATUS,
    /** Removes all of the status, or the specs in it, or makes them unreadable. */
    WIPES_STATUS;

    static Set<Habit> none() {
        return EnumSet.noneOf(Habit.class);
    }

    static Set<Habit> all() {
        return EnumSet.allOf(Habit.class);
    }

    /** All but what becomes of the status, whose decisions are not recorded. */
    static Set<Habit> ofUsers() {
        return EnumSet.complementOf(EnumSet.copyOf(exclusive()));
    }

    /**
     * Those that no run has both of: a status that was cut and then wiped can't be told from one of
     * another operator.
     */
    static Set<Habit> exclusive() {
        return EnumSet.of(CUTS_STATUS, WIPES_STATUS);
    }
}
