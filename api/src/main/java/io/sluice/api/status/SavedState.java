// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import java.time.Instant;
import java.util.Optional;

/**
 * A savepoint or checkpoint that was made.
 *
 * @param location where a savepoint is; empty for a checkpoint, which is Flink's own to keep
 * @param format {@code formatType} in the wire's words
 * @param nonce of a {@link TriggerType#MANUAL} one
 * @param disposal that it is being deleted; Sluice's own field
 */
public record SavedState(
        Instant at,
        Optional<String> location,
        TriggerType type,
        String format,
        Optional<Long> nonce,
        Optional<DisposalStatus> disposal) {
    public SavedState disposedBy(DisposalStatus next) {
        return new SavedState(at, location, type, format, nonce, Optional.of(next));
    }

    static SavedState read(Fields fields) {
        return new SavedState(
                StateLog.instant(fields, "timeStamp").orElse(Instant.EPOCH),
                fields.string("location"),
                fields.choice("triggerType", TriggerType.WORDS).orElse(TriggerType.UNKNOWN),
                fields.string("formatType").orElse("UNKNOWN"),
                fields.int64("triggerNonce"),
                fields.object("disposal", DisposalStatus::read));
    }

    void writeTo(ObjectNode node) {
        node.put("timeStamp", at.toEpochMilli());
        StatusJson.put(node, "location", location);
        node.put("triggerType", type.wire()).put("formatType", format);
        StatusJson.putNumber(node, "triggerNonce", nonce);
        disposal.ifPresent(it -> it.writeTo(node.putObject("disposal")));
    }
}
