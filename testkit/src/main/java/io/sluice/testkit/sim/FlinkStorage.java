// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What outlives a Flink process: checkpoints and savepoints, high-availability metadata, results. A
 * state is a number, the records counted so far, so that an older one is told from a newer one.
 *
 * <p>The floor is the newest state that an operator can know of: no start may fall below it unless
 * the user agreed, or Flink itself lost the state.
 */
public final class FlinkStorage {
    private final Map<String, Long> saved = new HashMap<>();
    private final Map<String, String> metadata = new HashMap<>();

    /**
     * Which version of Flink has written a job's metadata, if the job was seen. One that came up
     * unseen gives its successor, which has its id, what it wrote, whatever the versions.
     */
    private final Map<String, String> versions = new HashMap<>();

    /** Which attempt has left a job graph. */
    private final Map<String, String> graphs = new TreeMap<>();

    private final Set<String> results = new HashSet<>();
    private final Set<String> observed = new HashSet<>();
    private final Set<String> settled = new HashSet<>();
    private final Set<String> begun = new HashSet<>();
    private final Set<String> disowned = new HashSet<>();
    private final Map<String, Long> floorBefore = new HashMap<>();
    private boolean excusesLosses = true;
    private long floor;
    private Optional<String> violation = Optional.empty();

    /** Jobs whose high-availability ConfigMap names a checkpoint. */
    public Set<String> recoverable() {
        return metadata.keySet().stream()
                .filter(FlinkStorage::isInConfigMap)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Removes the ConfigMaps of all jobs but {@code spared}. */
    public void clearMetadata(Optional<String> spared) {
        metadata.keySet().removeIf(job -> isInConfigMap(job) && !spared.equals(Optional.of(job)));
    }

    /** Removes the job graphs in ConfigMaps: the next JobManager of the name would run them. */
    public void clearGraphs() {
        graphs.keySet().removeIf(FlinkStorage::isInConfigMap);
    }

    private static boolean isInConfigMap(String key) {
        return key.indexOf('/') < 0;
    }

    private static String key(Launch launch) {
        return launch.place() + launch.jobId();
    }

    /**
     * The jobs of which a JobManager of this launch finds graphs that are not its own. In ZooKeeper
     * one of the same attempt is: that attempt was created once more, and goes on.
     */
    private Set<String> foreignGraphs(Launch launch) {
        return graphs.entrySet().stream()
                .filter(
                        left ->
                                launch.place().isEmpty()
                                        ? isInConfigMap(left.getKey())
                                        : left.getKey().startsWith(launch.place())
                                                && !left.getValue().equals(launch.attempt()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** The operator has seen a job of this attempt: from now on its checkpoints count as known. */
    public void observe(String attempt) {
        observed.add(attempt);
    }

    /** Whether a job of this attempt has ever been started. */
    public boolean hasBegun(String attempt) {
        return begun.contains(attempt);
    }

    boolean isObserved(Launch launch) {
        return observed.contains(launch.attempt());
    }

    /** The attempt is over by what is on record: its job's end, or another attempt in its place. */
    public void settle(String attempt) {
        settled.add(attempt);
    }

    boolean isSettled(Launch launch) {
        return settled.contains(launch.attempt());
    }

    /** A new resource: what was before is another's. */
    public void begin() {
        floor = 0;
    }

    /**
     * The user agrees that what all jobs so far have kept is not gone on from, or nobody can know
     * of it any more.
     */
    public void renounce() {
        floor = 0;
        disowned.addAll(begun);
    }

    /**
     * As {@link #renounce()}; the job of {@code attempt} is among them, even if it begins later.
     */
    public void renounce(String attempt) {
        renounce();
        disowned.add(attempt);
    }

    /** Whether the user gave up what a job of this attempt keeps. */
    public boolean isRenounced(String attempt) {
        return disowned.contains(attempt);
    }

    /** What a JobManager without metadata loses counts as known from now on. */
    public void rememberLosses() {
        excusesLosses = false;
    }

    /** What would tell that a job has begun anew is off the record. */
    void excuseLosses() {
        excusesLosses = true;
    }

    boolean excusesLosses() {
        return excusesLosses;
    }

    /** Which Flink wrote the metadata is off the record. */
    public void forgetVersions() {
        versions.clear();
    }

    /** The newest state that an operator can know of. */
    public long floor() {
        return floor;
    }

    /** Whether there is such a file. */
    public boolean holds(String path) {
        return saved.containsKey(path);
    }

    public List<String> savepoints() {
        return saved.keySet().stream().filter(path -> path.startsWith("sp-")).sorted().toList();
    }

    public Optional<String> violation() {
        return violation;
    }

    void violate(String what) {
        if (violation.isEmpty()) {
            violation = Optional.of(what);
        }
    }

    /** What the job would be restored with; empty if its path leads nowhere. */
    Optional<Long> stateFor(Launch launch) {
        Optional<String> path =
                Optional.of(key(launch))
                        .filter(_ -> launch.keepsMetadata())
                        .flatMap(job -> Optional.ofNullable(metadata.get(job)))
                        .or(launch::path);
        return path.map(found -> Optional.ofNullable(saved.get(found)))
                .orElseGet(() -> Optional.of(0L));
    }

    boolean hasEnded(Launch launch) {
        return launch.keepsResults() && results.contains(launch.attempt());
    }

    /** The first start of a Deployment, which is the operator's doing. */
    void start(Launch launch, long count) {
        begun.add(launch.attempt());
        floorBefore.put(launch.attempt(), floor);
        String written = versions.getOrDefault(key(launch), launch.version());
        boolean isRecovered = launch.keepsMetadata() && metadata.containsKey(key(launch));
        if (isRecovered && !written.equals(launch.version())) {
            violate("metadata of Flink " + written + " is given to " + launch.version());
        }
        if (launch.mayLoseState()) {
            floor = count;
        } else if (count < floor) {
            violate(
                    launch.path().isEmpty()
                            ? "a job whose state was known is started afresh"
                            : "a job is restored from an older state than the last known: "
                                    + count
                                    + " instead of "
                                    + floor);
        }
        if (launch.keepsMetadata()) {
            Set<String> found = foreignGraphs(launch);
            if (found.contains(key(launch))) {
                violate("an old job graph wins over the new spec");
            }
            if (!found.isEmpty()) {
                violate("two jobs run for one resource: a left job graph is run too");
            }
        }
    }

    void submitted(Launch launch) {
        if (launch.keepsMetadata()) {
            graphs.put(key(launch), launch.attempt());
        }
    }

    /**
     * All that could tell of a job that has ended is gone. If no pass ever saw it, nobody can know
     * what it left.
     */
    void forget(Launch launch) {
        if (!isObserved(launch)) {
            floor = Math.min(floor, floorBefore.getOrDefault(launch.attempt(), floor));
        }
    }

    /** The process died without metadata, and the job begins anew: Flink's own loss. */
    void lost(long count) {
        floor = Math.min(floor, count);
    }

    void checkpoint(Launch launch, String path, long count) {
        saved.put(path, count);
        if (launch.keepsMetadata()) {
            metadata.put(key(launch), path);
            if (isObserved(launch)) {
                versions.put(key(launch), launch.version());
            }
        }
        raise(launch, count);
    }

    private void raise(Launch launch, long count) {
        boolean counts = launch.keepsMetadata() || isObserved(launch);
        if (counts && !disowned.contains(launch.attempt())) {
            floor = Math.max(floor, count);
        }
    }

    /** Flink deletes the checkpoints of a job that was cancelled. */
    void discard(String path) {
        saved.remove(path);
    }

    /** A savepoint is deleted; again, that changes nothing. */
    void dispose(String path, Set<String> needed) {
        if (needed.contains(path) && saved.containsKey(path)) {
            violate("a savepoint was deleted that was needed: " + path);
        }
        saved.remove(path);
    }

    /** A file that nobody but who knows its path is promised anything of. */
    void wrote(String path, long count) {
        saved.put(path, count);
    }

    /**
     * @param count the newest state that is left of the job
     */
    void ended(Launch launch, long count) {
        graphs.remove(key(launch));
        metadata.remove(key(launch));
        if (launch.keepsResults()) {
            results.add(launch.attempt());
        }
        raise(launch, count);
    }

    @Override
    public String toString() {
        return "floor " + floor + ", metadata " + metadata + ", graphs " + graphs.keySet();
    }
}
