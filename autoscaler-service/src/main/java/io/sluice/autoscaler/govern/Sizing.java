// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.collect.EngineOptions;
import io.sluice.autoscaler.collect.JobOptions;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many subtasks a vertex really needs, where the engine wants a change. It asks for what is
 * needed when the next decision can be made, not for what was needed on average over the last
 * window; it knows how the vertex scales; and it shares out key groups and partitions so that the
 * fullest subtask stays below the limit, instead of looking for a divisor. The direction is the
 * engine's: what it wants raised is never lowered, and the reverse.
 *
 * @param target utilization to size for, above 0 to 1
 * @param limit utilization the fullest subtask may have for an uneven share
 * @param least never fewer subtasks
 * @param most never more
 * @param faster the parallelism at most grows by this factor at once, from 0
 * @param slower the parallelism at most shrinks by this share at once, from 0 to 1
 * @param ahead how far the growth of the load is foreseen
 */
public record Sizing(
        double target,
        double limit,
        int least,
        int most,
        double faster,
        double slower,
        Duration ahead) {
    private static final double FASTEST = 0.6;

    /** By so much of a subtask a need may be too high before it costs another one. */
    private static final double ROUNDED = 0.05;

    private static final Duration WINDOW = Duration.ofMinutes(15);
    private static final Duration STABILIZATION = Duration.ofMinutes(5);

    /**
     * As the options of a job have it. The next decision comes when the job has settled and a
     * window is full again; a load that grows is met with fewer rescales if it is foreseen three
     * times as far.
     */
    public static Sizing of(JobOptions options) {
        double target = EngineOptions.target(options);
        Duration window = options.duration("metrics.window").orElse(WINDOW);
        Duration settled = options.duration("stabilization.interval").orElse(STABILIZATION);
        return new Sizing(
                target,
                target + (EngineOptions.upper(options) - target) / 3,
                options.integer("vertex.min-parallelism", 1).orElse(1),
                options.integer("vertex.max-parallelism", 1).orElse(200),
                options.number("scale-up.max-factor", 0).orElse(100_000.0),
                options.number("scale-down.max-factor", 0).orElse(0.9),
                window.plus(settled).multipliedBy(3));
    }

    /** The proposal with each change of the engine's sized anew. */
    public Proposal of(Proposal proposal) {
        double factor = foreseen(proposal.trend());
        SortedMap<String, Vertex> sized = new TreeMap<>();
        proposal.vertices()
                .forEach((id, vertex) -> sized.put(id, vertex.proposing(size(vertex, factor))));
        return proposal.with(sized);
    }

    /** The latest level and what growth adds to it. A load that falls may turn. */
    private double foreseen(Trend trend) {
        return Math.max(1, trend.level())
                * (1 + Math.clamp(trend.growth() * ahead.toSeconds(), 0, FASTEST));
    }

    /** Without the engine's wish nothing changes; without measures its wish stands. */
    private int size(Vertex vertex, double factor) {
        if (vertex.proposed() == vertex.running() || !vertex.need().isKnown()) {
            return vertex.proposed();
        }
        int wanted = within(needed(vertex, factor), vertex);
        return vertex.isRaised()
                ? Math.max(wanted, vertex.running())
                : Math.min(wanted, vertex.running());
    }

    /** The least parallelism whose fullest subtask is not too full. */
    int needed(Vertex vertex, double factor) {
        Vertex.Need need = vertex.need();
        double wanted = need.rate() * factor / target + need.backlog();
        double even =
                vertex.running() * Math.pow(wanted / need.capacity(), 1 / Curve.exponent(vertex));
        return vertex.groups() > 0
                ? shared(even, vertex.groups())
                : Math.max(1, (int) Math.ceil(even - ROUNDED));
    }

    /**
     * Of the parallelisms that share {@code groups} the least for which the fullest subtask is
     * below the limit.
     *
     * @param even subtasks needed if each got the same
     */
    private int shared(double even, int groups) {
        int first = Math.clamp((long) Math.ceil(even - ROUNDED), 1, groups);
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
        int ceiling =
                (int)
                        Math.min(
                                Math.min(vertex.highest(), Math.max(running, most)),
                                Math.ceil(running * (1 + faster)));
        return Math.clamp(wanted, Math.min(floor, ceiling), ceiling);
    }
}
