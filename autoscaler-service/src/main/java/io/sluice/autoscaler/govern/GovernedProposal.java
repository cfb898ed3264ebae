// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.history.History;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A proposal without the vertices that nobody can judge. Each of them keeps the parallelism that is
 * published for it, and the others change without it. The engine derives what comes out of a vertex
 * from what goes in: where that could not be measured, nothing is taken from what reads from it. A
 * vertex that more did not help is given a quarter more, now and then, as what hindered it may be
 * gone, but never much more than what could do the same.
 *
 * @param whole the proposal with all vertices
 * @param rest the proposal in which the others change alone
 * @param leftOut why a vertex does not change, by vertex id
 */
public record GovernedProposal(
        Proposal whole, Proposal rest, SortedMap<String, HoldReason> leftOut) {
    private static final Duration RETRY = Duration.ofHours(2);
    private static final double TRIED = 0.25;
    private static final Set<HoldReason> OF_METRICS =
            EnumSet.of(HoldReason.METRICS_UNKNOWN, HoldReason.METRICS_CONTRADICT);

    public GovernedProposal {
        leftOut = Collections.unmodifiableSortedMap(new TreeMap<>(leftOut));
    }

    public static GovernedProposal of(Proposal proposal, History history) {
        boolean isTriedAnew = nextTry(proposal, history).isEmpty();
        SortedMap<String, HoldReason> doubts = new TreeMap<>();
        proposal.vertices()
                .forEach(
                        (id, vertex) ->
                                doubt(vertex, isTriedAnew).ifPresent(why -> doubts.put(id, why)));
        SortedMap<String, HoldReason> leftOut = new TreeMap<>(doubts);
        proposal.vertices().entrySet().stream()
                .filter(each -> each.getValue().isLowered())
                .forEach(
                        each ->
                                upstream(each.getKey(), proposal).stream()
                                        .flatMap(
                                                from ->
                                                        Optional.ofNullable(doubts.get(from))
                                                                .stream())
                                        .filter(OF_METRICS::contains)
                                        .findFirst()
                                        .ifPresent(why -> leftOut.putIfAbsent(each.getKey(), why)));
        return new GovernedProposal(proposal, judgeable(proposal, leftOut.keySet()), leftOut);
    }

    /** What there is to show: where nothing can be judged, all that was proposed. */
    public Proposal shown() {
        return isUnjudged() ? whole : rest;
    }

    /** Whether all that would change is left out. */
    private boolean isUnjudged() {
        return !leftOut.isEmpty() && rest.changesNothing();
    }

    /** The hold of a proposal of which nothing is left. */
    Optional<ScalePlan> hold(History history) {
        return leftOut.values().stream()
                .min(Comparator.naturalOrder())
                .filter(_ -> isUnjudged())
                .map(
                        why ->
                                new ScalePlan.Hold(
                                        why,
                                        why == HoldReason.MORE_DOES_NOT_HELP
                                                ? nextTry(whole, history)
                                                : Optional.empty()));
    }

    /** Whether more helps is tried anew from time to time: what hindered may be gone. */
    private static Optional<Instant> nextTry(Proposal proposal, History history) {
        return history.lastUp()
                .filter(at -> !at.isAfter(proposal.now()))
                .map(at -> at.plus(RETRY))
                .filter(proposal.now()::isBefore);
    }

    private static Optional<HoldReason> doubt(Vertex vertex, boolean isTriedAnew) {
        if (vertex.proposed() < 1 || vertex.proposed() > vertex.highest()) {
            return Optional.of(HoldReason.PARALLELISM_OUT_OF_RANGE);
        }
        if (vertex.isLowered() && vertex.need().doubtful()) {
            return Optional.of(HoldReason.METRICS_CONTRADICT);
        }
        boolean isUnknown = !vertex.need().isKnown() && !vertex.need().idles();
        if ((vertex.isRaised() || vertex.isLowered()) && isUnknown) {
            return Optional.of(HoldReason.METRICS_UNKNOWN);
        }
        boolean isTried = isTriedAnew && nextTry(vertex) > vertex.running();
        return vertex.isRaised() && !isTried && Curve.isFlat(vertex)
                ? Optional.of(HoldReason.MORE_DOES_NOT_HELP)
                : Optional.empty();
    }

    /** All vertices that records pass on their way to this one. */
    private static Set<String> upstream(String id, Proposal proposal) {
        Set<String> found = new HashSet<>();
        List<String> next = inputs(id, proposal);
        while (!next.isEmpty()) {
            next =
                    next.stream()
                            .filter(found::add)
                            .flatMap(each -> inputs(each, proposal).stream())
                            .toList();
        }
        return found;
    }

    private static List<String> inputs(String id, Proposal proposal) {
        return Optional.ofNullable(proposal.vertices().get(id))
                .map(Vertex::inputs)
                .orElse(List.of());
    }

    private static Proposal judgeable(Proposal proposal, Set<String> leftOut) {
        SortedMap<String, Vertex> vertices = new TreeMap<>();
        proposal.vertices()
                .forEach(
                        (id, vertex) ->
                                vertices.put(
                                        id,
                                        leftOut.contains(id)
                                                ? vertex.withProposed(vertex.published())
                                                : tried(vertex)));
        return proposal.withVertices(vertices);
    }

    private static Vertex tried(Vertex vertex) {
        return vertex.isRaised() && Curve.isFlat(vertex)
                ? vertex.withProposed(Math.min(vertex.proposed(), nextTry(vertex)))
                : vertex;
    }

    /** A quarter more, if that is not much more than what could do the same. */
    private static int nextTry(Vertex vertex) {
        return Math.min(
                (int) Math.ceil(vertex.running() * (1 + TRIED)),
                (int) (Curve.leastOfSameRate(vertex) * Curve.MOST_TRIED));
    }
}
