// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.world;

import io.sluice.operator.deployment.simulation.SimulatedFramework;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.CallFault;
import io.sluice.testkit.sim.SimulatedClock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The processes of the operator, of which one leads: whose calls are made now, and what else
 * happens between two of them.
 */
public final class OperatorProcesses<P extends OperatorProcesses.Replica> {
    private static final Duration TURN = Duration.ofSeconds(2);
    private static final int MOST_TURNS = 300;

    /** One of them. */
    public interface Replica {
        /** What the framework does in it. */
        SimulatedFramework<?> framework();

        /** Looks at what is due, by what the watches have brought so far. */
        default void pass() {
            framework().pass();
        }

        /** Whether there is something to do at once. */
        default boolean isBusy() {
            return framework().isBusy();
        }

        /** One of its threads does its step. */
        default void work() {}

        /** While one of its threads waits for an answer, the others go on. */
        default void goOnBesides() {}

        /** Nobody ends the threads of a process that leads no more, until it ends itself. */
        default void workWithoutLeading() {}

        /** What befalls a call of it to the API server. */
        default CallFault fault(ApiCall call) {
            return framework().fault(call);
        }

        default boolean isDead() {
            return framework().isDead();
        }

        /** The process ends. */
        default void close() {
            framework().close();
        }

        /** Another process leads from now on. */
        default void resign() {
            framework().resign();
        }

        /** How many writes it has tried. */
        default int writes() {
            return framework().writes();
        }

        /** Whether this process makes no call, or learns nothing of one, to a JobManager. */
        default boolean isCutOff(String what) {
            return framework().isCutOff(what);
        }
    }

    private final SimulatedFramework.World world;
    private final SimulatedClock clock;
    private final Supplier<P> process;
    private final Runnable elsewhere;
    private Optional<P> leading = Optional.empty();
    private Optional<P> acting = Optional.empty();
    private Optional<Runnable> besides = Optional.empty();
    private boolean isBesides;
    private boolean hasStoodStill;
    private boolean isStandingStill;
    private int writesBefore;

    /**
     * @param process begins one that leads
     * @param elsewhere what goes on beside them, a step of it
     */
    public OperatorProcesses(
            SimulatedFramework.World world,
            SimulatedClock clock,
            Supplier<P> process,
            Runnable elsewhere) {
        this.world = world;
        this.clock = clock;
        this.process = process;
        this.elsewhere = elsewhere;
    }

    /** Begins another process, which leads. */
    public void begin() {
        leading = Optional.of(process.get());
    }

    /** The process that leads. */
    public P leading() {
        return leading.orElseThrow();
    }

    /** Whether a process has stood still, and gone on when another one had acted. */
    public boolean hasStoodStill() {
        return hasStoodStill;
    }

    /** Whether a process does, while another one acts. */
    public boolean isStandingStill() {
        return isStandingStill;
    }

    public int writes() {
        return writesBefore + leading().writes();
    }

    /** The world itself looks or acts, and nobody disturbs it. */
    public <T> T quietly(Supplier<T> look) {
        return as(Optional.empty(), look);
    }

    /** Does {@code turn} as the process whose calls they are. */
    public void act(P process, Runnable turn) {
        as(
                Optional.of(process),
                () -> {
                    turn.run();
                    return true;
                });
    }

    private <T> T as(Optional<P> next, Supplier<T> turn) {
        Optional<P> before = acting;
        acting = next;
        try {
            return turn.get();
        } finally {
            acting = before;
        }
    }

    /** Whether a process acts, and not the world. */
    public boolean isActing() {
        return acting.isPresent();
    }

    /** What befalls a call to the API server. */
    public CallFault fault(ApiCall call) {
        return acting.map(it -> it.fault(call)).orElse(CallFault.NONE);
    }

    /** What may happen between two calls of the operator. */
    public void besides(Runnable move) {
        besides = Optional.of(move);
    }

    /** Others act between two calls of a process, or another process takes over. */
    public void meanwhile(P process) {
        if (isBesides) {
            return;
        }
        isBesides = true;
        try {
            if (world.strikes(6)) {
                quietly(
                        () -> {
                            besides.ifPresent(Runnable::run);
                            return true;
                        });
            }
            process.goOnBesides();
            if (process.equals(leading()) && world.strikes(1)) {
                takeOver(process);
            }
        } finally {
            isBesides = false;
        }
    }

    /** A process stands still for longer than its lease, and goes on when another has acted. */
    private void takeOver(P still) {
        world.trace("! the operator stands still, and another takes over");
        hasStoodStill = true;
        isStandingStill = true;
        quietly(
                () -> {
                    writesBefore += still.writes();
                    still.resign();
                    begin();
                    for (int turn = world.dice().below(12); turn >= 0; turn--) {
                        clock.advance(TURN);
                        leading().pass();
                        leading().work();
                        restartIfDead();
                        elsewhere.run();
                    }
                    still.workWithoutLeading();
                    return true;
                });
        isStandingStill = false;
        world.trace("! the one that stood still goes on");
    }

    /** A process that has ended is started again, and knows nothing. */
    public void restartIfDead() {
        if (leading().isDead()) {
            writesBefore += leading().writes();
            leading().close();
            begin();
        }
    }

    /**
     * Looks as often as it is due now.
     *
     * @return whether it has come to rest
     */
    public boolean passAll() {
        P process = leading();
        for (int turn = 0; turn < MOST_TURNS; turn++) {
            process.pass();
            process.work();
            if (process.isDead() || !process.isBusy()) {
                return true;
            }
        }
        return false;
    }
}
