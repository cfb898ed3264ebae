// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.UpgradeMode;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.operator.deployment.StateView.LastCheckpoints;
import io.sluice.operator.manifest.StartFrom;
import io.sluice.operator.manifest.StateOptions;
import java.util.Optional;

/**
 * What is known of the state of a job that does not run. Not knowing is never taken for "none".
 *
 * <pre>
 *   Found ─▶ start from it      Lost, Gone ─▶ a human has to say      Unread ─▶ ask again
 * </pre>
 */
sealed interface KnownState {
    /**
     * @param from {@link StartFrom.Nothing} if it is certain that there is no state
     */
    record Found(StartFrom from) implements KnownState {}

    /** There was state, and nobody knows where it is. */
    record Lost() implements KnownState {}

    /** The last state is known, and nothing can be started from it. */
    record Gone(String path) implements KnownState {}

    /** The JobManager has yet to say. */
    record Unread(String message) implements KnownState {}

    /** A path that names no place, kept so that it is not taken for "no state". */
    String DISCARDED = "<checkpoint-discarded>";

    /**
     * What the recorded attempt was to start from: the state of a job that has not begun to run.
     */
    static KnownState source(Pass pass) {
        boolean recoverable = pass.snapshot().state().recoverable().contains(pass.jobId());
        if (recoverable && !pass.isSessionJob()) {
            return new Found(new StartFrom.LastState());
        }
        return pass.restoreMode() == UpgradeMode.LAST_STATE
                ? new Lost()
                : at(pass.draft().job().upgradeSavepointPath());
    }

    /** What a recorded path says. */
    static KnownState at(Optional<String> path) {
        if (path.isEmpty()) {
            return new Found(new StartFrom.Nothing());
        }
        String text = path.get();
        if (text.equals(StateOptions.LAST_STATE)) {
            return new Lost();
        }
        return text.startsWith("<") ? new Gone(text) : new Found(new StartFrom.Savepoint(text));
    }

    /**
     * The state of a job that has ended, by its JobManager: the newest of all, or, if it has made
     * none and was restored from none, what the attempt was to start from.
     */
    static KnownState ofEnded(Pass pass) {
        return switch (pass.snapshot().state().last()) {
            case LastCheckpoints.NotAsked _ -> new Unread("");
            case LastCheckpoints.Unread(var message) -> new Unread(message);
            case LastCheckpoints.Told(Checkpoints told) ->
                    at(
                            told.latest()
                                    .map(KnownState::path)
                                    .or(() -> pass.draft().job().upgradeSavepointPath()));
        };
    }

    /**
     * The last checkpoint that the JobManager told of, where only its metadata knows the very last.
     */
    static Optional<String> lastSeen(Pass pass, StartFrom from) {
        if (!(from instanceof StartFrom.LastState)) {
            return Optional.empty();
        }
        Optional<String> told =
                pass.snapshot().state().last() instanceof LastCheckpoints.Told(var all)
                        ? all.completed()
                                .filter(CheckpointRef::isAddressable)
                                .map(CheckpointRef::path)
                        : Optional.empty();
        return told.or(() -> pass.draft().attempt().lastCheckpoint())
                .or(
                        () ->
                                at(pass.draft().job().upgradeSavepointPath())
                                                instanceof Found(StartFrom.Savepoint(var restored))
                                        ? Optional.of(restored)
                                        : Optional.empty());
    }

    /** What to tell a human of a state that is lost. */
    static String hint(Pass pass) {
        return pass.draft()
                .attempt()
                .lastCheckpoint()
                .map(path -> "The last checkpoint that was seen was " + path + ".")
                .orElse("");
    }

    private static String path(CheckpointRef last) {
        return last.discarded() ? DISCARDED : last.path();
    }

    /** How it is recorded in {@code jobStatus.upgradeSavepointPath}. */
    static Optional<String> recorded(StartFrom from) {
        return switch (from) {
            case StartFrom.Nothing _ -> Optional.empty();
            case StartFrom.Savepoint(var path) -> Optional.of(path);
            case StartFrom.LastState _ -> Optional.of(StateOptions.LAST_STATE);
        };
    }
}
