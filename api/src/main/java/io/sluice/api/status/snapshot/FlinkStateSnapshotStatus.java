// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.sluice.api.status.Condition;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code FlinkStateSnapshot.status}. Fields that this version does not know are kept by {@link
 * #onto}.
 *
 * @param path of the finished snapshot
 * @param failures how often it failed so far
 * @param attempt Sluice's own: which job was asked, and what is remembered of the asking
 * @param deletion Sluice's own: how far the deletion of the files is; empty before it began
 */
@RecordBuilder
public record FlinkStateSnapshotStatus(
        SnapshotState state,
        Optional<String> triggerId,
        Optional<Instant> triggerTimestamp,
        Optional<Instant> resultTimestamp,
        Optional<String> path,
        Optional<String> error,
        int failures,
        SnapshotAttempt attempt,
        Optional<SnapshotDeletion> deletion,
        Optional<Long> observedGeneration,
        List<Condition> conditions)
        implements FlinkStateSnapshotStatusBuilder.With {
    /** The status of a resource no operator has touched yet. */
    public static final FlinkStateSnapshotStatus NEW =
            FlinkStateSnapshotStatusBuilder.builder()
                    .state(SnapshotState.TRIGGER_PENDING)
                    .attempt(SnapshotAttempt.NONE)
                    .conditions(List.of())
                    .build();

    public FlinkStateSnapshotStatus {
        conditions = List.copyOf(conditions);
    }

    /** The condition of this type, if the status has it. */
    public Optional<Condition> condition(String type) {
        return conditions.stream().filter(condition -> condition.type().equals(type)).findFirst();
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
        attempt.writeOnto(node);
        deletion.ifPresentOrElse(
                it -> it.writeTo(node.putObject("deletion")), () -> node.remove("deletion"));
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
                SnapshotAttempt.read(fields),
                fields.object("deletion", SnapshotDeletion::read),
                fields.int64("observedGeneration"),
                Condition.read(fields));
    }
}
