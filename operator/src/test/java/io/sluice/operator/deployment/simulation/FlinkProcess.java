// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.operator.deployment.simulation.SavepointRequests.Kind;
import io.sluice.operator.deployment.simulation.SavepointRequests.Request;
import io.sluice.operator.deployment.simulation.hands.MetadataRecords;
import io.sluice.operator.deployment.simulation.savings.SavedStates;
import io.sluice.operator.deployment.simulation.scaling.JobHealth;
import io.sluice.operator.deployment.simulation.scaling.JobVertices;
import io.sluice.operator.world.DurableStates;
import io.sluice.operator.world.DurableStates.State;
import io.sluice.operator.world.ToldCheckpoints;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A process of a JobManager, of one container of one pod, and its job. What it does is in {@code
 * flink-facts}: requests are never refused at once, a second stop ends the first, the end of a job
 * takes its metadata along, and what was asked is lost with the process.
 */
public final class FlinkProcess implements SimulatedNode.Container {
    /** What is around the processes of the JobManager of one FlinkDeployment. */
    public interface World extends SimulatedNode.World {
        SimulatedNode<FlinkProcess> node();

        DurableStates states();

        StateOracle oracle();

        /** By the clock of Flink's nodes. */
        Instant flinksNow();

        /** Where a Flink keeps its metadata. */
        default MetadataRecords metadata(FlinkLaunch launch) {
            return new MetadataMaps(this, launch.cluster());
        }

        /** A run from nothing. */
        int newLine();

        /** Flink writes a savepoint or a checkpoint. */
        State writes(String path, int line, long position);

        /** A savepoint is written that it was asked for. */
        default void saved(FlinkProcess process, Request asked, String path) {}

        /** Whether an operator has stored what it was told of this run. */
        boolean hasSeen(int line);

        /**
         * Whether no operator has seen the run that the best state is of, which leaves nothing
         * behind.
         */
        boolean wasUnseen();

        /** How long the {@code main()} of a job takes before it hands its job over. */
        default Duration mainTakes() {
            return Duration.ZERO;
        }

        /** Flink is about to run a job. */
        default void tries(FlinkLaunch launch) {}

        /** Flink begins with what its metadata name, whatever it is told to begin with. */
        default void restoresLastState(FlinkLaunch launch) {}

        /** Nothing is where a job is to begin from. */
        default void startsFromNowhere(FlinkLaunch launch, String path) {
            oracle().startsFromNowhere(launch.generation(), path);
        }

        /** Its job begins. */
        default void began(FlinkProcess process) {}

        boolean hasResult(String path);

        void keepResult(String path);

        /** Somebody has asked to stop a job that is being stopped, under another name. */
        default void secondStop() {}

        /** Whether no checkpoint completes now. */
        default boolean isStalled() {
            return false;
        }

        /** Whether it stands still now. */
        default boolean standsStill(FlinkProcess process) {
            return false;
        }

        /** Whether a TaskManager that a job has no use for goes now. */
        default boolean releasesTaskManager() {
            return false;
        }

        /** Its Deployment is to have no pods any more. */
        default void stopping(FlinkProcess process) {}

        /** It has ended, and what only it knew is lost. */
        default void ended(FlinkProcess process) {}
    }

    /** While its job is in such a state, Flink asks for the slots that it lacks. */
    private static final Set<String> ASKING = Set.of("CREATED", "RUNNING");

    private static final Set<String> TERMINAL = Set.of("FAILED", "FINISHED", "CANCELED");
    private static final Set<String> UNPLANNED = Set.of("INITIALIZING", "CREATED");
    private static final int MOST_RESTARTS = 4;

    private final World world;
    private final FlinkLaunch launch;
    private final FlinkMetadata metadata;
    private final SavepointRequests requests;

    /** Flink takes these up as well, and says later that they have failed. */
    private final Map<String, SavepointRequests> ofOtherJobs = new HashMap<>();

