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
 */
public record AttemptStatus(
        Optional<String> id, Optional<StopStatus> stop, Optional<String> lastCheckpoint) {
    public static final AttemptStatus NONE =
            new AttemptStatus(Optional.empty(), Optional.empty(), Optional.empty());

    public AttemptStatus stoppedBy(StopStatus next) {
        return new AttemptStatus(id, Optional.of(next), lastCheckpoint);
    }

    public AttemptStatus withoutStop() {
        return new AttemptStatus(id, Optional.empty(), lastCheckpoint);
    }

    static AttemptStatus read(Fields fields) {
        return new AttemptStatus(
                fields.string("id"),
                fields.object("stop", StopStatus::read).flatMap(stop -> stop),
                fields.string("lastCheckpoint"));
    }

    void writeOnto(ObjectNode status) {
        if (equals(NONE)) {
            status.remove("attempt");
            return;
        }
        ObjectNode node = status.putObject("attempt");
        StatusJson.put(node, "id", id);
        StatusJson.put(node, "lastCheckpoint", lastCheckpoint);
        stop.ifPresent(it -> it.writeTo(node.putObject("stop")));
    }
}
