// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import io.sluice.testkit.sim.FlinkProcess.Stop;
import io.sluice.testkit.sim.FlinkProcess.Thrown;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The job of a {@link FlinkProcess}: how it starts, counts, fails and ends. */
final class FlinkJob {
    /** After which Flink gives a job up that never gets its tasks up. */
    private static final int MOST_RESTARTS = 12;

    private static final Set<String> TERMINAL = Set.of("FAILED", "FINISHED", "CANCELED");

    private final Environment environment;
    private final FlinkStorage storage;
    private final Launch launch;
    private final boolean bad;
    private final Optional<FlinkProcess> before;
    private final StateLoss loss;
    private final SavedStates states;
    private final SavepointStops stops;
    private final Savings savings;
    private Optional<String> state = Optional.empty();
    private boolean tasksUp;
    private Instant upSince = Instant.MAX;
    private boolean endedAsAsked;
    private boolean askedToCancel;
    private Instant startTime = Instant.EPOCH;
    private Instant lastChange = Instant.EPOCH;
    private final List<Thrown> exceptions = new ArrayList<>();
    private long count;
    private Optional<Instant> endTime = Optional.empty();

    /**
     * @param bad whether its tasks never come up
     * @param before the process of the same Deployment that last ran the job
     */
    FlinkJob(
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
        loss = new StateLoss(environment, storage, launch, before);
        states = new SavedStates(environment, storage, launch, loss);
        stops = new SavepointStops(storage);
        savings = new Savings(storage);
    }

    StateLoss loss() {
        return loss;
    }

    SavedStates states() {
        return states;
    }

    SavepointStops stops() {
        return stops;
    }

    Savings savings() {
        return savings;
    }

    /** As Flink names it; empty while no job is listed. */
    Optional<String> state() {
        return state;
    }

    boolean tasksUp() {
        return tasksUp;
    }

    Instant startTime() {
        return startTime;
    }

    /** When tasks last changed their state; later each time. */
    Instant lastChange() {
        return lastChange;
    }

    /** Newest first. */
    List<Thrown> exceptions() {
        return exceptions.reversed();
    }

    long count() {
        return count;
    }

    Optional<Instant> endTime() {
        return endTime;
    }

    boolean isLive() {
        return state.isPresent() && !hasEnded();
    }

    boolean hasEnded() {
        return state.filter(TERMINAL::contains).isPresent();
    }

    boolean hasEndedAsAsked() {
        return endedAsAsked;
    }

    boolean isAskedToCancel() {
        return askedToCancel;
    }

    /** Whether its tasks have been up for longer than a cache is old. */
    boolean wasUpBefore(Instant time) {
        return tasksUp && upSince.plus(FlinkProcess.CACHED).isBefore(time);
    }

    private void changed() {
        Instant now = environment.clock().instant();
        lastChange = now.isAfter(lastChange) ? now : lastChange.plusMillis(1);
    }

    private void threw(String name) {
        changed();
        exceptions.add(new Thrown(lastChange, name));
    }

    void cancel() {
        askedToCancel = true;
        state = Optional.of("CANCELLING");
        tasksUp = false;
        changed();
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
            states.told();
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
        before.ifPresentOrElse(
                former -> loss.submitAgain(former, from.get()),
                () -> storage.start(launch, from.get()));
        storage.submitted(launch);
        if (count > 0) {
            states.restore(count, startTime);
        }
        state = Optional.of("INITIALIZING");
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
        Optional<String> asked = stops.pending().stream().findFirst();
        Optional<String> saving = savings.pending();
        if (saving.isPresent() && environment.dice().chance(50)) {
            saveNow(saving.get());
        } else if (asked.isPresent() && environment.dice().chance(60)) {
            stopNow(asked.get());
        } else if (environment.dice().chance(40)) {
            states.addCheckpoint(count, startTime);
        }
    }

    private void stopNow(String triggerId) {
        if (environment.faults().strikes(15)) {
            stops.refuse(triggerId);
            restart();
            return;
        }
        String path = states.addSavepoint(triggerId, count);
        if (environment.faults().strikes(20)) {
            stops.settle(triggerId, new Stop.Failed(Optional.of(path)));
            if (environment.dice().chance(50)) {
                settleAsAsked("CANCELED");
            } else {
                restart();
            }
            return;
        }
        stops.settle(triggerId, new Stop.Completed(path));
        settleAsAsked("FINISHED");
    }

    /** What was asked of the running job; an attempt that fails may take the job with it. */
    private void saveNow(String triggerId) {
        if (environment.faults().strikes(15)) {
            savings.fail(triggerId);
            if (environment.dice().chance(30)) {
                restart();
            }
        } else if (savings.isSavepoint(triggerId)) {
            String path = states.addSavepoint(triggerId, count);
            savings.settle(triggerId, new Stop.Completed(path));
        } else {
            states.addCheckpoint(count, startTime);
            savings.settle(triggerId, new Stop.Completed(""));
        }
    }

    /** An end that somebody asked for and waits for: whatever comes after, it must not be lost. */
    private void settleAsAsked(String how) {
        endedAsAsked = true;
        settle(how);
    }

    /** Tasks failed: back to the last checkpoint. A savepoint is not one. */
    void restart() {
        threw("java.lang.IllegalStateException");
        state = Optional.of("RESTARTING");
        tasksUp = false;
        savings.failAll();
        count = states.recover();
    }

    private void settle(String how) {
        if (how.equals("FAILED")) {
            threw("org.apache.flink.runtime.JobException");
        }
        changed();
        state = Optional.of(how);
        tasksUp = false;
        stops.failAll();
        savings.failAll();
        endTime = Optional.of(environment.clock().instant());
        storage.ended(launch, states.newest());
        if (how.equals("CANCELED") && !launch.saving().afterCancellation()) {
            states.discardCheckpoints();
        }
    }
}
