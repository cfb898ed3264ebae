// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import java.time.Instant;
import java.util.Optional;

/**
 * That Flink is asked to delete a savepoint, recorded before the asking.
 *
 * @param at when this try was recorded
 * @param failure why it came to nothing; empty while it is under way
 */
public record DisposalStatus(Instant at, int tries, Optional<String> failure) {
    public boolean isUnderWay() {
        return failure.isEmpty();
    }

    public DisposalStatus failing(String why) {
        return new DisposalStatus(at, tries, Optional.of(why));
    }

    /** Reads one from its object in a status. */
    public static DisposalStatus read(Fields fields) {
        return new DisposalStatus(
                StateLog.instant(fields, "at").orElse(Instant.EPOCH),
                fields.int32("tries").orElse(1),
                fields.string("failure"));
    }

    /** Writes it into its object in a status. */
    public void writeTo(ObjectNode node) {
        node.put("at", at.toEpochMilli()).put("tries", tries);
        StatusJson.put(node, "failure", failure);
    }
}
