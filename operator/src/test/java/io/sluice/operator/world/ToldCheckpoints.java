// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.world;

import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.operator.deployment.simulation.SimulatedFramework;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * What a JobManager tells of a job's checkpoints: from a cache, as Flink does; a checkpoint just
 * completed may have no path there.
 */
public final class ToldCheckpoints {
    /** How long an answer is given again. */
    private static final Duration CACHED = Duration.ofSeconds(3);

    private record Told(Instant at, Checkpoints checkpoints) {}

    private final SimulatedFramework.World world;
    private final DurableStates states;
    private final InstantSource clock;
    private Optional<Told> told = Optional.empty();

    /**
     * @param clock of Flink
     */
    public ToldCheckpoints(
            SimulatedFramework.World world, DurableStates states, InstantSource clock) {
        this.world = world;
        this.states = states;
        this.clock = clock;
    }

    public Checkpoints of(
            Optional<CheckpointRef> completed,
            Optional<CheckpointRef> savepoint,
            Optional<CheckpointRef> restored) {
        Instant now = clock.instant();
        Told answer =
                told.filter(it -> !now.isAfter(it.at().plus(CACHED)))
                        .orElseGet(
                                () ->
                                        new Told(
                                                now,
                                                new Checkpoints(
                                                        completed.map(this::perhapsUntold),
                                                        savepoint,
                                                        restored,
                                                        List.of())));
        told = Optional.of(answer);
        return answer.checkpoints();
    }

    private CheckpointRef perhapsUntold(CheckpointRef last) {
        boolean isNew = !clock.instant().isAfter(last.at().plus(CACHED));
        return isNew && world.strikes(30)
                ? new CheckpointRef(last.id(), CheckpointRef.UNTOLD, last.at(), false)
                : new CheckpointRef(
                        last.id(), last.path(), last.at(), states.find(last.path()).isEmpty());
    }
}
