// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.operator.deployment.simulation.SavepointRequests;
import io.sluice.operator.deployment.simulation.SavepointRequests.Kind;
import io.sluice.operator.deployment.simulation.SavepointRequests.Request;
import io.sluice.operator.deployment.simulation.savings.SavedStates;
import io.sluice.operator.world.DurableStates.State;
import io.sluice.operator.world.ToldCheckpoints;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A job in a process of a JobManager that runs others, too. What it does is in {@code flink-facts}:
 * requests are never refused at once, a second stop ends the first, and what was asked is lost with
 * the process.
 */
final class SessionRun {
    private static final Set<String> TERMINAL = Set.of("FAILED", "FINISHED", "CANCELED");
    private static final int MOST_RESTARTS = 4;

    private final SessionWorld world;
    private final SessionMetadata metadata;
    private final SubmittedJob job;
    private final SavepointRequests requests;
    private final ToldCheckpoints told;
    private final Instant startTime;
    private final State restored;
    private final List<Instant> failures = new ArrayList<>();
    private String state = "INITIALIZING";
    private boolean tasksUp;
    private boolean isCancelled;
    private Instant lastChange;
    private Optional<Instant> endTime = Optional.empty();
    private long position;
    private long counter;
    private Optional<CheckpointRef> completed = Optional.empty();
    private Optional<CheckpointRef> savepoint = Optional.empty();
    private Optional<CheckpointRef> restoredFrom = Optional.empty();

    /**
     * @param requests what was asked under the job's id, of an earlier run of it, too
     * @param from what it begins with; empty for nothing
     * @param isRecovered whether Flink itself brings it back
     */
    SessionRun(
            SessionWorld world,
            SessionMetadata metadata,
            SubmittedJob job,
            SavepointRequests requests,
            Optional<State> from,
            boolean isRecovered) {
        this.world = world;
        this.metadata = metadata;
        this.job = job;
        this.requests = requests;
        told = new ToldCheckpoints(world, world.states(), world::now);
        startTime = world.now();
        lastChange = startTime;
        int line = world.line(job, from);
        position = from.map(State::position).orElse(0L);
        restored = new State(from.map(State::path).orElse(""), line, position);
        counter = metadata.lastCheckpoint(job.id()).map(CheckpointRef::id).orElse(0L);
        from.filter(it -> !it.path().isEmpty())
                .ifPresent(
                        it ->
                                restoredFrom =
                                        Optional.of(
                                                new CheckpointRef(
                                                        counter, it.path(), startTime, false)));
        if (isRecovered) {
            completed = metadata.lastCheckpoint(job.id());
        }
        metadata.submitted(job);
    }

    SubmittedJob job() {
        return job;
    }

    State restored() {
        return restored;
    }

    SavepointRequests requests() {
        return requests;
    }

    String state() {
        return state;
    }

    boolean tasksUp() {
        return tasksUp;
    }

    int line() {
        return restored.line();
    }

    /** What is to be known of it when it is about to be ended. */
    SavedStates.Run run(boolean isSeen) {
        return new SavedStates.Run(
                job.generation(),
                line(),
                Optional.of(startTime)
                        .filter(_ -> restored.path().isEmpty() || !job.hasCheckpoints()),
                Optional.of(lastChange).filter(_ -> tasksUp),
                isSeen,
                requests.failedStops());
    }

    List<Instant> failures() {
        return failures;
    }

    boolean hasEnded() {
        return TERMINAL.contains(state);
    }

    Optional<Instant> endTime() {
        return endTime;
    }

    /** What is to be restored is not there: the job is listed all the same. */
    void failAtOnce() {
        end("FAILED");
    }

    /** The job goes on by a step. */
    void step() {
        requests.forget(world.now());
        switch (state) {
            case "INITIALIZING", "RESTARTING" -> {
                state = "RUNNING";
                changed();
            }
            case "CANCELLING" -> end("CANCELED");
            case "RUNNING" -> run();
            default -> {}
        }
    }

    private void run() {
        if (!tasksUp) {
            if (world.dice().chance(60)) {
                tasksUp = true;
                changed();
            }
            return;
        }
        position += 1 + world.dice().below(3);
        Optional<Request> asked =
                requests.pending().stream()
                        .filter(it -> world.dice().chance(it.percent()))
                        .findFirst();
        if (asked.isPresent()) {
            answer(asked.get());
        } else if (job.hasCheckpoints() && world.dice().chance(30)) {
            checkpoint();
        } else if (world.strikes(2)) {
            fail();
        }
        requests.pending().stream()
                .filter(it -> world.now().isAfter(it.begun().plus(SavepointRequests.LONGEST)))
                .forEach(it -> requests.fail(it.triggerId(), "expired", world.now()));
    }

    /** Its tasks fail, and sometimes for good. */
    private void fail() {
        failures.add(world.now());
        if (failures.size() > MOST_RESTARTS || world.dice().chance(15)) {
            end("FAILED");
        } else {
            restart();
        }
    }

