// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code FlinkStateSnapshot.status}. Fields that this version does not know are kept by {@link
 * #onto}.
 *
 * @param path of the finished snapshot
 * @param failures how often it failed so far
 */
public record FlinkStateSnapshotStatus(
        SnapshotState state,
        Optional<String> triggerId,
        Optional<Instant> triggerTimestamp,
        Optional<Instant> resultTimestamp,
        Optional<String> path,
        Optional<String> error,
        int failures,
        Optional<Long> observedGeneration,
        List<Condition> conditions) {
    /** The status of a resource no operator has touched yet. */
    public static final FlinkStateSnapshotStatus NEW =
            new FlinkStateSnapshotStatus(
                    SnapshotState.TRIGGER_PENDING,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    0,
                    Optional.empty(),
                    List.of());

    public FlinkStateSnapshotStatus {
        conditions = List.copyOf(conditions);
    }

    /** The typed view of a stored status; what can't be read counts as not there. */
    public static FlinkStateSnapshotStatus of(ObjectNode status) {
        return Fields.read(status, "status", FlinkStateSnapshotStatus::read).value();
    }

    /**
     * This status written over {@code stored}: known fields replaced or removed, unknown ones kept.
     * Returns a new object.
     */
    public ObjectNode onto(ObjectNode stored) {
        ObjectNode node = stored.deepCopy();
        node.put("state", state.wire());
        StatusJson.put(node, "triggerId", triggerId);
        StatusJson.put(node, "triggerTimestamp", triggerTimestamp.map(Instant::toString));
        StatusJson.put(node, "resultTimestamp", resultTimestamp.map(Instant::toString));
        StatusJson.put(node, "path", path);
        StatusJson.put(node, "error", error);
        node.put("failures", failures);
        StatusJson.putNumber(node, "observedGeneration", observedGeneration);
        Condition.write(conditions, node);
        return node;
    }

    private static FlinkStateSnapshotStatus read(Fields fields) {
        return new FlinkStateSnapshotStatus(
                fields.choice("state", SnapshotState.WORDS).orElse(SnapshotState.TRIGGER_PENDING),
                fields.string("triggerId"),
                fields.string("triggerTimestamp").flatMap(StatusJson::instant),
                fields.string("resultTimestamp").flatMap(StatusJson::instant),
                fields.string("path"),
                fields.string("error"),
                fields.int32("failures").orElse(0),
                fields.int64("observedGeneration"),
                Condition.read(fields));
    }
}
