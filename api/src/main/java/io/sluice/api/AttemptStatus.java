// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code status.attempt}, Sluice's own: which Deployment is the resource's, and how its end is
 * being brought about.
 *
 * @param id what the Deployment is annotated with; empty if no Sluice ever made one
 * @param stop empty while nobody is bringing the job to an end
 * @param lastCheckpoint the last one that was seen of the job when the status was written; a hint
 *     for people, should its state be lost: nothing is ever started from it by itself
 * @param rolledBack whether the attempt runs the last stable spec instead of the one taken up last
 * @param jar of a session job: which uploaded jar it was asked to be run from, recorded before the
 *     asking; as long as it is there nobody knows whether the job will turn up
 */
public record AttemptStatus(
        Optional<String> id,
        Optional<StopStatus> stop,
        Optional<SeenCheckpoint> lastCheckpoint,
        boolean rolledBack,
        Optional<String> jar) {
    public static final AttemptStatus NONE =
            new AttemptStatus(
                    Optional.empty(), Optional.empty(), Optional.empty(), false, Optional.empty());

    /**
     * A checkpoint as somebody saw it.
     *
     * @param path where it is
     * @param at when it was complete; empty if that was not told
     */
    public record SeenCheckpoint(String path, Optional<Instant> at) {}

    /** An attempt that no jar was uploaded for. */
    public AttemptStatus(
            Optional<String> id,
            Optional<StopStatus> stop,
            Optional<SeenCheckpoint> lastCheckpoint) {
        this(id, stop, lastCheckpoint, false, Optional.empty());
    }

    public AttemptStatus stoppedBy(StopStatus next) {
        return new AttemptStatus(id, Optional.of(next), lastCheckpoint, rolledBack, jar);
    }

    public AttemptStatus withoutStop() {
        return new AttemptStatus(id, Optional.empty(), lastCheckpoint, rolledBack, jar);
    }

    /** The same attempt, no matter which spec it ran: another one takes its place. */
    public AttemptStatus withoutRollback() {
        return new AttemptStatus(id, stop, lastCheckpoint, false, jar);
    }

    /** The attempt, of which this checkpoint was seen last. */
    public AttemptStatus having(Optional<SeenCheckpoint> seen) {
        return new AttemptStatus(id, stop, seen, rolledBack, jar);
    }

    /** The attempt under the name that Sluice knows it by from now on. */
    public AttemptStatus named(String name) {
        return new AttemptStatus(Optional.of(name), stop, lastCheckpoint, rolledBack, jar);
    }

    /** The attempt runs the last stable spec. */
    public AttemptStatus onStableSpec() {
        return new AttemptStatus(id, stop, lastCheckpoint, true, jar);
    }

    /** The job is about to be asked for from the jar {@code next}; empty once that is settled. */
    public AttemptStatus withJar(Optional<String> next) {
        return new AttemptStatus(id, stop, lastCheckpoint, rolledBack, next);
    }

    static AttemptStatus read(Fields fields) {
        return new AttemptStatus(
                fields.string("id"),
                fields.object("stop", StopStatus::read).flatMap(stop -> stop),
                fields.string("lastCheckpoint")
                        .map(
                                path ->
                                        new SeenCheckpoint(
                                                path,
                                                fields.string("lastCheckpointTime")
                                                        .flatMap(StatusJson::instant))),
                fields.bool("rolledBack").orElse(false),
                fields.string("jar"));
    }

    void writeOnto(ObjectNode status) {
        if (equals(NONE)) {
            status.remove("attempt");
            return;
        }
        ObjectNode node = status.putObject("attempt");
        StatusJson.put(node, "id", id);
        StatusJson.put(node, "lastCheckpoint", lastCheckpoint.map(SeenCheckpoint::path));
        StatusJson.put(
                node,
                "lastCheckpointTime",
                lastCheckpoint.flatMap(SeenCheckpoint::at).map(Instant::toString));
        StatusJson.put(node, "jar", jar);
        stop.ifPresent(it -> it.writeTo(node.putObject("stop")));
        if (rolledBack) {
            node.put("rolledBack", true);
        }
    }
}