    private final ToldCheckpoints told;
    private final JobVertices vertices;
    private final JobHealth health;
    private final Deque<Runnable> late = new ArrayDeque<>();

    /** Where the checkpoints are that Flink keeps of this job, the newest last. */
    private final Deque<CheckpointRef> kept = new ArrayDeque<>();

    /** When its {@code main()} hands the job over. */
    private final Instant handedOver;

    private boolean isUp;
    private boolean beganAgain;
    private Optional<String> state = Optional.empty();
    private String content = "";
    private boolean tasksUp;

    private Instant startTime = Instant.EPOCH;
    private Instant lastChange = Instant.EPOCH;
    private Optional<Instant> endTime = Optional.empty();
    private State restored = new State("", 0, 0);
    private int line;
    private long position;
    private long counter;
    private Optional<CheckpointRef> completed = Optional.empty();
    private Optional<CheckpointRef> savepoint = Optional.empty();
    private Optional<CheckpointRef> restoredFrom = Optional.empty();

    public FlinkProcess(World world, FlinkLaunch launch) {
        this.world = world;
        this.launch = launch;
        metadata = new FlinkMetadata(world, launch);
        requests = new SavepointRequests(world.oracle()::failed);
        told = new ToldCheckpoints(world, world.states(), world::flinksNow);
        vertices = launch.history().vertices(launch);
        health = new JobHealth(launch.isNewer());
        handedOver = world.now().plus(world.mainTakes());
    }

    JobVertices vertices() {
        return vertices;
    }

    public JobHealth health() {
        return health;
    }

    /** Whether another process of its Deployment has run the job before. */
    public boolean hasBegunAgain() {
        return beganAgain;
    }

    @Override
    public FlinkLaunch launch() {
        return launch;
    }

    @Override
    public boolean isUp() {
        return isUp;
    }

    public String jobId() {
        return launch.jobId();
    }

    public Optional<String> state() {
        return state;
    }

    public boolean tasksUp() {
        return tasksUp;
    }

    /** What its job began with in this process. */
    public State restored() {
        return restored;
    }

    /** How far its job is. */
    public long position() {
        return position;
    }

    /** What was rendered for the job that it runs. */
    public String content() {
        return content;
    }

    public int line() {
        return line;
    }

    /**
     * Whether its job goes on from {@code state}, and nobody could take it for another run: one
     * that a JobManager without high availability has begun again is told by its start alone.
     */
    boolean goesOnFrom(State state) {
        return this.state.isPresent() && line == state.line() && !beganAgain;
    }

    /** What is to be known of the job that is about to be ended. */
    public SavedStates.Run run(boolean isSeen) {
        return new SavedStates.Run(
                launch.generation(),
                line,
                Optional.of(startTime)
                        .filter(_ -> restored.path().isEmpty() || !launch.hasCheckpoints()),
                Optional.of(lastChange).filter(_ -> tasksUp),
                isSeen,
                requests.failedStops());
    }

    public boolean isLive() {
        return state.isPresent() && !hasEnded();
    }

    public boolean hasEnded() {
        return state.filter(TERMINAL::contains).isPresent();
    }

    SavepointRequests requests() {
        return requests;
    }

    /** What it was asked of a job, which may be none that it has. */
    SavepointRequests requestsOf(String job) {
        return job.equals(jobId())
                ? requests
                : ofOtherJobs.computeIfAbsent(
                        job, _ -> new SavepointRequests(world.oracle()::failed));
    }

    @Override
    public int neededTaskManagers() {
        return state.filter(ASKING::contains).isPresent() ? vertices.wanted() : 0;
    }

    @Override
    public boolean releasesTaskManager() {
        return tasksUp() && world.releasesTaskManager();
    }

    @Override
    public void stopping() {
        world.stopping(this);
    }

    @Override
    public void ended() {
        world.ended(this);
    }

