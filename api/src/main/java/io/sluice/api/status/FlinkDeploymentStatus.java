// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * {@code FlinkDeployment.status}: the operator's durable memory and the user's window into it.
 * Fields that this version does not know are kept by {@link #onto}.
 *
 * @param error the last failure as a JSON string, for tools that read the Apache operator's field;
 *     conditions say it better
 * @param clusterInfo facts of the running cluster by their wire names
 * @param attempt which Deployment is the resource's own, see {@link AttemptStatus}
 * @param lastUpgrade how long the job was down for its last upgrade; empty before the first
 */
@RecordBuilder
public record FlinkDeploymentStatus(
        JobStatus jobStatus,
        Optional<String> error,
        Optional<Long> observedGeneration,
        Optional<LifecycleState> lifecycleState,
        Map<String, String> clusterInfo,
        JobManagerDeploymentState jobManagerDeploymentStatus,
        ReconciliationStatus reconciliationStatus,
        TaskManagerStatus taskManager,
        AttemptStatus attempt,
        Optional<LastUpgrade> lastUpgrade,
        List<Condition> conditions)
        implements FlinkDeploymentStatusBuilder.With {
    /** The status of a resource no operator has touched yet. */
    public static final FlinkDeploymentStatus NEW =
            new FlinkDeploymentStatus(
                    JobStatus.EMPTY,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Map.of(),
                    JobManagerDeploymentState.MISSING,
                    ReconciliationStatus.EMPTY,
                    TaskManagerStatus.NONE,
                    AttemptStatus.NONE,
                    Optional.empty(),
                    List.of());

    public FlinkDeploymentStatus {
        clusterInfo = Collections.unmodifiableMap(new LinkedHashMap<>(clusterInfo));
        conditions = List.copyOf(conditions);
    }

    /** The typed view of a stored status; what can't be read counts as not there. */
    public static FlinkDeploymentStatus of(ObjectNode status) {
        return Fields.read(status, "status", FlinkDeploymentStatus::read).value();
    }

    public Optional<Condition> condition(String type) {
        return conditions.stream().filter(condition -> condition.type().equals(type)).findFirst();
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
        ObjectNode info = node.putObject("clusterInfo");
        new TreeMap<>(clusterInfo).forEach(info::put);
        node.put("jobManagerDeploymentStatus", jobManagerDeploymentStatus.wire());
        reconciliationStatus.writeTo(StatusJson.objectAt(node, "reconciliationStatus"));
        StatusJson.objectAt(node, "taskManager")
                .put("labelSelector", taskManager.labelSelector())
                .put("replicas", taskManager.replicas());
        attempt.writeOnto(node);
        LastUpgrade.writeOnto(node, lastUpgrade);
        Condition.write(conditions, node);
        return node;
    }

    private static FlinkDeploymentStatus read(Fields fields) {
        return new FlinkDeploymentStatus(
                fields.object("jobStatus", JobStatus::read).orElse(JobStatus.EMPTY),
                fields.string("error"),
                fields.int64("observedGeneration"),
                fields.choice("lifecycleState", LifecycleState.WORDS),
                fields.stringMap("clusterInfo"),
                fields.choice("jobManagerDeploymentStatus", JobManagerDeploymentState.WORDS)
                        .orElse(JobManagerDeploymentState.MISSING),
                fields.object("reconciliationStatus", ReconciliationStatus::read)
                        .orElse(ReconciliationStatus.EMPTY),
                fields.object("taskManager", TaskManagerStatus::read)
                        .orElse(TaskManagerStatus.NONE),
                fields.object("attempt", AttemptStatus::read).orElse(AttemptStatus.NONE),
                LastUpgrade.inside(fields),
                Condition.read(fields));
    }
}
