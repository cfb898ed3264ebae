// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.snapshot.SnapshotState;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The snapshots that the operator has made for each job, as this process has reconciled them. After
 * a restart it fills again with the first reconciliations; until it is complete, less is deleted.
 */
final class SnapshotHistory {
    /** Kinds do not share a job, even where namespace and name are the same. */
    private record Job(String namespace, JobReference reference, StateKind kind) {}

    /**
     * One snapshot.
     *
     * @param seenAtRest since when this process has known it to be at rest; empty while it is not
     */
    record Entry(
            String name,
            String uid,
            Instant created,
            SnapshotState state,
            Optional<Instant> seenAtRest) {
        boolean isAtRest() {
            return seenAtRest.isPresent();
        }
    }

    private final Map<Job, Map<String, Entry>> jobs = new ConcurrentHashMap<>();

    /**
     * The snapshots of the same kind of the same job, oldest first; empty for one that a user has
     * made.
     */
    List<Entry> of(FlinkStateSnapshot resource, SnapshotObservedState observed) {
        return job(resource, observed)
                .map(
                        job ->
                                Optional.ofNullable(jobs.get(job))
                                        .orElseGet(Map::of)
                                        .values()
                                        .stream()
                                        .sorted(
                                                Comparator.comparing(Entry::created)
                                                        .thenComparing(Entry::name))
                                        .toList())
                .orElseGet(List::of);
    }

    /**
     * What a reconciliation has left.
     *
     * @param state after it
     */
    void saw(FlinkStateSnapshot resource, SnapshotObservedState observed, SnapshotState state) {
        String uid = observed.identity().uid();
        Entry now =
                new Entry(
                        resource.getMetadata().getName(),
                        uid,
                        observed.identity().created(),
                        state,
                        Optional.of(observed.now()).filter(_ -> state.isAtRest()));
        job(resource, observed)
                .ifPresent(
                        job ->
                                jobs.compute(
                                        job,
                                        (_, known) -> {
                                            Map<String, Entry> entries =
                                                    Optional.ofNullable(known)
                                                            .orElseGet(ConcurrentHashMap::new);
                                            entries.merge(uid, now, SnapshotHistory::since);
                                            return entries;
                                        }));
    }

    private static Entry since(Entry before, Entry now) {
        return before.isAtRest() && now.isAtRest()
                ? new Entry(now.name(), now.uid(), now.created(), now.state(), before.seenAtRest())
                : now;
    }

    /** Nothing is left of it. */
    void gone(String uid) {
        jobs.keySet()
                .forEach(
                        job ->
                                jobs.computeIfPresent(
                                        job,
                                        (_, entries) -> {
                                            entries.remove(uid);
                                            return entries.isEmpty() ? null : entries;
                                        }));
    }

    private static Optional<Job> job(FlinkStateSnapshot resource, SnapshotObservedState observed) {
        boolean isOwn =
                switch (observed.triggerType()) {
                    case PERIODIC, UPGRADE -> true;
                    case MANUAL, UNKNOWN -> false;
                };
        return observed.spec()
                .jobReference()
                .filter(_ -> isOwn)
                .map(
                        reference ->
                                new Job(
                                        resource.getMetadata().getNamespace(),
                                        reference,
                                        observed.kind()));
    }
}