    @Override
    public void step() {
        if (world.standsStill(this)) {
            return;
        }
        while (!late.isEmpty()) {
            late.removeFirst().run();
        }
        requests.forget(world.flinksNow());
        if (!isUp) {
            isUp = !world.node().isLedByAnother(this) && world.dice().chance(60);
        } else if (state.isEmpty()) {
            if (!world.now().isBefore(handedOver) && world.dice().chance(70)) {
                submit();
            }
        } else {
            advance();
        }
    }

    private void submit() {
        if (metadata.hasResult()) {
            return;
        }
        metadata.foreignGraphs()
                .forEach(id -> world.oracle().violated("the graph of job " + id + " is run too"));
        FlinkMetadata.Graph graph = metadata.graph().orElseGet(() -> FlinkMetadata.graphOf(launch));
        content = graph.content();
        if (!content.equals(launch.content()) && graph.generation() < launch.generation()) {
            world.oracle().violated("an old job graph wins over the new spec");
        }
        world.tries(launch);
        startTime = world.flinksNow();
        changed();
        metadata.lastCheckpoint().ifPresent(_ -> world.restoresLastState(launch));
        Optional<String> path = metadata.lastCheckpoint().or(launch::path);
        Optional<State> from = path.flatMap(world.states()::find);
        if (path.isPresent() && from.isEmpty()) {
            world.trace("Flink finds nothing at " + path.get());
            if (!launch.history().hasLostMetadata()) {
                world.startsFromNowhere(launch, path.get());
            }
            state = Optional.of("INITIALIZING");
            end("FAILED");
            return;
        }
        begin(from);
        metadata.submitted(graph);
        state = Optional.of("INITIALIZING");
        world.trace("Flink submits " + launch + " with " + restored);
    }

    private void begin(Optional<State> from) {
        boolean isAnother = launch.history().isStrayAfter(from);
        boolean isStray =
                isAnother
                        && !launch.history().hasLostMetadata()
                        && !launch.isUnseen(world::hasSeen);
        line = from.filter(_ -> !isAnother).map(State::line).orElseGet(() -> world.newLine());
        position = from.map(State::position).orElse(0L);
        restored = new State(from.map(State::path).orElse(""), line, position);
        counter = metadata.counter();
        from.ifPresent(
                it ->
                        restoredFrom =
                                Optional.of(
                                        new CheckpointRef(counter, it.path(), startTime, false)));
        beganAgain = !launch.history().isFirst() && !launch.isHighlyAvailable();
        if (launch.history().isFirst()) {
            if (from.isEmpty() && (launch.history().hasLostMetadata() || world.wasUnseen())) {
                world.oracle().recovers(restored);
            }
            world.oracle().starts(launch.generation(), jobId(), restored, from.isEmpty());
        } else if (!isStray) {
            world.oracle().recovers(restored);
        } else {
            world.trace("the job begins anew");
        }
        metadata.lastCheckpoint().flatMap(_ -> restoredFrom).ifPresent(kept::add);
        launch.history().began(restored, isStray);
        world.began(this);
    }

    private void advance() {
        switch (state.orElseThrow()) {
            case "INITIALIZING", "RESTARTING", "CREATED" -> schedule();
            case "CANCELLING" -> end("CANCELED");
            case "RUNNING" -> run();
            default -> {}
        }
    }

    int taskManagers() {
        return world.node().taskManagersUp(launch.cluster());
    }

    /** The adaptive scheduler tells of slots that are missing, the default one does not. */
    private void schedule() {
        boolean isWaiting = launch.isAdaptive() && taskManagers() < vertices.least();
        String next = isWaiting ? "CREATED" : "RUNNING";
        if (!state.equals(Optional.of(next))) {
            state = Optional.of(next);
            changed();
        }
    }

