// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.hands;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.testkit.sim.Dice;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A status of a FlinkDeployment in the words of the Apache operator, as the contract of the CRDs
 * says that it writes them.
 */
public final class FormerStatus {
    /** What stands for a state that only the metadata of high availability names. */
    public static final String LAST_STATE = "KUBERNETES_OPERATOR_LAST_STATE";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String API = "flink.apache.org/v1beta1";
    private static final List<String> OF_SPEC =
            List.of(
                    "job",
                    "restartNonce",
                    "imagePullPolicy",
                    "ingress",
                    "podTemplate",
                    "logConfiguration",
                    "mode");
    private static final List<String> OF_JOB =
            List.of(
                    "entryClass",
                    "savepointTriggerNonce",
                    "initialSavepointPath",
                    "checkpointTriggerNonce",
                    "allowNonRestoredState",
                    "savepointRedeployNonce",
                    "autoscalerResetNonce");

    private final ObjectNode status = JSON.objectNode();
    private final ObjectNode job = status.putObject("jobStatus");
    private final ObjectNode reconciliation = status.putObject("reconciliationStatus");
    private final ObjectNode savepoints = job.putObject("savepointInfo");
    private final boolean isFlat;

    /**
     * @param dice choose the layout, of which there are two
     */
    public FormerStatus(Dice dice, Instant now) {
        isFlat = dice.chance(20);
        status.putObject("clusterInfo").put("flink-version", "1.20.0");
        status.putArray("conditions")
                .addObject()
                .put("type", "Running")
                .put("status", "True")
                .put("reason", "Running")
                .put("message", "RUNNING")
                .put("lastTransitionTime", now.toString());
        job.put("jobName", "app")
                .putObject("checkpointInfo")
                .put("lastPeriodicCheckpointTimestamp", 0);
        savepoints.put("lastPeriodicSavepointTimestamp", 0).putArray("savepointHistory");
        reconciliation.put("reconciliationTimestamp", now.toEpochMilli());
    }

    /**
     * @param state of the reconciliation: DEPLOYED or UPGRADING
     * @param lifecycle as printed
     * @param generation the one that it has carried out
     */
    public FormerStatus reconciled(String state, String lifecycle, long generation) {
        reconciliation.put("state", state);
        status.put("lifecycleState", lifecycle).put("observedGeneration", generation);
        return this;
    }

    public FormerStatus jobManager(String state) {
        status.put("jobManagerDeploymentStatus", state);
        return this;
    }

    public FormerStatus job(String id, String state, Optional<Instant> start) {
        job.put("jobId", id).put("state", state);
        start.map(Instant::toEpochMilli)
                .ifPresent(
                        at ->
                                job.put("startTime", Long.toString(at))
                                        .put("updateTime", Long.toString(at)));
        return this;
    }

    /** What the job was started from, or is to be started from next. */
    public FormerStatus path(Optional<String> path) {
        path.ifPresent(it -> job.put("upgradeSavepointPath", it));
        return this;
    }

    /** As older versions keep the path of a savepoint that the job has ended with. */
    public FormerStatus olderPath(String path, Instant at) {
        savepoints
                .putObject("lastSavepoint")
                .put("formatType", "CANONICAL")
                .put("location", path)
                .put("timeStamp", at.toEpochMilli())
                .put("triggerType", "UPGRADE");
        return this;
    }

    /** A savepoint that it has asked for and waits for. */
    public FormerStatus saving(String triggerId, Instant since) {
        savepoints
                .put("triggerId", triggerId)
                .put("triggerTimestamp", since.toEpochMilli())
                .put("triggerType", "MANUAL");
        return this;
    }

    /** The spec that it reconciled last. */
    public FormerStatus last(ObjectNode spec, boolean isFirst) {
        reconciliation.put("lastReconciledSpec", encoded(spec, isFirst));
        return this;
    }

    public FormerStatus stable(ObjectNode spec) {
        reconciliation.put("lastStableSpec", encoded(spec, false));
        return this;
    }

    public ObjectNode node() {
        return status;
    }

    private String encoded(ObjectNode spec, boolean isFirst) {
        ObjectNode text = filled(spec);
        if (isFlat && !isFirst) {
            return text.put("apiVersion", API).toString();
        }
        ObjectNode wrapped = JSON.objectNode();
        wrapped.set("spec", text);
        wrapped.putObject("resource_metadata")
                .put("apiVersion", API)
                .put("firstDeployment", isFirst);
        return wrapped.toString();
    }

    /** Its model writes out what a user has left out. */
    private static ObjectNode filled(ObjectNode spec) {
        ObjectNode all = spec.deepCopy();
        OF_SPEC.stream().filter(it -> !all.has(it)).forEach(all::putNull);
        ObjectNode ofJob = all.withObject("/job");
        OF_JOB.stream().filter(it -> !ofJob.has(it)).forEach(ofJob::putNull);
        if (!(ofJob.get("args") instanceof ArrayNode)) {
            ofJob.putArray("args");
        }
        for (String component : List.of("jobManager", "taskManager")) {
            ObjectNode of = all.withObject("/" + component);
            of.withObject("/resource").putNull("ephemeralStorage");
            of.putNull("resources").putNull("podTemplate");
        }
        all.withObject("/jobManager").put("replicas", 1);
        if (!all.at("/taskManager").has("replicas")) {
            all.withObject("/taskManager").putNull("replicas");
        }
        return all;
    }

    /** That spec, as it is kept while no cluster of it runs. */
    public static ObjectNode suspended(ObjectNode spec, String restoredBy) {
        ObjectNode copy = spec.deepCopy();
        copy.withObject("/job").put("state", "suspended").put("upgradeMode", restoredBy);
        return copy;
    }
}
