// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A JobManager's process with its one job, and with the surprises of a real one: what is asked of
 * it is never refused and done later, a second stop kills the first, a restart forgets what was
 * asked, and runs an ended job again where nobody kept its result.
 */
public final class FlinkProcess {
    /** A checkpoint or savepoint as the process remembers it. */
    public record Saved(long id, String path, long count, Instant at) {}

    /** What the process says of its checkpoints. */
    public record Told(
            Instant at,
            Optional<Saved> checkpoint,
            Optional<Saved> savepoint,
            Optional<Saved> restored) {
        /** A job without checkpointing has no answer for any of them. */
        private static Told nothing(Instant at) {
            return new Told(at, Optional.empty(), Optional.empty(), Optional.empty());
        }
    }

    /** Why tasks failed; lost with the process. */
    public record Thrown(Instant at, String name) {}

    /** What came of a stop. */
    public sealed interface Stop {
        record InProgress() implements Stop {}

        record Completed(String path) implements Stop {}

        record Failed(Optional<String> path) implements Stop {}
    }

    /** How long an answer about checkpoints is given again. */
    public static final Duration CACHED = Duration.ofSeconds(3);

    /** After which Flink gives a job up that never gets its tasks up. */
    private static final int MOST_RESTARTS = 12;

    private static final Stop FAILED = new Stop.Failed(Optional.empty());
    private static final Set<String> TERMINAL = Set.of("FAILED", "FINISHED", "CANCELED");

    private final Environment environment;
    private final FlinkStorage storage;
    private final Launch launch;
    private final boolean bad;
    private final Optional<FlinkProcess> before;
    private final Map<String, Stop> stops = new HashMap<>();

    /** Asked for by one that had stood still, and knew of no other. */
    private final Set<String> lateStops = new HashSet<>();

    private final Savings savings;
    private Optional<String> state = Optional.empty();
    private boolean tasksUp;
    private Instant upSince = Instant.MAX;
    private boolean endedAsAsked;
    private boolean lost;
    private boolean isStopForgotten;
    private boolean askedToCancel;
    private boolean ill;
    private int parallelism = 1;
    private Instant startTime = Instant.EPOCH;
    private Instant lastChange = Instant.EPOCH;
    private final List<Thrown> exceptions = new ArrayList<>();

    /** Where its own checkpoints are. */
    private final List<String> kept = new ArrayList<>();

    private long count;
    private long ids;
    private Optional<Told> told = Optional.empty();
    private Optional<Instant> endTime = Optional.empty();
    private Optional<Saved> restored = Optional.empty();
    private Optional<Saved> checkpoint = Optional.empty();
    private Optional<Saved> savepoint = Optional.empty();

    FlinkProcess(
            Environment environment,
            FlinkStorage storage,
            Launch launch,
            boolean bad,
            Optional<FlinkProcess> before) {
        this.environment = environment;
        this.storage = storage;
        this.launch = launch;
        this.bad = bad;
        this.before = before;
        savings = new Savings(storage);
    }

    /** This process if it has submitted its job, else the one before that has. */
    Optional<FlinkProcess> lastThatRan() {
        return state.isPresent() ? Optional.of(this) : before;
    }

    /**
     * Whether the job had ended, as asked or on record, and a JobManager that keeps no results runs
     * it again from where it once began: what comes of that is nobody's state.
     */
    public boolean runsAgain() {
        return !launch.keepsResults() && before.filter(FlinkProcess::isOver).isPresent();
    }

    /** Whether its job has begun anew although the one before it knew more. */
    public boolean hasLostState() {
        return lost;
    }

    /** Nobody can notice any more that this job has begun anew, or will. */
    public void excuseLoss() {
        acceptLoss();
        storage.excuseLosses();
    }

    /** That this job has begun anew is what its user asked for. */
    public void acceptLoss() {
        if (lost) {
            storage.lost(count);
            lost = false;
        }
    }

    private boolean isOver() {
        return endedAsAsked || runsAgain() || (hasEnded() && storage.isSettled(launch));
    }

    public Launch launch() {
        return launch;
    }

    public String jobId() {
        return launch.jobId();
    }

    /** As Flink names it; empty while no job is listed. */
    public Optional<String> state() {
        return state;
    }

    public boolean tasksUp() {
        return tasksUp;
    }

    public Instant startTime() {
        return startTime;
    }

    /** When tasks last changed their state; later each time. */
    public Instant lastChange() {
        return lastChange;
    }

