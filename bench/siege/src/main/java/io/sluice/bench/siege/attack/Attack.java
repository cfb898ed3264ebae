// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.attack;

/** What one kind of attacker does again and again, until its thread is interrupted. */
interface Attack {
    /** The pause after each turn, milliseconds. */
    long pauseMillis();

    /** One step; what it throws is counted, and the next turn comes all the same. */
    void turn(long number) throws Exception;
}
