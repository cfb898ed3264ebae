// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.sluice.api.status.DisposalStatus;
import java.time.Instant;
import java.util.Optional;

/**
 * How far the deletion of a FlinkStateSnapshot is. It is Sluice's own and lies in {@code
 * status.deletion}.
 *
 * @param since when the operator began with it, from which its deadline counts
 * @param disposal that Flink is asked to delete the savepoint; empty before the asking
 */
public record SnapshotDeletion(Instant since, Optional<DisposalStatus> disposal) {
    /** The same deletion with another state of the disposal. */
    public SnapshotDeletion disposing(DisposalStatus next) {
        return new SnapshotDeletion(since, Optional.of(next));
    }

    static SnapshotDeletion read(Fields fields) {
        return new SnapshotDeletion(
                fields.string("since").flatMap(StatusJson::instant).orElse(Instant.EPOCH),
                fields.object("disposal", DisposalStatus::read));
    }

    void writeTo(ObjectNode node) {
        node.put("since", since.toString());
        disposal.ifPresent(it -> it.writeTo(node.putObject("disposal")));
    }
}