    /** Newest first. */
    public List<Thrown> exceptions() {
        return exceptions.reversed();
    }

    private void changed() {
        Instant now = environment.clock().instant();
        lastChange = now.isAfter(lastChange) ? now : lastChange.plusMillis(1);
    }

    private void threw(String name) {
        changed();
        exceptions.add(new Thrown(lastChange, name));
    }

    public Optional<Instant> endTime() {
        return endTime;
    }

    /** From a cache: it may be as old as {@link #CACHED}, and from before the job's end. */
    public Told told() {
        Instant now = environment.clock().instant();
        if (told.isEmpty() || now.isAfter(told.get().at().plus(CACHED))) {
            told =
                    Optional.of(
                            launch.saving().checkpoints()
                                    ? new Told(now, checkpoint, savepoint, restored)
                                    : Told.nothing(now));
        }
        return told.get();
    }

    public boolean hasEnded() {
        return state.filter(TERMINAL::contains).isPresent();
    }

    /** Whether its job's result was kept before it could submit it: then it never does. */
    boolean comesTooLate() {
        return state.isEmpty() && storage.hasEnded(launch);
    }

    /**
     * Whether only this process holds the state of a job that the operator knows to run: removing
     * it before the job has ended would lose what came after the last state that anybody can tell
     * of.
     */
    public boolean holdsState() {
        return isLive()
                && before.isEmpty()
                && storage.isObserved(launch)
                && !launch.keepsMetadata()
                && !storage.isRenounced(launch.attempt())
                && !launch.mayLoseState();
    }

    void fallIll() {
        ill = isLive() && tasksUp;
    }

    /** Whether it is unhealthy, as the counters of a real one would show. */
    public boolean isIll() {
        return ill;
    }

    Optional<String> endedByItself() {
        return state.filter(_ -> hasEnded() && !endedAsAsked);
    }

    boolean isLive() {
        return state.isPresent() && !hasEnded();
    }

    public Optional<Stop> stop(String triggerId) {
        return Optional.ofNullable(stops.get(triggerId));
    }

    /** Taken up whatever the job is like. */
    public void askToStop(String jobId, String triggerId) {
        askToStop(jobId, triggerId, false);
    }

    /**
     * @param late whether who asks has stood still since it last looked: no request to a JobManager
     *     can depend on what is on record, so that it may end a stop that another has asked for, or
     *     begin one that the other's ends. The job goes on from its last checkpoint, and is asked
     *     again.
     */
    public void askToStop(String jobId, String triggerId, boolean late) {
        askToStop(jobId, triggerId, late, true);
    }

    /**
     * As {@link #askToStop(String, String, boolean)}.
     *
     * @param folder whether who asks names one for the savepoint
     */
    public void askToStop(String jobId, String triggerId, boolean late, boolean folder) {
        if (stops.containsKey(triggerId)) {
            return;
        }
        Set<String> others = stopsInProgress();
        boolean hasFolder = folder || launch.saving().folder();
        if (!isLive() || !jobId.equals(launch.jobId()) || !hasFolder) {
            stops.put(triggerId, new Stop.Failed(Optional.empty()));
        } else if (!others.isEmpty()) {
            if (!late && !lateStops.containsAll(others)) {
                storage.violate("a second stop under another name kills the first");
            }
            stops.replaceAll((_, stop) -> stop instanceof Stop.InProgress ? FAILED : stop);
            stops.put(triggerId, FAILED);
            restart();
        } else {
            stops.put(triggerId, new Stop.InProgress());
            isStopForgotten = false;
            if (late) {
                lateStops.add(triggerId);
            }
        }
    }

    /** Whether its job was asked to end, and has not yet. */
    boolean isStopping() {
        return isLive() && (askedToCancel || !stopsInProgress().isEmpty());
    }

    /** Who asked for what is under way is not on record any more. */
    public void forgetWhoAsked() {
        lateStops.addAll(stopsInProgress());
        savings.forgetCauses();
    }

    /**
     * The stop that was asked of it is off the record: its savepoint is told of by this process
     * alone, and by nobody once the job has been run again.
     */
    public void forgetStop() {
        isStopForgotten = stops.values().stream().anyMatch(stop -> !stop.equals(FAILED));
    }

