// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.sluice.api.status.JobLog;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.JobOverview;
import io.sluice.operator.child.ConfirmedVersions;
import io.sluice.operator.model.ClusterView.Kill;
import io.sluice.operator.model.ExceptionLog;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.Target.Jobs;
import io.sluice.operator.observe.pod.ImagePullMemory;
import io.sluice.operator.observe.snapshot.RefusedSnapshots;
import io.sluice.operator.observe.snapshot.SavepointProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What this process remembers of running jobs, by resource uid, so that it need not ask again. All
 * of it can be lost: then things are read, or deletions asked for, once more.
 */
public final class ObservationMemory {
    private static final Duration READ_AGAIN = Duration.ofMinutes(10);

    /** A kill that is older was told, or missed, by whoever watched before. */
    private static final Duration NEWS = Duration.ofMinutes(30);

    /** Nobody can say of a JobManager that was not asked for longer whether it answered. */
    private static final Duration ASKED_AGAIN = Duration.ofMinutes(2);

    private record Silent(Instant since, Instant last) {}

    private record Look(Instant lastChange, Instant at) {}

    private record Seen(String jobId, CheckpointRef checkpoint) {}

    /** A run of a job that was seen to have ended. */
    private record End(String jobId, Instant startTime, long firstSeen) {}

    private final AtomicReference<Instant> begun = new AtomicReference<>(Instant.MAX);
    private final Map<String, Look> looks = new ConcurrentHashMap<>();
    private final Map<String, Map<String, String>> disposals = new ConcurrentHashMap<>();
    private final Map<String, Set<Kill>> kills = new ConcurrentHashMap<>();
    private final Map<String, Silent> silent = new ConcurrentHashMap<>();
    private final Map<String, Seen> checkpoints = new ConcurrentHashMap<>();
    private final Map<String, End> ends = new ConcurrentHashMap<>();
    private final RefusedSnapshots refusedSnapshots = new RefusedSnapshots();
    private final SavepointProgress savepoints = new SavepointProgress();
    private final ImagePullMemory imagePulls = new ImagePullMemory();
    private final ConfirmedVersions confirmedVersions;
    private final LongSupplier nanos;

    public ObservationMemory() {
        this(System::nanoTime);
    }

    /**
     * @param nanos a clock that nobody sets, in nanoseconds
     */
    public ObservationMemory(LongSupplier nanos) {
        this.nanos = nanos;
        confirmedVersions = new ConfirmedVersions(nanos);
    }

    /**
     * Since when the JobManager of a session cluster has given no answer, each time that it was
     * asked; empty if it answers. A JobManager without a ready pod gives none.
     */
    Optional<Instant> silentSince(String uid, Jobs jobs, Instant now) {
        return switch (jobs) {
            case Jobs.NotAsked _ -> unanswered(uid, now);
            case Jobs.Silent(_, var noAnswer) ->
                    switch (noAnswer) {
                        case NO_ANSWER -> unanswered(uid, now);
                        case TOO_LARGE -> answered(uid);
                    };
            case Jobs.Listed _ -> answered(uid);
        };
    }

    private Optional<Instant> unanswered(String uid, Instant now) {
        return Optional.ofNullable(
                        silent.merge(uid, new Silent(now, now), ObservationMemory::stillSilent))
                .map(Silent::since);
    }

    private Optional<Instant> answered(String uid) {
        silent.remove(uid);
        return Optional.empty();
    }

    private static Silent stillSilent(Silent before, Silent now) {
        return now.last().isAfter(before.last().plus(ASKED_AGAIN))
                ? now
                : new Silent(before.since(), now.last());
    }

    /** Whether the job is to be looked at closely now, see {@link #due}. */
    public boolean isNews(String uid, Instant lastChange, Instant now) {
        return !now.isBefore(due(uid, lastChange, now));
    }

    /**
     * When the job is to be looked at closely: at once if its tasks have changed since the last
     * time, or else ten minutes after that. Jobs whose last change is too long ago to be told of
     * are not all looked at when this memory is new, but one after the other within ten minutes.
     */
    public Instant due(String uid, Instant lastChange, Instant now) {
        Instant since =
                begun.accumulateAndGet(now, (one, other) -> one.isBefore(other) ? one : other);
        Optional<Look> last = Optional.ofNullable(looks.get(uid));
        if (last.isEmpty() && ExceptionLog.areHistory(lastChange, since)) {
            return since.plusMillis(Math.floorMod(uid.hashCode(), READ_AGAIN.toMillis()));
        }
        return last.filter(look -> look.lastChange().equals(lastChange))
                .map(look -> look.at().plus(READ_AGAIN))
                .orElse(now);
    }

