// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.collect.Footprint;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * What would be published, beside what runs.
 *
 * @param vertices by vertex id
 * @param trend where the load goes
 * @param shortFor how long the job has been unable to keep up, without a break; zero if it can
 * @param restart how long a rescale stops the job: measured, or what is expected
 * @param taskManager what one TaskManager takes
 * @param slotsEach how many slots it offers
 */
@RecordBuilder
public record Proposal(
        Instant now,
        Health health,
        SortedMap<String, Vertex> vertices,
        Trend trend,
        Duration shortFor,
        Duration restart,
        Footprint taskManager,
        int slotsEach)
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