    private Set<String> stopsInProgress() {
        return stops.entrySet().stream()
                .filter(entry -> entry.getValue() instanceof Stop.InProgress)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    public void cancel(String jobId) {
        if (isLive() && jobId.equals(launch.jobId())) {
            askedToCancel = true;
            state = Optional.of("CANCELLING");
            tasksUp = false;
            changed();
        }
    }

    /**
     * Whether only the running job itself holds what it has counted: it makes no checkpoints, and a
     * savepoint is all that could save it.
     *
     * @param decided when it was decided to end it: what a cache tells may be as old as {@link
     *     #CACHED}
     */
    public boolean holdsAllItself(Instant decided) {
        return isUncancelled()
                && tasksUp
                && upSince.plus(CACHED).isBefore(decided)
                && before.isEmpty()
                && !launch.saving().checkpoints();
    }

    /** Whether its job runs, and nobody has asked it not to. */
    public boolean isUncancelled() {
        return isLive() && !askedToCancel;
    }

    /**
     * A savepoint, or else a checkpoint, while the job runs on.
     *
     * @param cause what asks for it: no process may be asked twice unless the first try failed
     */
    public void askToSave(String jobId, String triggerId, String cause, boolean savepoint) {
        savings.ask(triggerId, cause, savepoint, isLive() && jobId.equals(launch.jobId()));
    }

    /** What came of it; empty if this process was never asked. */
    public Optional<Stop> saved(String triggerId) {
        return savings.outcome(triggerId);
    }

    /**
     * Deletes a savepoint, whoever's it is.
     *
     * @param needed what must not be deleted, beside what this job was started from
     */
    public String dispose(String path, Set<String> needed) {
        Set<String> all = new HashSet<>(needed);
        launch.path().ifPresent(all::add);
        return savings.dispose(path, all, environment.faults().strikes(20));
    }

    /** Whether it was deleted; empty if this process was never asked. */
    public Optional<Boolean> disposal(String request) {
        return savings.disposal(request);
    }

    /** What the Deployment of this process was made to start from. */
    public Optional<String> startedFrom() {
        return launch.path();
    }

    public String attempt() {
        return launch.attempt();
    }

    /** Whether the job runs for the first time in its Deployment, and nobody has stopped it. */
    public boolean isUntouched() {
        return isLive()
                && before.isEmpty()
                && stops.values().stream().noneMatch(FlinkProcess::hasPath);
    }

    private static boolean hasPath(Stop stop) {
        return stop instanceof Stop.Completed
                || (stop instanceof Stop.Failed(var path) && path.isPresent());
    }

    /** The stops that failed without a savepoint, by trigger id. */
    public Set<String> failedStops() {
        return stops.entrySet().stream()
                .filter(entry -> entry.getValue().equals(FAILED))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** When the last state was kept that is not a savepoint; the start if none was. */
    public Instant lastKept() {
        return checkpoint.map(Saved::at).orElse(startTime);
    }

    public void rescale(int next) {
        parallelism = next;
    }

    void end(String how) {
        boolean impossible = bad && how.equals("FINISHED");
        if (isLive() && !impossible) {
            settle(how);
        }
    }

    void advance(Instant now) {
        if (state.isEmpty()) {
            submit(now);
            return;
        }
        if (environment.dice().chance(30)) {
            told();
        }
        switch (state.get()) {
            case "INITIALIZING", "RESTARTING" -> state = Optional.of("RUNNING");
            case "CANCELLING" -> settleAsAsked("CANCELED");
            case "RUNNING" -> run();
            default -> {}
        }
    }

    private void submit(Instant now) {
        if (storage.hasEnded(launch)) {
            return;
        }
        Optional<Long> from = storage.stateFor(launch);
        startTime = now;
        if (from.isEmpty()) {
            state = Optional.of("INITIALIZING");
            settle("FAILED");
            return;
        }
        count = from.get();
        changed();
        if (before.isEmpty()) {
            storage.start(launch, count);
        } else if (!launch.keepsResults() && !runsAgain()) {
            lose();
        } else if (runsAgain() && before.filter(it -> it.isStopForgotten).isPresent()) {
            storage.lost(count);
        }
        storage.submitted(launch);
        if (count > 0) {
            restored = Optional.of(new Saved(++ids, path(), count, startTime));
        }
        state = Optional.of("INITIALIZING");
    }

    /**
     * Begun anew by Flink, where nothing was kept. A highly available job whose result is deleted
     * as soon as it has ended can't be told from one that has yet to make its first checkpoint.
     */
    private void lose() {
        boolean isMore = count < storage.floor() && !storage.isRenounced(launch.attempt());
        boolean isUntold =
                launch.keepsMetadata() && before.filter(FlinkProcess::hasEnded).isPresent();
        if (storage.excusesLosses() || isUntold) {
            storage.lost(count);
        } else if (isMore) {
            lost = true;
            environment.trace().add("      the job begins anew");
        }
    }

    /** What the job was restored from is a checkpoint of its own under another name. */
    private String path() {
        String path = launch.jobId() + "-restored-" + count;
        checkpointed(path);
        return path;
    }

    private void run() {
        if (bad) {
            if (environment.dice().chance(15) || exceptions.size() == MOST_RESTARTS) {
                settle("FAILED");
            } else {
                restart();
            }
            return;
        }
        if (!tasksUp) {
            tasksUp = true;
            upSince = environment.clock().instant();
            changed();
            return;
        }
        count += 1 + environment.dice().below(3);
        Optional<String> asked = stopsInProgress().stream().findFirst();
        Optional<String> saving = savings.pending();
        if (saving.isPresent() && environment.dice().chance(50)) {
            saveNow(saving.get());
        } else if (asked.isPresent() && environment.dice().chance(60)) {
            stopNow(asked.get());
        } else if (environment.dice().chance(40)) {
            keep();
        }
    }

    private void keep() {
        if (!launch.saving().checkpoints()) {
            return;
        }
        Saved next =
                new Saved(
                        ++ids,
                        "chk-" + launch.jobId() + "-" + startTime + "-" + ids,
                        count,
                        environment.clock().instant());
        checkpoint = Optional.of(next);
        kept.add(next.path());
        checkpointed(next.path());
    }

    private void checkpointed(String path) {
        if (runsAgain() || lost || !launch.saving().checkpoints()) {
            storage.wrote(path, count);
        } else {
            storage.checkpoint(launch, path, count);
        }
    }

    private void stopNow(String triggerId) {
        if (environment.faults().strikes(15)) {
            stops.put(triggerId, FAILED);
            restart();
            return;
        }
        Saved written = save(triggerId);
        if (environment.faults().strikes(20)) {
            stops.put(triggerId, new Stop.Failed(Optional.of(written.path())));
            if (environment.dice().chance(50)) {
                settleAsAsked("CANCELED");
            } else {
                restart();
            }
            return;
        }
        stops.put(triggerId, new Stop.Completed(written.path()));
        settleAsAsked("FINISHED");
    }

    private Saved save(String triggerId) {
        Saved written = new Saved(++ids, "sp-" + triggerId, count, environment.clock().instant());
        storage.wrote(written.path(), count);
        savepoint = Optional.of(written);
        return written;
    }

    /** What was asked of the running job; an attempt that fails may take the job with it. */
    private void saveNow(String triggerId) {
        if (environment.faults().strikes(15)) {
            savings.fail(triggerId);
            if (environment.dice().chance(30)) {
                restart();
            }
        } else if (savings.isSavepoint(triggerId)) {
            savings.settle(triggerId, new Stop.Completed(save(triggerId).path()));
        } else {
            keep();
            savings.settle(triggerId, new Stop.Completed(""));
        }
    }

    /** An end that somebody asked for and waits for: whatever comes after, it must not be lost. */
    private void settleAsAsked(String how) {
        endedAsAsked = true;
        settle(how);
    }

    /** Tasks failed: back to the last checkpoint. A savepoint is not one. */
    private void restart() {
        threw("java.lang.IllegalStateException");
        state = Optional.of("RESTARTING");
        tasksUp = false;
        savings.failAll();
        count = checkpoint.or(() -> restored).map(Saved::count).orElse(0L);
        savepoint = Optional.empty();
    }

    private void settle(String how) {
        if (how.equals("FAILED")) {
            threw("org.apache.flink.runtime.JobException");
        }
        changed();
        state = Optional.of(how);
        tasksUp = false;
        stops.replaceAll((_, stop) -> stop instanceof Stop.InProgress ? FAILED : stop);
        savings.failAll();
        endTime = Optional.of(environment.clock().instant());
        storage.ended(launch, runsAgain() || lost ? 0 : newest());
        if (how.equals("CANCELED") && !launch.saving().afterCancellation()) {
            kept.forEach(storage::discard);
        }
    }

    private long newest() {
        return Stream.of(restored, checkpoint, savepoint)
                .flatMap(Optional::stream)
                .mapToLong(Saved::count)
                .max()
                .orElse(0);
    }

    @Override
    public String toString() {
        return launch + " " + state.orElse("no job") + " at " + count + " x" + parallelism;
    }
}
