/**
 * The seeded simulator: {@link io.sluice.testkit.sim.Simulation} interleaves the moves of a {@link
 * io.sluice.testkit.sim.Scenario} with faults, and checks after each of them what must never
 * happen.
 */
@NullMarked
package io.sluice.testkit.sim;

import org.jspecify.annotations.NullMarked;
