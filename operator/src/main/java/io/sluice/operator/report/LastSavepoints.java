// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * When the last savepoint of each job was complete of which a FlinkStateSnapshot tells. What is
 * known of a job stays as long as the job, or that FlinkStateSnapshot, is there.
 */
final class LastSavepoints {
    /** A FlinkStateSnapshot. */
    record Snapshot(String namespace, String name) {}

    private record Last(Snapshot snapshot, Instant at) {}

    private final Map<ResourceKey, Last> byJob = new HashMap<>();

    /** The job of each snapshot that is the last one of its job. */
    private final Map<Snapshot, ResourceKey> jobs = new HashMap<>();

    /** The snapshot tells of a savepoint that was complete then. */
    synchronized void saw(ResourceKey job, Snapshot snapshot, Instant at) {
        Optional<Last> before = Optional.ofNullable(byJob.get(job));
        if (before.filter(it -> !it.at().isBefore(at)).isPresent()) {
            return;
        }
        before.ifPresent(it -> jobs.remove(it.snapshot()));
        byJob.put(job, new Last(snapshot, at));
        jobs.put(snapshot, job);
    }

    /**
     * Nothing is left of the snapshot.
     *
     * @param isThere whether there is such a job
     */
    synchronized void gone(Snapshot snapshot, Predicate<ResourceKey> isThere) {
        Optional.ofNullable(jobs.remove(snapshot))
                .filter(job -> !isThere.test(job))
                .ifPresent(byJob::remove);
    }

    /** Nothing is left of the job. */
    synchronized void jobGone(ResourceKey job) {
        Optional.ofNullable(byJob.remove(job)).ifPresent(it -> jobs.remove(it.snapshot()));
    }

    synchronized Optional<Instant> of(ResourceKey job) {
        return Optional.ofNullable(byJob.get(job)).map(Last::at);
    }
}
