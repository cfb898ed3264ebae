// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.CallFault;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The processes of one operator: which of them leads, whose calls are made, and what others do
 * between two of them.
 */
public final class SimulatedProcesses<P extends SimulatedProcesses.Process> {
    /** One of them. */
    public interface Process {
        boolean isDead();

        /** It ends. */
        void close();

        /** Another one leads from now on. */
        void resign();

        /** How many writes it has tried. */
        int writes();

        /** What befalls its call to the API server. */
        CallFault fault(ApiCall call);
    }

    private final SimulatedFramework.World world;
    private final Supplier<P> begun;
    private Optional<P> leading = Optional.empty();
    private Optional<P> acting = Optional.empty();
    private boolean isBesides;
    private boolean hasStoodStill;
    private int writesBefore;

    /**
     * @param begun makes a process that knows nothing
     */
    public SimulatedProcesses(SimulatedFramework.World world, Supplier<P> begun) {
        this.world = world;
        this.begun = begun;
    }

    /** The process that leads; the first one begins when it is asked for. */
    public P leading() {
        if (leading.isEmpty()) {
            leading = Optional.of(begun.get());
        }
        return leading.get();
    }

    /** How many writes they have tried. */
    public int writes() {
        return writesBefore + leading().writes();
    }

    /** Whether one has stood still while another one acted. */
    public boolean haveStoodStill() {
        return hasStoodStill;
    }

    /** The world itself looks or acts, and nobody disturbs it. */
    public <T> T quietly(Supplier<T> look) {
        Optional<P> before = acting;
        acting = Optional.empty();
        try {
            return look.get();
        } finally {
            acting = before;
        }
    }

    /** Does {@code turn} as the process whose calls they are. */
    public void act(P process, Runnable turn) {
        Optional<P> before = acting;
        acting = Optional.of(process);
        try {
            turn.run();
        } finally {
            acting = before;
        }
    }

    /** Whether a process acts, and not the world. */
    public boolean isActing() {
        return acting.isPresent();
    }

    public CallFault fault(ApiCall call) {
        return acting.map(it -> it.fault(call)).orElse(CallFault.NONE);
    }

    /**
     * Others act between two calls of a process, or another process takes over.
     *
     * @param others what they do
     * @param turn of the process that takes over, and of all that is around it
     */
    public void meanwhile(P process, Runnable others, Runnable turn) {
        if (isBesides) {
            return;
        }
        isBesides = true;
        try {
            if (world.strikes(6)) {
                quietly(
                        () -> {
                            others.run();
                            return true;
                        });
            }
            if (leading.filter(it -> it == process).isPresent() && world.strikes(1)) {
                takeOver(process, turn);
            }
        } finally {
            isBesides = false;
        }
    }

    /** A process stands still for longer than its lease, and goes on when another has acted. */
    private void takeOver(P still, Runnable turn) {
        world.trace("! the operator stands still, and another takes over");
        hasStoodStill = true;
        quietly(
                () -> {
                    writesBefore += still.writes();
                    still.resign();
                    leading = Optional.of(begun.get());
                    for (int turns = world.dice().below(12); turns >= 0; turns--) {
                        turn.run();
                        restartIfDead();
                    }
                    return true;
                });
        world.trace("! the one that stood still goes on");
    }

    /** A process that has ended is started again, and knows nothing. */
    public void restartIfDead() {
        if (leading().isDead()) {
            writesBefore += leading().writes();
            leading().close();
            leading = Optional.of(begun.get());
        }
    }
}