    private void run() {
        int there = taskManagers();
        if (!tasksUp) {
            if (launch.isBad()) {
                fail(30);
            } else if (there >= vertices.least()) {
                tasksUp = true;
                vertices.run(there);
                changed();
            }
            return;
        }
        if (there < vertices.needed() || (health.isIll() && world.dice().chance(40))) {
            restartOnFailure();
            return;
        }
        if (vertices.areToBeRescaled(there, Duration.between(lastChange, world.flinksNow()))) {
            world.trace("Flink scales the job from " + vertices);
            health.rescaled();
            restart();
            return;
        }
        position += 1 + world.dice().below(3);
        Optional<Request> asked =
                requests.pending().stream()
                        .filter(it -> world.dice().chance(it.percent()))
                        .findFirst();
        if (asked.isPresent()) {
            answer(asked.get());
        } else if (launch.hasCheckpoints() && !world.isStalled() && world.dice().chance(30)) {
            checkpoint();
        } else if (world.strikes(2)) {
            fail(15);
        }
        requests.pending().stream()
                .filter(it -> world.flinksNow().isAfter(it.begun().plus(SavepointRequests.LONGEST)))
                .forEach(it -> requests.fail(it.triggerId(), "expired", world.flinksNow()));
    }

    /** Its tasks fail, and sometimes for good. */
    private void fail(int percentForGood) {
        health.failed(world.flinksNow());
        if (health.failures().size() > MOST_RESTARTS || world.dice().chance(percentForGood)) {
            end("FAILED");
        } else {
            restart();
        }
    }

    private void answer(Request request) {
        if (world.strikes(15)) {
            requests.fail(request.triggerId(), "disk full", world.flinksNow());
            if (request.kind() == Kind.STOP || world.dice().chance(30)) {
                restartOnFailure();
            }
            return;
        }
        if (request.kind() == Kind.CHECKPOINT) {
            checkpoint();
            requests.end(
                    request.triggerId(),
                    new SavepointStatus.InProgress(),
                    counter,
                    world.flinksNow());
            return;
        }
        String path =
                "%s/savepoint-%s-%s"
                        .formatted(request.folder(), jobId().substring(0, 6), world.newName());
        State written = world.writes(path, line, position);
        savepoint = Optional.of(new CheckpointRef(++counter, path, world.flinksNow(), false));
        metadata.counted(counter);
        world.trace("Flink has written " + written);
        world.saved(this, request, path);
        if (request.kind() == Kind.STOP && world.strikes(15)) {
            requests.end(
                    request.triggerId(),
                    new SavepointStatus.Failed("failed during stopping", Optional.of(path)),
                    0,
                    world.flinksNow());
            if (world.dice().chance(50)) {
                end("CANCELED");
            } else {
                restartOnFailure();
            }
            return;
        }
        requests.end(
                request.triggerId(), new SavepointStatus.Completed(path), 0, world.flinksNow());
        if (request.kind() == Kind.STOP) {
            end("FINISHED");
        }
    }

    private void checkpoint() {
        String path = "s3://c/" + jobId() + "/chk-" + world.newName();
        State written = world.writes(path, line, position);
        var reference = new CheckpointRef(++counter, path, world.flinksNow(), false);
        if (!metadata.completed(counter, path)) {
            world.states().delete(path);
            return;
        }
        world.trace("Flink has completed " + written);
        completed = Optional.of(reference);
        health.completedCheckpoint();
        kept.add(reference);
        while (kept.size() > launch.retained()) {
            world.states().delete(kept.removeFirst().path());
        }
        launch.history().wrote(written);
        world.oracle().durable(written);
    }

    private void restartOnFailure() {
        health.failed(world.flinksNow());
        restart();
    }

    /** Back to the last checkpoint, which no savepoint is. */
    private void restart() {
        world.trace("the job restarts");
        health.restarted();
        requests.failAll("Checkpoint Coordinator is suspending.", world.flinksNow());
        savepoint = Optional.empty();
        tasksUp = false;
        state = Optional.of("RESTARTING");
        changed();
        State back = completed.flatMap(it -> world.states().find(it.path())).orElse(restored);
        position = back.position();
        if (isCounted()) {
            world.oracle().recovers(new State(back.path(), line, position));
        }
    }

