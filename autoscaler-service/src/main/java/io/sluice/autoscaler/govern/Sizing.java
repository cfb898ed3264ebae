// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.collect.EngineOptions;
import io.sluice.autoscaler.collect.JobOptions;
import io.sluice.rules.config.option.AutoscalerOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many subtasks a vertex really needs, where the engine wants a change. It asks for what is
 * needed when the next decision can be made, not for what was needed on average over the last
 * window; it knows how the vertex scales; and unless told otherwise it shares out key groups and
 * partitions so that the fullest subtask stays below the limit, instead of looking for a divisor.
 * The direction is the engine's: what it wants raised is never lowered, and the reverse.
 *
 * @param target utilization to size for, above 0 to 1
 * @param limit utilization the fullest subtask may have for an uneven share
 * @param least never fewer subtasks
 * @param most never more
 * @param faster the parallelism at most grows by this factor at once, from 0
 * @param slower the parallelism at most shrinks by this share at once, from 0 to 1
 * @param ahead how far the growth of the load is foreseen
 * @param alignment to partitions and key groups
 * @param scalability of each vertex
 */
public record Sizing(
        double target,
        double limit,
        int least,
        int most,
        double faster,
        double slower,
        Duration ahead,
        Alignment alignment,
        Scalability scalability) {
    private static final double FASTEST = 0.7;

    /** By so much more the fullest subtask may be busy than it is sized for. */
    private static final double UNEVEN = 0.04;

    /** By so much of a subtask a need may be too high before it costs another one. */
    private static final double ROUNDED = 0.05;

    /** So busy subtasks may be while they work off what waits; the rest is left for noise. */
    private static final double HEADROOM = 0.95;

    /** Slots that are there anyway are used for a load higher by this factor. */
    private static final double ROOM = 1.2;

    private static final Duration MUCH = Duration.ofMinutes(1);
    private static final double LEAST_LEVEL = 0.1;

    /**
     * As the options of a job have it. The next decision comes when the job has settled and a
     * window is full again; a load that grows is met with fewer rescales if it is foreseen three
     * times as far.
     */
    public static Sizing of(JobOptions options) {
        double target = EngineOptions.target(options);
        Duration window = options.duration(AutoscalerOptions.METRICS_WINDOW);
        Duration settled = options.duration(AutoscalerOptions.STABILIZATION_INTERVAL);
        return new Sizing(
                target,
                Math.min(target + UNEVEN, EngineOptions.upper(options)),
                options.integer(AutoscalerOptions.MIN_PARALLELISM, 1),
                options.integer(AutoscalerOptions.MAX_PARALLELISM, 1),
                options.number(AutoscalerOptions.SCALE_UP_MAX_FACTOR, 0),
                options.number(AutoscalerOptions.SCALE_DOWN_MAX_FACTOR, 0),
                window.plus(settled).multipliedBy(4),
                Alignment.of(options),
                Scalability.of(options));
    }

    /** The proposal with each change of the engine's sized anew. */
    public Proposal of(Proposal proposal) {
        return sized(proposal, new Demand(foreseen(proposal), proposal.envelope()), ROOM);
    }

    /** Likewise for a load that stays what it is: nothing is foreseen, and no room given. */
    Proposal exactly(Proposal proposal) {
        return sized(proposal, new Demand(1, proposal.envelope()), 1);
    }

    /**
     * What a vertex is sized for, both by what comes into it now.
     *
     * @param level what is expected, with subtasks as busy as the target says
     * @param envelope what comes in bursts, with subtasks as busy as they can be; if it is not 0,
     *     it says all
     */
    record Demand(double level, double envelope) {
        private Demand times(double room) {
            return new Demand(level * room, envelope);
        }
    }

    private Proposal sized(Proposal asked, Demand demand, double room) {
        Proposal proposal = Bottlenecks.respected(asked);
        Map<String, Integer> largest = new HashMap<>();
        proposal.vertices()
                .values()
                .forEach(
                        vertex -> largest.merge(vertex.sharing(), size(vertex, demand), Math::max));
        largest.replaceAll((_, slots) -> proposal.paid(slots));
        SortedMap<String, Vertex> sized = new TreeMap<>();
        proposal.vertices()
                .forEach(
                        (id, vertex) ->
                                sized.put(
                                        id,
                                        vertex.withProposed(
                                                roomy(
                                                        vertex,
                                                        demand,
                                                        room,
                                                        largest.getOrDefault(
                                                                vertex.sharing(),
                                                                vertex.running())))));
        return proposal.withVertices(sized);
    }

    /**
     * The largest vertex sets how many slots its group takes, in whole TaskManagers; up to it all
     * get room.
     */
    private int roomy(Vertex vertex, Demand demand, double room, int largest) {
        return Math.max(size(vertex, demand), Math.min(size(vertex, demand.times(room)), largest));
    }

    /**
     * The latest level and what growth adds to it. A load that falls may turn; but what came in a
     * burst that is over waits now, and is counted as that.
     */
    private double foreseen(Proposal proposal) {
        Trend trend = proposal.trend();
        boolean isBurst = proposal.lag() > MUCH.toSeconds();
        return Math.max(isBurst ? LEAST_LEVEL : 1, trend.level())
                * (1 + Math.clamp(trend.growth() * ahead.toSeconds(), 0, FASTEST));
    }

    /** Without the engine's wish nothing changes; without measures its wish stands. */
    private int size(Vertex vertex, Demand demand) {
        if (vertex.proposed() == vertex.running() || !vertex.need().isKnown()) {
            return vertex.proposed();
        }
        int wanted = within(needed(vertex, demand), vertex);
        return vertex.isRaised()
                ? Math.max(wanted, vertex.running())
                : Math.min(wanted, vertex.running());
    }

    /** The least parallelism whose fullest subtask is not too full. */
    int needed(Vertex vertex, Demand demand) {
        Vertex.Need need = vertex.need();
        double level = need.rate() * demand.level();
        double spare = (HEADROOM - target) / target * level;
        double bursts = need.rate() * demand.envelope() / HEADROOM;
        double wanted = Math.max(level / target + Math.max(0, need.backlog() - spare), bursts);
        double capacity = need.capacity() * vertex.unevenness(vertex.running());
        double even = scalability.subtasks(vertex, wanted / capacity);
        return vertex.groups() > 0
                ? shared(even, vertex)
                : Math.max(1, (int) Math.ceil(even - ROUNDED));
    }

    /**
     * Of the parallelisms that share the vertex's groups the one that its alignment asks for;
     * unless told otherwise, the least for which the fullest subtask is below the limit.
     *
     * @param even subtasks needed if each got the same
     */
    private int shared(double even, Vertex vertex) {
        int groups = vertex.groups();
        int first = Math.clamp((long) Math.ceil(even - ROUNDED), 1, groups);
        if (alignment != Alignment.FULLEST) {
            int ceiling = vertex.isLowered() ? vertex.running() : ceiling(vertex);
            return alignment.align(first, groups, least, Math.min(groups, ceiling));
        }
        for (int each = first; each < groups; each++) {
            double fullest = Math.ceilDiv(groups, each) * even / groups * target;
            if (fullest <= limit) {
                return each;
            }
        }
        return groups;
    }

    private int within(int wanted, Vertex vertex) {
        int running = vertex.running();
        int floor = Math.max(Math.min(running, least), (int) Math.ceil(running * (1 - slower)));
        int ceiling = ceiling(vertex);
        return Math.clamp(wanted, Math.min(floor, ceiling), ceiling);
    }

    private int ceiling(Vertex vertex) {
        int running = vertex.running();
        return (int)
                Math.min(
                        Math.min(vertex.highest(), Math.max(running, most)),
                        Math.ceil(running * (1 + faster)));
    }
}
