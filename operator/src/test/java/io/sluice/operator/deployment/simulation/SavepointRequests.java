// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import io.sluice.flink.rest.SavepointStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** What a process of a JobManager was asked to write, and what has come of it. */
public final class SavepointRequests {
    /** For so long Flink tells what has come of a request. */
    private static final Duration KEPT = Duration.ofMinutes(5);

    /** After so long Flink gives up a savepoint, by its default. */
    public static final Duration LONGEST = Duration.ofMinutes(10);

    /** What is written. */
    public enum Kind {
        SAVEPOINT,
        CHECKPOINT,
        /** A savepoint, after which the job ends. */
        STOP
    }

    /**
     * One of them.
     *
     * @param percent how likely it ends in a turn; 0 if its tasks never acknowledge it
     * @param checkpoint the id of a checkpoint, once it is complete
     */
    public record Request(
            Kind kind,
            String triggerId,
            String folder,
            Instant begun,
            int percent,
            Optional<Instant> ended,
            SavepointStatus status,
            long checkpoint) {
        public boolean isPending() {
            return ended.isEmpty();
        }
    }

    private final Map<String, Request> byTrigger = new LinkedHashMap<>();
    private final Set<String> disposals = new HashSet<>();
    private final Consumer<String> failed;
    private int failedStops;

    /**
     * @param failed is told the ids of those that come to nothing
     */
    public SavepointRequests(Consumer<String> failed) {
        this.failed = failed;
    }

    public boolean knows(String triggerId) {
        return byTrigger.containsKey(triggerId);
    }

    /** Takes note of a request to delete a savepoint. */
    void disposes(String request) {
        disposals.add(request);
    }

    boolean knowsDisposal(String request) {
        return disposals.contains(request);
    }

    public Optional<Request> find(String triggerId) {
        return Optional.ofNullable(byTrigger.get(triggerId));
    }

    public void begin(Kind kind, String triggerId, String folder, int percent, Instant now) {
        byTrigger.put(
                triggerId,
                new Request(
                        kind,
                        triggerId,
                        folder,
                        now,
                        percent,
                        Optional.empty(),
                        new SavepointStatus.InProgress(),
                        0));
    }

    public void end(String triggerId, SavepointStatus how, long checkpoint, Instant now) {
        if (how instanceof SavepointStatus.Failed) {
            failed.accept(triggerId);
        }
        byTrigger.computeIfPresent(
                triggerId,
                (_, it) ->
                        new Request(
                                it.kind(),
                                triggerId,
                                it.folder(),
                                it.begun(),
                                it.percent(),
                                Optional.of(now),
                                how,
                                checkpoint));
    }

    /** How many stops have failed so far. */
    public int failedStops() {
        return failedStops;
    }

    public void fail(String triggerId, String why, Instant now) {
        failedStops += find(triggerId).filter(it -> it.kind() == Kind.STOP).isPresent() ? 1 : 0;
        end(triggerId, new SavepointStatus.Failed(why, Optional.empty()), 0, now);
    }

    public List<Request> pending() {
        return byTrigger.values().stream().filter(Request::isPending).toList();
    }

    Optional<Request> pendingStop() {
        return pending().stream().filter(it -> it.kind() == Kind.STOP).findFirst();
    }

    public void failAll(String why, Instant now) {
        pending().forEach(it -> fail(it.triggerId(), why, now));
    }

    public void forget(Instant now) {
        byTrigger
                .values()
                .removeIf(it -> it.ended().filter(at -> now.isAfter(at.plus(KEPT))).isPresent());
    }
}
