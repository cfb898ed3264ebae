// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.habits;

import io.sluice.operator.deployment.simulation.SimulatedFramework;
import io.sluice.testkit.sim.Dice;
import java.time.Instant;
import java.util.Optional;

/**
 * A process of a JobManager that answers nobody for up to 25 minutes, from any moment on or from
 * the moment in which it is asked to stop its job. It stands still, or goes on with its work.
 */
public final class Hangs {
    private static final int LONGEST_SECONDS = 1500;

    private final SimulatedFramework.World world;
    private Optional<Object> hanging = Optional.empty();
    private Instant until = Instant.EPOCH;
    private boolean isFrozen;
    private boolean isAwaited;

    public Hangs(SimulatedFramework.World world) {
        this.world = world;
    }

    /** The next process that is asked to stop its job hangs. */
    public void await() {
        isAwaited = true;
    }

    /** Nothing hangs from now on that does not hang already. */
    public void end() {
        isAwaited = false;
    }

    /** {@code process} is asked to stop its job. */
    public void isToStop(Object process, Dice dice) {
        if (isAwaited) {
            begin(process, dice);
        }
    }

    public void begin(Object process, Dice dice) {
        isAwaited = false;
        hanging = Optional.of(process);
        isFrozen = dice.chance(50);
        int seconds = 60 + dice.below(LONGEST_SECONDS - 60);
        until = world.now().plusSeconds(seconds);
        world.trace(
                "! the JobManager answers nobody for "
                        + seconds
                        + " s"
                        + (isFrozen ? ", and stands still" : ""));
    }

    public boolean silences(Object process) {
        return hanging.filter(process::equals).isPresent() && world.now().isBefore(until);
    }

    /** Whether it also stands still. */
    public boolean stops(Object process) {
        return isFrozen && silences(process);
    }
}
