// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import io.sluice.testkit.sim.FlinkProcess.Saved;
import io.sluice.testkit.sim.FlinkProcess.StateReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The checkpoints and savepoints that a JobManager's process remembers of its job. */
final class SavedStates {
    private final Environment environment;
    private final FlinkStorage storage;
    private final Launch launch;
    private final StateLoss loss;

    /** Where the job's own checkpoints are. */
    private final List<String> kept = new ArrayList<>();

    private long ids;
    private Optional<StateReport> told = Optional.empty();
    private Optional<Saved> restored = Optional.empty();
    private Optional<Saved> checkpoint = Optional.empty();
    private Optional<Saved> savepoint = Optional.empty();

    SavedStates(Environment environment, FlinkStorage storage, Launch launch, StateLoss loss) {
        this.environment = environment;
        this.storage = storage;
        this.launch = launch;
        this.loss = loss;
    }

    /** What the process says of them, which may be as old as {@link FlinkProcess#CACHED}. */
    StateReport told() {
        Instant now = environment.clock().instant();
        if (told.isEmpty() || now.isAfter(told.get().at().plus(FlinkProcess.CACHED))) {
            told =
                    Optional.of(
                            launch.saving().checkpoints()
                                    ? new StateReport(now, checkpoint, savepoint, restored)
                                    : StateReport.nothing(now));
        }
        return told.get();
    }

    /** What the job was restored from is a checkpoint of its own under another name. */
    void restore(long count, Instant at) {
        String path = launch.jobId() + "-restored-" + count;
        written(path, count);
        restored = Optional.of(new Saved(++ids, path, count, at));
    }

    void addCheckpoint(long count, Instant startTime) {
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
        written(next.path(), count);
    }

    private void written(String path, long count) {
        if (loss.leavesNoState() || !launch.saving().checkpoints()) {
            storage.wrote(path, count);
        } else {
            storage.checkpoint(launch, path, count);
        }
    }

    /** Returns the path of a new savepoint. */
    String addSavepoint(String triggerId, long count) {
        Saved written = new Saved(++ids, "sp-" + triggerId, count, environment.clock().instant());
        storage.wrote(written.path(), count);
        savepoint = Optional.of(written);
        return written.path();
    }

    /**
     * What the job goes back to after a failure: its last checkpoint. A savepoint is not one, and
     * is forgotten.
     */
    long recover() {
        savepoint = Optional.empty();
        return checkpoint.or(() -> restored).map(Saved::count).orElse(0L);
    }

    /** The newest state of the job; 0 if it has none, or if what it has is nobody's. */
    long newest() {
        return loss.leavesNoState()
                ? 0
                : Stream.of(restored, checkpoint, savepoint)
                        .flatMap(Optional::stream)
                        .mapToLong(Saved::count)
                        .max()
                        .orElse(0);
    }

    Optional<Instant> lastCheckpoint() {
        return checkpoint.map(Saved::at);
    }

    /** Flink deletes the checkpoints of a job that was cancelled. */
    void discardCheckpoints() {
        kept.forEach(storage::discard);
    }
}
