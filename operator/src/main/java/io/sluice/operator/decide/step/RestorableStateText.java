// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.status.AttemptStatus.SeenCheckpoint;
import io.sluice.api.status.SavedState;
import io.sluice.api.status.StateLog;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.model.StateView.LastCheckpoints;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Describes for people what a job is started from: the kind of state, where it is and how old, as
 * far as that was read anyway or is on record.
 */
public final class RestorableStateText {
    private static final String METADATA = "from the last checkpoint in high-availability metadata";

    private RestorableStateText() {}

    public static String describe(StepContext context, StartFrom from) {
        return switch (from) {
            case StartFrom.Nothing _ -> "without state";
            case StartFrom.Savepoint(var path) -> "from " + described(context, path);
            case StartFrom.LastState _ ->
                    METADATA
                            + RestorableState.lastSeen(context, from)
                                    .map(seen -> " (last seen: " + aged(context, seen) + ")")
                                    .orElse("");
        };
    }

    private static String described(StepContext context, String path) {
        if (checkpoint(context).filter(it -> it.path().equals(path)).isPresent()) {
            return "checkpoint " + aged(context, path);
        }
        return savepoint(context, path).isPresent() ? "savepoint " + aged(context, path) : path;
    }

    private static String aged(StepContext context, String path) {
        return aged(
                context,
                new SeenCheckpoint(
                        path,
                        checkpoint(context)
                                .filter(it -> it.path().equals(path))
                                .map(CheckpointRef::at)
                                .or(() -> savepoint(context, path))));
    }

    private static String aged(StepContext context, SeenCheckpoint seen) {
        return seen.at()
                .map(at -> Duration.between(at, context.observed().now()))
                .map(age -> seen.path() + ", " + age(age) + " old")
                .orElse(seen.path());
    }

    private static Optional<CheckpointRef> checkpoint(StepContext context) {
        return context.observed().state().last() instanceof LastCheckpoints.Known(var told)
                ? told.completed()
                : Optional.empty();
    }

    /** When the savepoint at {@code path} was made; empty if nobody knows of it. */
    private static Optional<Instant> savepoint(StepContext context, String path) {
        StateLog log = context.draft().job().log().savepoints();
        Optional<Instant> told =
                context.observed().state().last() instanceof LastCheckpoints.Known(var checkpoints)
                        ? checkpoints
                                .savepoint()
                                .filter(it -> it.path().equals(path))
                                .map(CheckpointRef::at)
                        : Optional.empty();
        return told.or(
                () ->
                        Stream.concat(log.last().stream(), log.history().stream())
                                .filter(it -> it.location().equals(Optional.of(path)))
                                .map(SavedState::at)
                                .findFirst());
    }

    private static String age(Duration since) {
        Duration age = since.isNegative() ? Duration.ZERO : since;
        if (age.toMinutes() < 2) {
            return age.toSeconds() + " s";
        }
        if (age.toHours() < 2) {
            return age.toMinutes() + " min";
        }
        return age.toDays() < 2 ? age.toHours() + " h" : age.toDays() + " d";
    }
}
