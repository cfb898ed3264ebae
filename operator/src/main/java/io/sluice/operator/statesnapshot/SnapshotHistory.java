// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.snapshot.SnapshotState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The snapshots that the operator has made for each job, as this process has seen them. After a
 * restart it fills again with the first list; until it is complete, less is deleted.
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

    /**
     * An entry in less than half of the memory, as there may be ten for each job.
     *
     * @param created in milliseconds since the epoch
     * @param restsSince the same; 0 while it is not at rest
     */
    private record Kept(
            String name, String uid, SnapshotState state, long created, long restsSince) {
        private static Kept of(Entry entry) {
            return new Kept(
                    entry.name(),
                    entry.uid(),
                    entry.state(),
                    entry.created().toEpochMilli(),
                    entry.seenAtRest().map(Instant::toEpochMilli).orElse(0L));
        }

        private Entry entry() {
            return new Entry(
                    name,
                    uid,
                    Instant.ofEpochMilli(created),
                    state,
                    Optional.of(restsSince)
                            .filter(millis -> millis > 0)
                            .map(Instant::ofEpochMilli));
        }

        /** This one, at rest for as long as {@code before} if both are. */
        private Kept after(Kept before) {
            return restsSince > 0 && before.restsSince > 0
                    ? new Kept(name, uid, state, created, before.restsSince)
                    : this;
        }
    }

    /** The snapshots of a job. */
    private record OfJob(Job job, List<Kept> all) {
        private OfJob {
            all = List.copyOf(all);
        }

        /** Oldest first. */
        private List<Entry> entries() {
            return all.stream()
                    .map(Kept::entry)
                    .sorted(Comparator.comparing(Entry::created).thenComparing(Entry::name))
                    .toList();
        }

        private OfJob with(Kept now) {
            List<Kept> others = new ArrayList<>(all);
            others.removeIf(it -> it.uid().equals(now.uid()));
            others.add(
                    all.stream()
                            .filter(it -> it.uid().equals(now.uid()))
                            .findFirst()
                            .map(now::after)
                            .orElse(now));
            return new OfJob(job, others);
        }

        private Optional<OfJob> without(String uid) {
            List<Kept> others = all.stream().filter(it -> !it.uid().equals(uid)).toList();
            return others.isEmpty() ? Optional.empty() : Optional.of(new OfJob(job, others));
        }
    }

    private final Map<Job, OfJob> jobs = new ConcurrentHashMap<>();
    private final Map<String, Job> jobByUid = new ConcurrentHashMap<>();

    /**
     * The snapshots of the same kind of the same job, oldest first; empty for one that a user has
     * made.
     */
    List<Entry> of(FlinkStateSnapshot resource, SnapshotObservedState observed) {
        return job(resource, observed)
                .flatMap(job -> Optional.ofNullable(jobs.get(job)))
                .map(OfJob::entries)
                .orElseGet(List::of);
    }

    /** Of each job that has several of a kind, the newest one. */
    Stream<ResourceID> deciding() {
        return jobs.values().stream()
                .filter(job -> job.all().size() > 1)
                .map(job -> new ResourceID(job.entries().getLast().name(), job.job().namespace()));
    }

    /**
     * What a reconciliation has left.
     *
     * @param state after it
     */
    void saw(FlinkStateSnapshot resource, SnapshotObservedState observed, SnapshotState state) {
        String uid = observed.identity().uid();
        Kept now =
                Kept.of(
                        new Entry(
                                resource.getMetadata().getName(),
                                uid,
                                observed.identity().created(),
                                state,
                                Optional.of(observed.now()).filter(_ -> state.isAtRest())));
        Optional<Job> job = job(resource, observed);
        if (!job.equals(Optional.ofNullable(jobByUid.get(uid)))) {
            gone(uid);
        }
        job.ifPresent(
                it -> {
                    OfJob all =
                            jobs.compute(
                                    it,
                                    (_, known) ->
                                            Optional.ofNullable(known)
                                                    .orElseGet(() -> new OfJob(it, List.of()))
                                                    .with(now));
                    jobByUid.put(uid, all.job());
                });
    }

    /** Nothing is left of it. */
    void gone(String uid) {
        Optional.ofNullable(jobByUid.remove(uid))
                .ifPresent(
                        job ->
                                jobs.computeIfPresent(
                                        job, (_, known) -> known.without(uid).orElse(null)));
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
