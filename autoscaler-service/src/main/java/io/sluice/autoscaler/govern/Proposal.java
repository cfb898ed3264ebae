// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.collect.Footprint;
import io.sluice.autoscaler.history.Direction;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What would be published, beside what runs.
 *
 * @param vertices by vertex id
 * @param trend where the load goes
 * @param shortFor how long the job has been unable to keep up or late, without a break; zero if it
 *     is neither
 * @param pendingFor how long what was published has not come about; zero if the job runs as
 *     published
 * @param restart how long a rescale stops the job: measured, or what is expected
 * @param taskManager what one TaskManager takes
 * @param slotsEach how many slots it offers
 * @param paidTogether how many slots are paid for together: those of a TaskManager, or 1 where
 *     other jobs use the rest or a rescale costs nothing
 * @param envelope what the job has to be able to do for the bursts of the last hours, by what comes
 *     in now; 0 without bursts
 */
@RecordBuilder
public record Proposal(
        Instant now,
        Health health,
        SortedMap<String, Vertex> vertices,
        Trend trend,
        Duration shortFor,
        Duration pendingFor,
        Duration restart,
        Footprint taskManager,
        int slotsEach,
        int paidTogether,
        double envelope)
        implements ProposalBuilder.With {
    public Proposal {
        vertices = Collections.unmodifiableSortedMap(new TreeMap<>(vertices));
    }

    /** Everything as it is published. */
    Proposal asPublished() {
        SortedMap<String, Vertex> others = new TreeMap<>();
        vertices.forEach((id, vertex) -> others.put(id, vertex.withProposed(vertex.published())));
        return withVertices(others);
    }

    /** Whether the job runs as it was published. */
    public boolean isAsPublished() {
        return vertices.values().stream()
                .allMatch(vertex -> vertex.running() == vertex.published());
    }

    /** Overrides of all vertices. */
    public SortedMap<String, Integer> overrides() {
        SortedMap<String, Integer> overrides = new TreeMap<>();
        vertices.forEach((id, vertex) -> overrides.put(id, vertex.proposed()));
        return overrides;
    }

    boolean changesNothing() {
        return vertices.values().stream()
                .allMatch(vertex -> vertex.proposed() == vertex.published());
    }

    Direction direction() {
        return vertices.values().stream().anyMatch(Vertex::isRaised)
                ? Direction.UP
                : Direction.DOWN;
    }

    /** Whether a vertex that gets more can't keep up as it is. */
    public boolean isUrgent() {
        return vertices.values().stream()
                .anyMatch(vertex -> vertex.isRaised() && vertex.need().isSwamped());
    }

    /** Whether a source tells how many records wait. */
    boolean tellsWaiting() {
        return sources().anyMatch(source -> Double.isFinite(source.waiting()));
    }

    /** Whether a vertex can't keep up as it is, whether it gets more or not. */
    boolean isSwamped() {
        return vertices.values().stream().anyMatch(vertex -> vertex.need().isSwamped());
    }

    /** Records a second that all sources together take in, so far as that is known. */
    public double arrivals() {
        return sources().mapToDouble(Vertex.Need::rate).sum();
    }

    /** What waits at the sources, in seconds of what comes in; 0 if no source tells. */
    double lag() {
        double waiting = sources().mapToDouble(Vertex.Need::waiting).filter(Double::isFinite).sum();
        double arrivals = arrivals();
        return arrivals > 0 ? waiting / arrivals : 0;
    }

    private Stream<Vertex.Need> sources() {
        return vertices.values().stream()
                .filter(vertex -> vertex.inputs().isEmpty())
                .map(Vertex::need)
                .filter(Vertex.Need::isKnown);
    }

    /**
     * By which factor what comes in could grow before a vertex, with the subtasks that run, can't
     * do it; not finite if no vertex can be judged.
     */
    private double reserve() {
        return vertices.values().stream()
                .map(Vertex::need)
                .filter(need -> need.isKnown() && need.rate() > 0)
                .mapToDouble(need -> need.capacity() / need.rate())
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /**
     * Whether what waits is worked off within this time by what runs, bursts included.
     *
     * @param upper utilization above which more is needed, whatever waits
     */
    boolean catchesUpWithin(Duration time, double upper) {
        double spare = reserve() / Math.max(trend.level(), envelope);
        return lag() > 0
                && Double.isFinite(spare)
                && spare * upper >= 1
                && lag() <= time.toSeconds() * (spare - 1);
    }

    /** Slots of whole TaskManagers, which cost whether they are used or not. */
    int paidNow() {
        return paid(slotsNow());
    }

    int paidThen() {
        return paid(slotsThen());
    }

    int paid(int slots) {
        int together = Math.max(1, paidTogether);
        return Math.ceilDiv(slots, together) * together;
    }

    int slotsNow() {
        return slots(Vertex::running);
    }

    int slotsThen() {
        return slots(Vertex::proposed);
    }

    /** What the job takes with the proposal, and with what runs. */
    Footprint footprintThen() {
        return Footprint.of(slotsThen(), slotsEach, taskManager);
    }

    Footprint footprintNow() {
        return Footprint.of(slotsNow(), slotsEach, taskManager);
    }

    /** What the job will take more than now; nothing of what it takes less. */
    public Footprint added() {
        Footprint more = footprintThen().minus(footprintNow());
        return new Footprint(Math.max(0, more.cores()), Math.max(0, more.memory()));
    }

    /** The subtasks of one slot sharing group lie on each other: its largest vertex counts. */
    private int slots(ToIntFunction<Vertex> parallelism) {
        Map<String, Integer> most =
                vertices.values().stream()
                        .collect(
                                Collectors.toMap(
                                        Vertex::sharing, parallelism::applyAsInt, Math::max));
        return most.values().stream().mapToInt(Integer::intValue).sum();
    }
}