    /** Whether what this run writes is the state of the resource's job. */
    private boolean isCounted() {
        return world.oracle().best().filter(best -> best.line() == line).isPresent();
    }

    /** Its job comes to an end. */
    void end(String how) {
        world.trace("the job is " + how);
        tasksUp = false;
        state = Optional.of(how);
        endTime = Optional.of(world.flinksNow());
        changed();
        if (how.equals("FAILED")) {
            health.failed(world.flinksNow());
        }
        requests.failAll("Checkpoint Coordinator is suspending.", world.flinksNow());
        boolean discards =
                how.equals("FINISHED") || (how.equals("CANCELED") && !launch.retainsCheckpoints());
        savepoint.flatMap(it -> world.states().find(it.path())).ifPresent(world.oracle()::durable);
        if (discards) {
            kept.forEach(it -> world.states().delete(it.path()));
        }
        launch.history().ended(how);
        if (isCounted()) {
            world.oracle().ended(how);
        }
        metadata.ended(how);
    }

    /** Where the last savepoint of this run is. */
    Optional<String> lastSavepoint() {
        return savepoint.map(CheckpointRef::path);
    }

    void cancel() {
        if (isLive()) {
            launch.history().cancelled();
            tasksUp = false;
            state = Optional.of("CANCELLING");
            changed();
        }
    }

    /** Another user asks for that in Flink's page. */
    void cancelByHand() {
        launch.history().endedByOthers();
        tasksUp = false;
        state = Optional.of("CANCELLING");
        changed();
    }

    /** Another user stops the job with a savepoint. */
    void stopByHand(String triggerId) {
        launch.history().endedByOthers();
        ask(Kind.STOP, jobId(), triggerId, Optional.empty());
    }

    /** The request reaches it when who asked has given up. */
    void later(Runnable request) {
        late.add(request);
    }

    void ask(Kind kind, String ofJob, String triggerId, Optional<String> folder) {
        SavepointRequests asked = requestsOf(ofJob);
        if (asked.knows(triggerId)) {
            return;
        }
        Optional<String> target = folder.or(launch::savepointFolder);
        int percent = world.strikes(4) ? 0 : world.strikes(30) ? 8 : 50;
        asked.begin(kind, triggerId, target.orElse(""), percent, world.flinksNow());
        if (!ofJob.equals(jobId()) || !isLive()) {
            asked.fail(triggerId, "Could not find Flink job", world.flinksNow());
        } else if (kind != Kind.CHECKPOINT && target.isEmpty()) {
            requests.fail(triggerId, "no savepoint directory", world.flinksNow());
        } else if (!tasksUp) {
            requests.fail(
                    triggerId, "Not all required tasks are currently running.", world.flinksNow());
        } else if (kind == Kind.STOP
                && requests.pending().stream().filter(it -> it.kind() == Kind.STOP).count() > 1) {
            world.secondStop();
            restartOnFailure();
        }
    }

    public JobOverview overview() {
        return new JobOverview(
                jobId(),
                launch.cluster(),
                state.orElseThrow(),
                startTime,
                endTime,
                new TaskCounts(
                        state.filter(UNPLANNED::contains).isPresent() ? 0 : 2, tasksUp ? 2 : 0, 0),
                lastChange);
    }

    /** From a cache, as Flink tells of them. */
    public Map<String, Double> metrics(List<String> names) {
        return health.answer(names, world.flinksNow());
    }

    Checkpoints checkpoints() {
        return told.of(completed, savepoint, restoredFrom);
    }

    private void changed() {
        Instant now = world.flinksNow();
        lastChange = now.isAfter(lastChange) ? now : lastChange.plusMillis(1);
    }

    @Override
    public String toString() {
        return launch
                + (isUp ? " " : " not up ")
                + state.orElse("no job")
                + (tasksUp ? " up" : "")
                + " line "
                + line
                + " at "
                + position;
    }
}
