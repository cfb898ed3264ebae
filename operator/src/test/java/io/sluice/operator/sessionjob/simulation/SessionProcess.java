// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.Submission;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.operator.deployment.simulation.FlinkLaunch;
import io.sluice.operator.deployment.simulation.SavepointRequests;
import io.sluice.operator.deployment.simulation.SavepointRequests.Kind;
import io.sluice.operator.deployment.simulation.SimulatedNode;
import io.sluice.operator.world.DurableStates.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A process of the JobManager of a session cluster: the jars on its disk, the {@code main()}s that
 * it runs, and the jobs that they have submitted. One of the jobs is another user's.
 */
final class SessionProcess implements SimulatedNode.Container {
    static final String FOREIGN_JOB = "f".repeat(32);

    private static final int BAD_REQUEST = 400;

    /** The longest that a {@code main()} takes; ADR 12 says what comes of one that takes longer. */
    private static final Duration MAIN = Duration.ofSeconds(60);

    /** After so long an ended job is not listed any more. */
    private static final Duration LISTED = Duration.ofMinutes(15);

    /** A {@code main()} at work, whose caller waits no longer. */
    private record Main(SubmittedJob job, Instant begun) {}

    private final SessionWorld world;
    private final SessionMetadata metadata;
    private final FlinkLaunch launch;
    private final Predicate<SessionProcess> isHeldUp;
    private final Instant begun;

    /** By their ids: of which attempts they are. */
    private final Map<String, String> jars = new HashMap<>();

    private final Map<String, SessionRun> runs = new LinkedHashMap<>();
    private final Map<String, SavepointRequests> asked = new HashMap<>();
    private final List<Main> mains = new ArrayList<>();
    private final Deque<Runnable> late = new ArrayDeque<>();

    /** The deletions of savepoints that it was asked for. */
    private final Set<String> disposals = new HashSet<>();

    /** The ids that it has had jobs of. */
    private final Set<String> taken = new HashSet<>();

    private boolean isUp;
    private boolean hasEnded;

    /** Whether the other user has cancelled the job that was not of a FlinkSessionJob. */
    private boolean isAlone;

    /**
     * @param launch what it was started with
     * @param isHeldUp whether another process has the lease yet
     */
    SessionProcess(
            SessionWorld world,
            SessionMetadata metadata,
            FlinkLaunch launch,
            Predicate<SessionProcess> isHeldUp) {
        this.world = world;
        this.metadata = metadata;
        this.launch = launch;
        this.isHeldUp = isHeldUp;
        begun = world.now();
    }

    @Override
    public boolean isUp() {
        return isUp && !hasEnded;
    }

    @Override
    public FlinkLaunch launch() {
        return launch;
    }

    /** What TaskManagers there are is not followed up. */
    @Override
    public int neededTaskManagers() {
        return 0;
    }

    @Override
    public void terminate() {
        ended();
    }

    @Override
    public void ended() {
        if (!hasEnded) {
            hasEnded = true;
            die();
        }
    }

    /** Which Flink it is. */
    String version() {
        return metadata.kind().version();
    }

    /** Whether the next process finds the job in the metadata. */
    boolean isKept(String jobId) {
        return metadata.isKept(jobId);
    }

    Stream<SessionRun> live() {
        return runs.values().stream().filter(run -> !hasEnded && !run.hasEnded());
    }

    /** A job that it lists. */
    Optional<SessionRun> run(String jobId) {
        return Optional.ofNullable(runs.get(jobId));
    }

    List<JobOverview> overviews() {
        return Stream.concat(
                        Stream.of(
                                        new JobOverview(
                                                FOREIGN_JOB,
                                                "another",
                                                "RUNNING",
                                                begun,
                                                Optional.empty(),
                                                new TaskCounts(1, 1, 0)))
                                .filter(_ -> !isAlone),
                        runs.values().stream().map(SessionRun::overview))
                .toList();
    }

    SavepointRequests requests(String jobId) {
        return asked.computeIfAbsent(
                jobId, _ -> new SavepointRequests(trigger -> world.failed(jobId, trigger)));
    }

    @Override
    public void step() {
        if (hasEnded) {
            return;
        }
        while (!late.isEmpty()) {
            late.removeFirst().run();
        }
        if (!isUp) {
            if (!isHeldUp.test(this) && world.dice().chance(60)) {
                isUp = true;
                metadata.toRecover().forEach(this::recover);
            }
            return;
        }
        for (Main main : List.copyOf(mains)) {
            if (world.dice().chance(50)) {
                finish(main);
            }
        }
        List.copyOf(runs.values()).forEach(SessionRun::step);
        runs.values()
                .removeIf(
                        run ->
                                run.endTime()
                                        .filter(at -> world.now().isAfter(at.plus(LISTED)))
                                        .isPresent());
    }

