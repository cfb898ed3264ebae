// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.JobLog;
import io.sluice.flink.rest.CheckpointRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What this process remembers of running jobs, by resource uid, so that it need not ask again. All
 * of it can be lost: then things are read, or deletions asked for, once more.
 */
public final class RunMemory {
    private static final Duration READ_AGAIN = Duration.ofMinutes(10);

    private record Look(Instant lastChange, Instant at) {}

    private record Seen(String jobId, CheckpointRef checkpoint) {}

    private final AtomicReference<Instant> begun = new AtomicReference<>(Instant.MAX);
    private final Map<String, Look> looks = new ConcurrentHashMap<>();
    private final Map<String, Map<String, String>> disposals = new ConcurrentHashMap<>();
    private final Map<String, Seen> checkpoints = new ConcurrentHashMap<>();

    /** Whether the job is to be looked at closely now, see {@link #due}. */
    boolean isNews(String uid, Instant lastChange, Instant now) {
        return !now.isBefore(due(uid, lastChange, now));
    }

    /**
     * When the job is to be looked at closely: at once if its tasks have changed since the last
     * time, or else ten minutes after that. Jobs whose last change is too long ago to be told of
     * are not all looked at when this memory is new, but one after the other within ten minutes.
     */
    Instant due(String uid, Instant lastChange, Instant now) {
        Instant since =
                begun.accumulateAndGet(now, (one, other) -> one.isBefore(other) ? one : other);
        Optional<Look> last = Optional.ofNullable(looks.get(uid));
        if (last.isEmpty() && JobExceptions.areHistory(lastChange, since)) {
            return since.plusMillis(Math.floorMod(uid.hashCode(), READ_AGAIN.toMillis()));
        }
        return last.filter(look -> look.lastChange().equals(lastChange))
                .map(look -> look.at().plus(READ_AGAIN))
                .orElse(now);
    }

    /**
     * What was seen of a job need not be read again once all of it is on record: a status that was
     * not stored, or that a pass with other cares left as it was, would leave it out for good.
     *
     * @param told of the status that is stored now
     */
    void recorded(Snapshot seen, JobLog told) {
        boolean isTold =
                switch (Heard.in(seen)) {
                    case Heard.OfJob _ ->
                            seen.run()
                                    .exceptions()
                                    .filter(it -> JobExceptions.areTold(told, it, seen.now()))
                                    .isPresent();
                    case Heard.OfCluster _ -> seen.run().cluster().isComplete();
                };
        Heard.in(seen)
                .lastChange()
                .filter(_ -> isTold)
                .ifPresent(change -> looked(seen.identity().uid(), change, seen.now()));
    }

    void looked(String uid, Instant lastChange, Instant now) {
        looks.put(uid, new Look(lastChange, now));
    }

    /** Flink files the deletion of the savepoint at {@code location} under {@code requestId}. */
    void asked(String uid, String location, String requestId) {
        disposals.computeIfAbsent(uid, _ -> new ConcurrentHashMap<>()).put(location, requestId);
    }

    Optional<String> request(String uid, String location) {
        return Optional.ofNullable(disposals.get(uid))
                .flatMap(requests -> Optional.ofNullable(requests.get(location)));
    }

    /** The deletion is done with. */
    void forget(String uid, String location) {
        Optional.ofNullable(disposals.get(uid)).ifPresent(requests -> requests.remove(location));
    }

    /** The resource's job has completed {@code checkpoint}. */
    void saw(String uid, String jobId, CheckpointRef checkpoint) {
        checkpoints.put(uid, new Seen(jobId, checkpoint));
    }

    /** The last checkpoint that was seen of this job of the resource's. */
    Optional<CheckpointRef> checkpoint(String uid, String jobId) {
        return Optional.ofNullable(checkpoints.get(uid))
                .filter(seen -> seen.jobId().equals(jobId))
                .map(Seen::checkpoint);
    }

    public void forget(String uid) {
        checkpoints.remove(uid);
        looks.remove(uid);
        disposals.remove(uid);
    }
}
