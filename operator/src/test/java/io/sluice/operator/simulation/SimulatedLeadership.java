// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import io.sluice.operator.leadership.LeadershipGuard;
import io.sluice.operator.simulation.flaw.LeadershipFlaws;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.Scenario.Move;
import io.sluice.testkit.sim.SimulatedFault;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which of an operator's processes leads. One may stand still in the middle of a reconciliation,
 * before something that it is about to do: the world goes on, the other one may lead meanwhile, and
 * the first goes on where it stood, until it notices and ends. A network that is cut has no move of
 * its own: a leader that can't renew its lease has ended before another may take it.
 */
final class SimulatedLeadership {
    private static final int LONGEST = 40;

    private final Environment environment;
    private final Set<LeadershipFlaws> flaws;
    private final int count;
    private List<Move> meanwhile = List.of();
    private int leader;
    private int passing;
    private Optional<Integer> standing = Optional.empty();

    /** Whether the process whose pass is under way has stood still in it. */
    private boolean stood;

    private IntConsumer start = _ -> {};
    private IntConsumer stands = _ -> {};

    private SimulatedLeadership(Environment environment, Set<LeadershipFlaws> flaws, int count) {
        this.environment = environment;
        this.flaws = flaws;
        this.count = count;
    }

    /** A process that is alone, and never stands still. */
    static SimulatedLeadership alone(Environment environment) {
        return new SimulatedLeadership(environment, LeadershipFlaws.none(), 1);
    }

    static SimulatedLeadership ofTwo(Environment environment, Set<LeadershipFlaws> flaws) {
        return new SimulatedLeadership(environment, flaws, 2);
    }

    boolean has(LeadershipFlaws flaw) {
        return flaws.contains(flaw);
    }

    /**
     * Starts all of them.
     *
     * @param process of a number, which remembers nothing, in place of the one before
     * @param stood what goes on of what one had begun that stands still from now on
     */
    void start(IntConsumer process, IntConsumer stood) {
        start = process;
        stands = stood;
        IntStream.range(0, count).forEach(process);
    }

    int leader() {
        return leader;
    }

    /** Whether the process whose pass is under way leads. */
    boolean leads() {
        return passing == leader;
    }

    /** Whether it has stood still in this pass: what it saw may be otherwise now. */
    boolean hasStood() {
        return stood;
    }

    /** Whether that process stands still, and all its threads with it. */
    boolean isStanding(int number) {
        return standing.equals(Optional.of(number));
    }

    /**
     * @return {@code moves}, and that another one leads
     */
    List<Move> with(List<Move> moves) {
        meanwhile = moves;
        return count == 1
                ? moves
                : Stream.concat(moves.stream(), Stream.of(new Move("another leads", 2, this::next)))
                        .toList();
    }

    /** The guard asks whether the process that reconciles now leads. */
    LeadershipGuard leadershipGuard() {
        int who = passing;
        return new LeadershipGuard(() -> leader == who);
    }

    /**
     * A reconciliation of the one that leads, unless that stands still.
     *
     * @param begin one of the process of that number
     */
    void pass(IntConsumer begin) {
        int who = leader;
        if (isStanding(who)) {
            return;
        }
        int interrupted = passing;
        boolean stoodBefore = stood;
        passing = who;
        stood = false;
        try {
            begin.accept(who);
        } catch (SimulatedFault.Crash _) {
            start.accept(who);
        } catch (SimulatedFault.LostCall lostCall) {
            environment.trace().add("      retries after " + lostCall.getMessage());
        } catch (LeadershipGuard.NotLeading _) {
            environment.trace().add("      does not lead any more");
        }
        if (who != leader) {
            start.accept(who);
        }
        passing = interrupted;
        stood = stoodBefore;
    }

    /** Before the passing process does something that others may see. */
    void pause() {
        if (count == 1 || standing.isPresent()) {
            return;
        }
        if (passing != leader) {
            if (environment.dice().chance(30)) {
                throw environment.faults().crash("it did more without its lease");
            }
            return;
        }
        if (environment.faults().strikes(5)) {
            standStill();
        }
    }

    private void standStill() {
        standing = Optional.of(passing);
        stands.accept(passing);
        if (environment.dice().chance(70)) {
            leader = (leader + 1) % count;
        }
        environment.trace().add("      " + passing + " stands still, " + leader + " leads");
        for (int move = environment.dice().below(LONGEST); move >= 0; move--) {
            Move.any(meanwhile, environment);
        }
        environment.trace().add("      " + passing + " goes on");
        standing = Optional.empty();
        stood = true;
    }

    /** The former leader has ended, and a new process stands by. */
    private void next() {
        if (standing.isPresent()) {
            return;
        }
        start.accept(leader);
        leader = (leader + 1) % count;
    }
}
