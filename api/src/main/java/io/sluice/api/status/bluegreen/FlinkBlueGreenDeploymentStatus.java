// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.sluice.api.status.Condition;
import io.sluice.api.status.JobState;
import io.sluice.api.status.ReconciledSpec;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code FlinkBlueGreenDeployment.status}. A time that is not set travels as {@code
 * 1970-01-01T00:00:00Z}. Fields that this version does not know are kept by {@link #onto}.
 *
 * @param jobState of the pair
 * @param lastReconciledSpec see {@link ReconciledSpec}
 * @param activeSpec Sluice's own: the spec that the active half has, as lastReconciledSpec; empty
 *     if that is the one
 * @param transition Sluice's own: the transition in progress, or the last one
 * @param registration Sluice's own: the savepoint that is to get a FlinkStateSnapshot; empty once
 *     it has one
 */
@RecordBuilder
public record FlinkBlueGreenDeploymentStatus(
        Optional<JobState> jobState,
        Optional<BlueGreenState> blueGreenState,
        Optional<String> lastReconciledSpec,
        Optional<Instant> lastReconciledTimestamp,
        Optional<Instant> abortTimestamp,
        Optional<Instant> deploymentReadyTimestamp,
        Optional<String> savepointTriggerId,
        Optional<String> error,
        Optional<String> activeSpec,
        Optional<PairTransition> transition,
        Optional<SavepointRegistration> registration,
        Optional<Long> observedGeneration,
        List<Condition> conditions)
        implements FlinkBlueGreenDeploymentStatusBuilder.With {
    /** The status of a resource no operator has touched yet. */
    public static final FlinkBlueGreenDeploymentStatus NEW =
            FlinkBlueGreenDeploymentStatusBuilder.builder().conditions(List.of()).build();

    public FlinkBlueGreenDeploymentStatus {
        conditions = List.copyOf(conditions);
    }

    /** The condition of this type, if the status has it. */
    public Optional<Condition> condition(String type) {
        return conditions.stream().filter(condition -> condition.type().equals(type)).findFirst();
    }

    /**
     * Whether a transition from one half to the other is in progress. A transition that the Apache
     * operator began counts. The start of a first half and a change in place do not.
     */
    public boolean isBetweenHalves() {
        return transition
                .filter(it -> !it.isOver())
                .map(PairTransition::isBetweenHalves)
                .orElseGet(
                        () -> blueGreenState.filter(BlueGreenState::isBetweenHalves).isPresent());
    }

    /** The typed view of a stored status; what can't be read counts as not there. */
    public static FlinkBlueGreenDeploymentStatus of(ObjectNode status) {
        return Fields.read(status, "status", FlinkBlueGreenDeploymentStatus::read).value();
    }

    /**
     * This status written over {@code stored}: known fields replaced or removed, unknown ones kept.
     * Returns a new object.
     */
    public ObjectNode onto(ObjectNode stored) {
        ObjectNode node = stored.deepCopy();
        StatusJson.put(
                StatusJson.objectAt(node, "jobStatus"), "state", jobState.map(JobState::wire));
        StatusJson.put(node, "blueGreenState", blueGreenState.map(BlueGreenState::wire));
        StatusJson.put(node, "lastReconciledSpec", lastReconciledSpec);
        putTime(node, "lastReconciledTimestamp", lastReconciledTimestamp);
        putTime(node, "abortTimestamp", abortTimestamp);
        putTime(node, "deploymentReadyTimestamp", deploymentReadyTimestamp);
        StatusJson.put(node, "savepointTriggerId", savepointTriggerId);
        StatusJson.put(node, "error", error);
        StatusJson.put(node, "activeSpec", activeSpec);
        transition.ifPresentOrElse(
                it -> it.writeTo(node.putObject("transition")), () -> node.remove("transition"));
        registration.ifPresentOrElse(
                it -> it.writeTo(node.putObject("registration")),
                () -> node.remove("registration"));
        StatusJson.putNumber(node, "observedGeneration", observedGeneration);
        Condition.write(conditions, node);
        return node;
    }

    private static FlinkBlueGreenDeploymentStatus read(Fields fields) {
        return new FlinkBlueGreenDeploymentStatus(
                fields.object("jobStatus", job -> job.choice("state", JobState.WORDS))
                        .flatMap(state -> state),
                fields.choice("blueGreenState", BlueGreenState.WORDS),
                fields.string("lastReconciledSpec"),
                time(fields, "lastReconciledTimestamp"),
                time(fields, "abortTimestamp"),
                time(fields, "deploymentReadyTimestamp"),
                fields.string("savepointTriggerId"),
                fields.string("error"),
                fields.string("activeSpec"),
                fields.object("transition", PairTransition::read),
                fields.object("registration", SavepointRegistration::read),
                fields.int64("observedGeneration"),
                Condition.read(fields));
    }

    private static Optional<Instant> time(Fields fields, String name) {
        return fields.string(name)
                .flatMap(StatusJson::instant)
                .filter(time -> !time.equals(Instant.EPOCH));
    }

    private static void putTime(ObjectNode node, String name, Optional<Instant> time) {
        node.put(name, time.orElse(Instant.EPOCH).toString());
    }
}
