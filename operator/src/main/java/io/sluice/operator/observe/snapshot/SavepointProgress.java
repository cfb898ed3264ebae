// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe.snapshot;

import io.sluice.api.spec.StateKind;
import io.sluice.flink.rest.CheckpointInProgress;
import io.sluice.flink.rest.Checkpoints;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * How far the savepoints and checkpoints are that Flink makes because it was asked to, by the uid
 * of the resource that they are made for. All of it can be lost: then Flink is asked again.
 */
public final class SavepointProgress {
    private final Map<String, Double> byUid = new ConcurrentHashMap<>();

    /**
     * What a look at the job of the resource has found.
     *
     * @param inProgress what Flink makes for the resource; empty if it makes nothing
     * @param statistics what Flink tells of the job's checkpoints; asked only if it makes one
     */
    public void saw(
            String uid,
            Optional<StateKind> inProgress,
            Supplier<Optional<Checkpoints>> statistics) {
        inProgress
                .flatMap(
                        kind ->
                                statistics
                                        .get()
                                        .flatMap(
                                                it ->
                                                        it.oldestInProgress(
                                                                kind == StateKind.SAVEPOINT)))
                .flatMap(CheckpointInProgress::acknowledgedRatio)
                .ifPresentOrElse(ratio -> byUid.put(uid, ratio), () -> byUid.remove(uid));
    }

    /**
     * The share of the subtasks that have acknowledged it; empty if nothing is known to be made.
     */
    public Optional<Double> acknowledgedRatio(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    /** Nothing is left of the resource. */
    public void forget(String uid) {
        byUid.remove(uid);
    }
}