    /** Time has passed: no {@code main()} takes longer than that. */
    void finishOverdue() {
        List.copyOf(mains).stream()
                .filter(main -> !world.now().isBefore(main.begun().plus(MAIN)))
                .forEach(this::finish);
    }

    private void finish(Main main) {
        mains.remove(main);
        world.trace("a main() comes to its end");
        submit(main.job());
    }

    private void recover(SubmittedJob job) {
        Optional<String> path =
                metadata.lastCheckpoint(job.id()).map(CheckpointRef::path).or(job::path);
        Optional<State> from = path.flatMap(world.states()::find);
        var run = new SessionRun(world, metadata, job, requests(job.id()), from, true);
        add(run);
        if (path.isPresent() && from.isEmpty()) {
            run.failAtOnce();
        } else {
            world.trace("Flink recovers " + job + " with " + run.restored());
            world.recovers(job, run.restored());
        }
    }

    private void add(SessionRun run) {
        runs.put(run.job().id(), run);
        taken.add(run.job().id());
    }

    /** Somebody cancels a job in Flink's page. */
    void cancelByHand(String jobId) {
        world.trace("somebody cancels " + jobId);
        isAlone |= jobId.equals(FOREIGN_JOB);
        run(jobId).ifPresent(SessionRun::cancel);
    }

    /**
     * @param attempt that it is for
     */
    String upload(String name, String attempt) {
        String id = world.newName() + "_" + name;
        jars.put(id, attempt);
        return id;
    }

    boolean hasJar(String id) {
        return jars.containsKey(id);
    }

    void deleteJar(String id) {
        jars.remove(id);
    }

    /** Deletes a savepoint at once; returns what it can be asked about by. */
    String dispose(String path, Optional<ObservedJob> of) {
        world.dispose(path, of);
        String request = "disposal-of-" + path;
        disposals.add(request);
        return request;
    }

    boolean knowsDisposal(String request) {
        return disposals.contains(request);
    }

    /** Whether a job of that id is there, ended or not, or may yet come. */
    boolean knows(String jobId) {
        return runs.containsKey(jobId)
                || taken.contains(jobId)
                || metadata.hasResult(jobId)
                || mains.stream().anyMatch(main -> main.job().id().equals(jobId));
    }

    /** The caller has given up before {@code main()} submits the job. */
    void submitLater(SubmittedJob job) {
        mains.add(new Main(job, world.now()));
    }

    /**
     * Flink 1 takes an id again once its job has ended, unless its result is kept; Flink 2 does not
     * as long as the process lives.
     */
    Reply<Submission> submit(SubmittedJob job) {
        boolean isKnown =
                metadata.hasResult(job.id())
                        || (metadata.kind().isNewer() && taken.contains(job.id()))
                        || run(job.id()).filter(run -> !run.hasEnded()).isPresent();
        if (isKnown) {
            return new Reply.Ok<>(Submission.KNOWN_ALREADY);
        }
        Optional<State> from = job.path().flatMap(world.states()::find);
        var run = new SessionRun(world, metadata, job, requests(job.id()), from, false);
        add(run);
        if (job.path().isPresent() && from.isEmpty()) {
            world.trace("Flink finds nothing at " + job.path().get());
            world.startsFromNowhere(job);
            run.failAtOnce();
            return new Reply.Refused<>(BAD_REQUEST, "JobInitializationException");
        }
        world.trace("Flink submits " + job + " with " + run.restored());
        world.starts(job, run.restored(), from.isEmpty());
        return new Reply.Ok<>(Submission.SUBMITTED);
    }

    void ask(Kind kind, String jobId, String triggerId, Optional<String> folder) {
        run(jobId)
                .ifPresentOrElse(
                        run -> run.ask(kind, triggerId, folder),
                        () -> askForUnknown(kind, jobId, triggerId));
    }

    private void askForUnknown(Kind kind, String jobId, String triggerId) {
        if (!requests(jobId).knows(triggerId)) {
            requests(jobId).begin(kind, triggerId, "", 0, world.now());
            requests(jobId).fail(triggerId, "Could not find Flink job", world.now());
        }
    }

    private void die() {
        runs.values().stream().filter(run -> !metadata.knows(run.job().id())).forEach(world::lost);
        if (metadata.kind().isHighlyAvailable()) {
            jars.values().stream().filter(it -> !runs.containsKey(it)).forEach(world::lostJar);
        }
    }

    /** A TaskManager is lost. */
    void loseTaskManager() {
        live().toList().forEach(SessionRun::loseTasks);
    }

    /** The request reaches it when who asked has given up. */
    void later(Runnable request) {
        late.add(request);
    }

    @Override
    public String toString() {
        return (isUp ? "up " : "not up ") + runs.values() + " mains " + mains;
    }
}