    /** A TaskManager is lost. */
    void loseTasks() {
        if (tasksUp) {
            failures.add(world.now());
            restart();
        }
    }

    private void answer(Request request) {
        if (world.strikes(15)) {
            requests.fail(request.triggerId(), "disk full", world.now());
            if (request.kind() == Kind.STOP || world.dice().chance(30)) {
                failures.add(world.now());
                restart();
            }
            return;
        }
        if (request.kind() == Kind.CHECKPOINT) {
            checkpoint();
            requests.end(
                    request.triggerId(), new SavepointStatus.InProgress(), counter, world.now());
            return;
        }
        String path =
                "%s/savepoint-%s-%s"
                        .formatted(request.folder(), job.id().substring(0, 6), world.newName());
        State written = world.states().write(path, line(), position);
        savepoint = Optional.of(new CheckpointRef(++counter, path, world.now(), false));
        world.trace("Flink has written " + written);
        world.wrote(job, written);
        if (request.kind() == Kind.STOP && world.strikes(15)) {
            requests.end(
                    request.triggerId(),
                    new SavepointStatus.Failed("failed during stopping", Optional.of(path)),
                    0,
                    world.now());
            if (world.dice().chance(50)) {
                end("CANCELED");
            } else {
                failures.add(world.now());
                restart();
            }
            return;
        }
        requests.end(request.triggerId(), new SavepointStatus.Completed(path), 0, world.now());
        if (request.kind() == Kind.STOP) {
            end("FINISHED");
        }
    }

    private void checkpoint() {
        String path = "s3://c/" + job.id() + "/chk-" + world.newNumber();
        State written = world.states().write(path, line(), position);
        world.trace("Flink has completed " + written);
        world.wrote(job, written);
        completed.ifPresent(before -> world.states().delete(before.path()));
        completed = Optional.of(new CheckpointRef(++counter, path, world.now(), false));
        metadata.completed(job.id(), completed.orElseThrow());
        world.durable(job, written);
    }

    /** Back to the last checkpoint, which no savepoint is. */
    private void restart() {
        world.trace("job " + job.id() + " restarts");
        requests.failAll("Checkpoint Coordinator is suspending.", world.now());
        savepoint = Optional.empty();
        tasksUp = false;
        state = "RESTARTING";
        changed();
        State back = completed.flatMap(it -> world.states().find(it.path())).orElse(restored);
        position = back.position();
        world.recovers(job, new State(back.path(), line(), position));
    }

    private void end(String how) {
        world.trace("job " + job.id() + " is " + how);
        tasksUp = false;
        state = how;
        endTime = Optional.of(world.now());
        changed();
        if (how.equals("FAILED")) {
            failures.add(world.now());
        }
        requests.failAll("Checkpoint Coordinator is suspending.", world.now());
        boolean discards =
                how.equals("FINISHED") || (how.equals("CANCELED") && !job.retainsCheckpoints());
        savepoint
                .flatMap(it -> world.states().find(it.path()))
                .ifPresent(it -> world.durable(job, it));
        if (discards) {
            completed.ifPresent(it -> world.states().delete(it.path()));
        }
        metadata.ended(job.id());
        world.ended(this, how, !isCancelled);
    }

    void cancel() {
        if (!hasEnded()) {
            isCancelled = true;
            tasksUp = false;
            state = "CANCELLING";
            changed();
        }
    }

    void ask(Kind kind, String triggerId, Optional<String> folder) {
        if (requests.knows(triggerId)) {
            return;
        }
        Optional<String> target = folder.or(job::savepointFolder);
        int percent = world.strikes(4) ? 0 : world.strikes(30) ? 8 : 50;
        requests.begin(kind, triggerId, target.orElse(""), percent, world.now());
        if (hasEnded()) {
            requests.fail(triggerId, "Could not find Flink job", world.now());
        } else if (kind != Kind.CHECKPOINT && target.isEmpty()) {
            requests.fail(triggerId, "no savepoint directory", world.now());
        } else if (!tasksUp) {
            requests.fail(triggerId, "Not all required tasks are currently running.", world.now());
        } else if (kind == Kind.STOP
                && requests.pending().stream().filter(it -> it.kind() == Kind.STOP).count() > 1) {
            world.secondStop(job);
            failures.add(world.now());
            restart();
        }
    }

    JobOverview overview() {
        return new JobOverview(
                job.id(),
                job.resource(),
                state,
                startTime,
                endTime,
                new TaskCounts(state.equals("INITIALIZING") ? 0 : 2, tasksUp ? 2 : 0, 0),
                lastChange);
    }

    Checkpoints checkpoints() {
        return told.of(completed, savepoint, restoredFrom);
    }

    private void changed() {
        Instant now = world.now();
        lastChange = now.isAfter(lastChange) ? now : lastChange.plusMillis(1);
    }

    @Override
    public String toString() {
        return job + " " + state + (tasksUp ? " up" : "") + " line " + line() + " at " + position;
    }
}
