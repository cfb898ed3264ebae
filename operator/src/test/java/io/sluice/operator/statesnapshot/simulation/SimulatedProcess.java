// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot.simulation;

import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.DisposalStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One process of a JobManager: what it was asked for, and what it still knows of that. */
final class SimulatedProcess {
    /** So many checkpoints Flink keeps; it deletes older ones. */
    private static final int RETAINED = 2;

    /** So many checkpoints Flink can say something of. */
    private static final int KNOWN = 10;

    private static final Duration KEPT = Duration.ofMinutes(5);

    /** A request to delete a savepoint; {@code ended} is empty while it is carried out. */
    private record Disposal(String path, Optional<Instant> ended, boolean isDone) {}

    private final SnapshotWorld world;
    private final Map<String, SnapshotTry> tries = new LinkedHashMap<>();
    private final Map<String, Disposal> disposals = new LinkedHashMap<>();
    private final Map<Long, String> checkpoints = new HashMap<>();
    private final Deque<SnapshotTry> late = new ArrayDeque<>();
    private long counter;

    SimulatedProcess(SnapshotWorld world) {
        this.world = world;
    }

    private static String key(String jobId, String triggerId) {
        return jobId + "/" + triggerId;
    }

    /** Everything that it still knows. */
    Collection<SnapshotTry> tries() {
        return tries.values();
    }

    Optional<SnapshotTry> find(String jobId, String triggerId) {
        return Optional.ofNullable(tries.get(key(jobId, triggerId)));
    }

    /** The request reaches it when its client has given up. */
    void askLate(SnapshotTry asked) {
        late.add(asked);
    }

    /** Takes the request up, unless it knows the id already. */
    void ask(SnapshotTry asked) {
        if (find(asked.jobId(), asked.triggerId()).isEmpty() && world.job().runs(asked.jobId())) {
            world.promises().begins(asked, tries.values());
        }
        begin(asked);
    }

    private void begin(SnapshotTry asked) {
        if (tries.putIfAbsent(key(asked.jobId(), asked.triggerId()), asked) == null
                && !world.job().runs(asked.jobId())) {
            asked.fail(false, world.now());
        }
    }

    /** No other process knows the id of the request, as Flink draws it at random. */
    String dispose(String path) {
        String id = world.newDisposal();
        disposals.put(id, new Disposal(path, Optional.empty(), false));
        return id;
    }

    DisposalStatus disposal(String id) {
        Disposal disposal = disposals.get(id);
        if (disposal == null) {
            return new DisposalStatus.Unknown();
        }
        if (disposal.ended().isEmpty()) {
            return new DisposalStatus.InProgress();
        }
        return disposal.isDone()
                ? new DisposalStatus.Done()
                : new DisposalStatus.Failed("access denied");
    }

    /** A checkpoint that it can say something of. */
    Optional<CheckpointRef> checkpoint(long id) {
        return Optional.ofNullable(checkpoints.get(id))
                .filter(_ -> id > counter - KNOWN)
                .map(path -> new CheckpointRef(id, path, world.now(), id <= counter - RETAINED));
    }

    /** Flink takes a turn. */
    void step() {
        while (!late.isEmpty()) {
            SnapshotTry asked = late.removeFirst();
            asked.late();
            begin(asked);
        }
        for (SnapshotTry each : new ArrayList<>(tries.values())) {
            if (each.isPending()) {
                advance(each);
            }
        }
        disposals.replaceAll((_, disposal) -> advance(disposal));
        Instant now = world.now();
        tries.values().removeIf(each -> each.isForgotten(now));
        disposals
                .values()
                .removeIf(it -> it.ended().filter(at -> now.isAfter(at.plus(KEPT))).isPresent());
    }

    private void advance(SnapshotTry each) {
        if (!world.job().runs(each.jobId())) {
            each.fail(false, world.now());
        } else if (world.dice().chance(50)) {
            finish(each);
        }
    }

    private void finish(SnapshotTry each) {
        if (world.isPoisoned(each.snapshot())) {
            each.fail(world.job().isUp(), world.now());
            world.job().restart();
        } else if (world.faults().strikes(25)) {
            each.fail(false, world.now());
        } else if (each.isCheckpoint()) {
            String path = "s3://c/" + each.jobId() + "/chk-" + ++counter;
            checkpoints.put(counter, path);
            world.files().keep(path, each.snapshot());
            each.complete(path, counter, world.now());
        } else {
            counter++;
            each.complete(
                    world.files().write(each.folder(), each.snapshot()), counter, world.now());
        }
        world.trace("Flink has " + each);
    }

    private Disposal advance(Disposal disposal) {
        if (disposal.ended().isPresent() || !world.dice().chance(50)) {
            return disposal;
        }
        boolean isDone = !world.faults().strikes(25);
        if (isDone) {
            world.files().delete(disposal.path());
            world.trace("Flink has deleted " + disposal.path());
        }
        return new Disposal(disposal.path(), Optional.of(world.now()), isDone);
    }

    /** What it knows of, the newest last. */
    List<SnapshotTry> completed() {
        return tries.values().stream()
                .filter(each -> each.progress() == SnapshotTry.Progress.COMPLETED)
                .filter(each -> !each.isCheckpoint())
                .toList();
    }
}