    /**
     * What was seen of a job need not be read again once all of it is on record: a status that was
     * not stored, or that a reconciliation with other cares left as it was, would leave it out for
     * good.
     *
     * @param told of the status that is stored now
     */
    public void recorded(ObservedState seen, JobLog told) {
        boolean isTold =
                switch (JobManagerAnswer.in(seen)) {
                    case JobManagerAnswer.OfJob _ ->
                            seen.run()
                                    .exceptions()
                                    .filter(it -> ExceptionLog.areTold(told, it, seen.now()))
                                    .isPresent();
                    case JobManagerAnswer.OfCluster _ -> seen.run().cluster().isComplete();
                };
        JobManagerAnswer.in(seen)
                .lastChange()
                .filter(_ -> isTold)
                .ifPresent(change -> looked(seen.identity().uid(), change, seen.now()));
    }

    public void looked(String uid, Instant lastChange, Instant now) {
        looks.put(uid, new Look(lastChange, now));
    }

    /** Flink files the deletion of the savepoint at {@code location} under {@code requestId}. */
    public void asked(String uid, String location, String requestId) {
        disposals.computeIfAbsent(uid, _ -> new ConcurrentHashMap<>()).put(location, requestId);
    }

    public Optional<String> request(String uid, String location) {
        return Optional.ofNullable(disposals.get(uid))
                .flatMap(requests -> Optional.ofNullable(requests.get(location)));
    }

    /** The deletion is done with. */
    void forget(String uid, String location) {
        Optional.ofNullable(disposals.get(uid)).ifPresent(requests -> requests.remove(location));
    }

    /** The FlinkStateSnapshots that could not be created. */
    public RefusedSnapshots refusedSnapshots() {
        return refusedSnapshots;
    }

    /** How far the savepoints and checkpoints are that Flink makes. */
    public SavepointProgress savepoints() {
        return savepoints;
    }

    /**
     * What is to be told of containers that were killed since the last time, each once. It changes
     * no status: whether the job runs is another matter.
     */
    public List<ResourceEvent> kills(ObservedState seen) {
        String uid = seen.identity().uid();
        Instant horizon = seen.now().minus(NEWS);
        Set<Kill> told = Optional.ofNullable(kills.get(uid)).orElseGet(Set::of);
        Set<Kill> recent =
                Stream.concat(told.stream(), seen.cluster().kills().stream())
                        .filter(kill -> kill.at().isAfter(horizon))
                        .collect(Collectors.toSet());
        if (recent.isEmpty()) {
            kills.remove(uid);
        } else {
            kills.put(uid, recent);
        }
        return recent.stream()
                .filter(kill -> !told.contains(kill))
                .sorted(Comparator.comparing(Kill::at))
                .map(ObservationMemory::note)
                .toList();
    }

    private static ResourceEvent note(Kill kill) {
        return ResourceEvent.of(
                "JobManagerDeployment",
                OperatorEvent.OOM_KILLED,
                kill.where() + kill.at(),
                kill.where()
                        + "was killed at "
                        + kill.at()
                        + ", as it needed more memory than it may have. "
                        + kill.remedy());
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

    /**
     * The size of the last checkpoint that was seen of the resource's job; empty where none was, or
     * Flink does not say.
     */
    public Optional<Long> stateBytes(String uid) {
        return Optional.ofNullable(checkpoints.get(uid)).flatMap(seen -> seen.checkpoint().bytes());
    }

    /**
     * How long ago this process first saw that the run {@code job} has ended. What a JobManager's
     * clock says of its end can't be compared with this process's.
     */
    public Duration sinceEnd(String uid, JobOverview job) {
        long now = nanos.getAsLong();
        End end =
                ends.merge(
                        uid,
                        new End(job.id(), job.startTime(), now),
                        (known, seen) ->
                                known.jobId().equals(seen.jobId())
                                                && known.startTime().equals(seen.startTime())
                                        ? known
                                        : seen);
        return Duration.ofNanos(now - end.firstSeen());
    }

    /** The versions of resources that were confirmed a moment ago. */
    public ConfirmedVersions confirmedVersions() {
        return confirmedVersions;
    }

    /** How often pods were created that pull images. */
    public ImagePullMemory imagePulls() {
        return imagePulls;
    }

    public void forget(String uid) {
        imagePulls.forget(uid);
        savepoints.forget(uid);
        ends.remove(uid);
        checkpoints.remove(uid);
        silent.remove(uid);
        looks.remove(uid);
        disposals.remove(uid);
        kills.remove(uid);
        refusedSnapshots.forget(uid);
    }
}
