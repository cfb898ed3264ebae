/**
 * The seeded simulator: {@link io.sluice.testkit.sim.Simulation} interleaves the moves of a {@link
 * io.sluice.testkit.sim.Scenario} with faults and checks what must never happen after each of them.
 * {@link io.sluice.testkit.sim.World} is a Kubernetes with Flink in it, small enough to run a
 * hundred thousand steps a second.
 */
@NullMarked
package io.sluice.testkit.sim;

import org.jspecify.annotations.NullMarked;
