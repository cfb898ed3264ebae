// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * {@code status.attempt}, Sluice's own: which Deployment is the resource's, and how its end is
 * being brought about.
 *
 * @param id what the Deployment is annotated with; empty if no Sluice ever made one
 * @param stop empty while nobody is bringing the job to an end
 * @param lastCheckpoint where the last checkpoint was that was seen of a job whose state is in
 *     high-availability metadata; a hint for people, should the metadata be lost
 * @param jar of a session job: which uploaded jar it was asked to be run from, recorded before the
 *     asking; as long as it is there nobody knows whether the job will turn up
 */
public record AttemptStatus(
        Optional<String> id,
        Optional<StopStatus> stop,
        Optional<String> lastCheckpoint,
        Optional<String> jar) {
    public static final AttemptStatus NONE =
            new AttemptStatus(Optional.empty(), Optional.empty(), Optional.empty());

    /** An attempt that no jar was uploaded for. */
    public AttemptStatus(
            Optional<String> id, Optional<StopStatus> stop, Optional<String> lastCheckpoint) {
        this(id, stop, lastCheckpoint, Optional.empty());
    }

    public AttemptStatus stoppedBy(StopStatus next) {
        return new AttemptStatus(id, Optional.of(next), lastCheckpoint, jar);
    }

    public AttemptStatus withoutStop() {
        return new AttemptStatus(id, Optional.empty(), lastCheckpoint, jar);
    }

    /** The job is about to be asked for from the jar {@code next}; empty once that is settled. */
    public AttemptStatus withJar(Optional<String> next) {
        return new AttemptStatus(id, stop, lastCheckpoint, next);
    }

    static AttemptStatus read(Fields fields) {
        return new AttemptStatus(
                fields.string("id"),
                fields.object("stop", StopStatus::read).flatMap(stop -> stop),
                fields.string("lastCheckpoint"),
                fields.string("jar"));
    }

    void writeOnto(ObjectNode status) {
        if (equals(NONE)) {
            status.remove("attempt");
            return;
        }
        ObjectNode node = status.putObject("attempt");
        StatusJson.put(node, "id", id);
        StatusJson.put(node, "lastCheckpoint", lastCheckpoint);
        StatusJson.put(node, "jar", jar);
        stop.ifPresent(it -> it.writeTo(node.putObject("stop")));
    }
}
