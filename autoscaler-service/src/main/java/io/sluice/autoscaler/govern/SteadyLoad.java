// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A load that stays the same, and what the vertices could do by all that was measured meanwhile,
 * which says more than one window of metrics does. A job is fitted to it once: the noise that is
 * left would ask for another size again and again.
 *
 * @param since when it began; empty before the first full window
 * @param measuredSince since when the job has run as it runs now; empty if no window was full since
 * @param levels by vertex id
 * @param fitted whether the job was rescaled for it
 */
public record SteadyLoad(
        Optional<Instant> since,
        Optional<Instant> measuredSince,
        SortedMap<String, Level> levels,
        boolean fitted) {
    public static final SteadyLoad NONE =
            new SteadyLoad(Optional.empty(), Optional.empty(), Collections.emptySortedMap(), false);

    private static final Duration MEASURED = Duration.ofMinutes(30);

    /**
     * One vertex.
     *
     * @param rate records per second that came in when it began
     * @param capacity records per second if always busy, the mean of all looks; not finite if
     *     nobody could tell
     */
    public record Level(double rate, double capacity, int looks) {
        /** So far from where it began a rate may be, as a share of it. */
        private static final double SAME = 0.025;

        private static Level of(Vertex vertex) {
            return new Level(vertex.need().rate(), vertex.need().capacity(), 1);
        }

        private boolean isHeldBy(Vertex vertex) {
            return Math.abs(vertex.need().rate() - rate) <= SAME * rate;
        }

        private Level and(Vertex vertex) {
            double another = vertex.need().capacity();
            if (!Double.isFinite(another)) {
                return this;
            }
            return Double.isFinite(capacity)
                    ? new Level(rate, capacity + (another - capacity) / (looks + 1), looks + 1)
                    : new Level(rate, another, 1);
        }

        private Level unmeasured() {
            return new Level(rate, Double.NaN, 0);
        }
    }

    public SteadyLoad {
        levels = Collections.unmodifiableSortedMap(new TreeMap<>(levels));
    }

    /** With what a full window of metrics says. */
    public SteadyLoad seen(Proposal proposal) {
        SortedMap<String, Vertex> vertices = proposal.vertices();
        Optional<Instant> now = Optional.of(proposal.now());
        SortedMap<String, Level> next = new TreeMap<>();
        if (!isHeldBy(vertices)) {
            vertices.forEach((id, vertex) -> next.put(id, Level.of(vertex)));
            return new SteadyLoad(now, now, next, false);
        }
        vertices.forEach(
                (id, vertex) ->
                        next.put(id, levels.getOrDefault(id, Level.of(vertex)).and(vertex)));
        return new SteadyLoad(since, measuredSince.or(() -> now), next, fitted);
    }

    /** The job does not run as it ran: what it can do is measured again. */
    public SteadyLoad interrupted() {
        SortedMap<String, Level> next = new TreeMap<>();
        levels.forEach((id, level) -> next.put(id, level.unmeasured()));
        return new SteadyLoad(since, Optional.empty(), next, fitted);
    }

    /** The job is being rescaled for it. */
    public SteadyLoad met() {
        return new SteadyLoad(since, measuredSince, levels, true);
    }

    /**
     * Whether the job is to be fitted to it.
     *
     * @param least how long it has to have lasted; never if zero
     */
    public boolean lasts(Duration least, Instant now) {
        return !fitted
                && least.isPositive()
                && since.filter(at -> !at.plus(least).isAfter(now)).isPresent()
                && measuredSince.filter(at -> !at.plus(MEASURED).isAfter(now)).isPresent();
    }

    /**
     * The size that this load needs, by all that was measured; what is published where that is
     * nearly it, or the load has just ended to be the same.
     */
    public Proposal fit(Proposal asked, Sizing sizing, Budget budget) {
        if (!lasts(budget.calm(), asked.now())) {
            return asked.asPublished();
        }
        Proposal exact = sizing.exactly(measured(asked));
        return budget.isTooSmall(exact) && !exact.isUrgent() ? asked.asPublished() : exact;
    }

    private Proposal measured(Proposal proposal) {
        SortedMap<String, Vertex> vertices = new TreeMap<>();
        proposal.vertices()
                .forEach(
                        (id, vertex) -> {
                            Level level = levels.getOrDefault(id, Level.of(vertex));
                            vertices.put(
                                    id,
                                    vertex.withNeed(vertex.need().withCapacity(level.capacity())));
                        });
        return proposal.withVertices(vertices);
    }

    private boolean isHeldBy(SortedMap<String, Vertex> vertices) {
        return levels.keySet().equals(vertices.keySet())
                && vertices.entrySet().stream()
                        .allMatch(
                                each ->
                                        levels.getOrDefault(
                                                        each.getKey(), Level.of(each.getValue()))
                                                .isHeldBy(each.getValue()));
    }
}
