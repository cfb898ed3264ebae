// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import java.util.List;
import java.util.Optional;

/**
 * {@code FlinkSessionJob.status}. Fields that this version does not know are kept by {@link #onto}.
 *
 * @param error the last failure as a JSON string; conditions say it better
 * @param attempt which job is the resource's, see {@link AttemptStatus}
 * @param lastUpgrade how long the job was down for its last upgrade; empty before the first
 */
public record FlinkSessionJobStatus(
        JobStatus jobStatus,
        Optional<String> error,
        Optional<Long> observedGeneration,
        Optional<LifecycleState> lifecycleState,
        ReconciliationStatus reconciliationStatus,
        AttemptStatus attempt,
        Optional<LastUpgrade> lastUpgrade,
        List<Condition> conditions) {
    /** The status of a resource no operator has touched yet. */
    public static final FlinkSessionJobStatus NEW =
            new FlinkSessionJobStatus(
                    JobStatus.EMPTY,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    ReconciliationStatus.EMPTY,
                    AttemptStatus.NONE,
                    Optional.empty(),
                    List.of());

    public FlinkSessionJobStatus {
        conditions = List.copyOf(conditions);
    }

    /** The typed view of a stored status; what can't be read counts as not there. */
    public static FlinkSessionJobStatus of(ObjectNode status) {
        return Fields.read(status, "status", FlinkSessionJobStatus::read).value();
    }

    /**
     * This status written over {@code stored}: known fields replaced or removed, unknown ones kept.
     * Returns a new object.
     */
    public ObjectNode onto(ObjectNode stored) {
        ObjectNode node = stored.deepCopy();
        jobStatus.writeTo(StatusJson.objectAt(node, "jobStatus"));
        StatusJson.put(node, "error", error);
        StatusJson.putNumber(node, "observedGeneration", observedGeneration);
        StatusJson.put(node, "lifecycleState", lifecycleState.map(LifecycleState::wire));
        reconciliationStatus.writeTo(StatusJson.objectAt(node, "reconciliationStatus"));
        attempt.writeOnto(node);
        LastUpgrade.writeOnto(node, lastUpgrade);
        Condition.write(conditions, node);
        return node;
    }

    private static FlinkSessionJobStatus read(Fields fields) {
        return new FlinkSessionJobStatus(
                fields.object("jobStatus", JobStatus::read).orElse(JobStatus.EMPTY),
                fields.string("error"),
                fields.int64("observedGeneration"),
                fields.choice("lifecycleState", LifecycleState.WORDS),
                fields.object("reconciliationStatus", ReconciliationStatus::read)
                        .orElse(ReconciliationStatus.EMPTY),
                fields.object("attempt", AttemptStatus::read).orElse(AttemptStatus.NONE),
                LastUpgrade.inside(fields),
                Condition.read(fields));
    }
}
