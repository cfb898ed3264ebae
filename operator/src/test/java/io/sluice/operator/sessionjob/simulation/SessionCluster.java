// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.ReconciledSpec;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A session cluster: its resource, whose status says what the operator of FlinkDeployments would
 * have written, and the process of its JobManager. No process runs while the status says that there
 * is none: a new one is on record before it is begun.
 */
final class SessionCluster {
    static final String NAME = "session";
    private static final String READY = "READY";

    private final SessionWorld world;
    private final SessionMetadata metadata;
    private final ObjectNode spec;
    private Optional<SessionProcess> process;
    private String told = "";

    SessionCluster(SessionWorld world, SessionMetadata.Kind kind) {
        this.world = world;
        metadata = new SessionMetadata(kind);
        spec = spec(kind);
        process = Optional.of(new SessionProcess(world, metadata));
        var resource = new FlinkDeployment();
        resource.getMetadata().setNamespace(world.namespace());
        resource.getMetadata().setName(NAME);
        resource.setSpec(spec);
        world.quietly(() -> world.client().resource(resource).create());
        tell("DEPLOYING");
    }

    private static ObjectNode spec(SessionMetadata.Kind kind) {
        ObjectNode made =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("image", "flink:" + kind.version())
                        .put("flinkVersion", kind.isNewer() ? "v2_3" : "v1_20")
                        .put("serviceAccount", "flink");
        made.putObject("jobManager").putObject("resource").put("cpu", 0.1).put("memory", "1g");
        made.putObject("taskManager").putObject("resource").put("cpu", 0.1).put("memory", "1g");
        ObjectNode options =
                made.putObject("flinkConfiguration")
                        .put("execution.checkpointing.savepoint-dir", "s3://s")
                        .put("execution.checkpointing.dir", "s3://c");
        if (kind.isHighlyAvailable()) {
            options.put("high-availability.type", "kubernetes")
                    .put("high-availability.storageDir", "s3://h");
        }
        if (kind.keepsResults()) {
            options.put("job-result-store.delete-on-commit", "false");
        }
        return made;
    }

    boolean keepsResults() {
        return metadata.kind().keepsResults();
    }

    Map<String, String> options() {
        Map<String, String> options = new TreeMap<>();
        spec.path("flinkConfiguration")
                .properties()
                .forEach(each -> options.put(each.getKey(), each.getValue().asText()));
        return options;
    }

    Optional<SessionProcess> process() {
        return process;
    }

    /** Whoever answers at its address. */
    Optional<SessionProcess> answering() {
        return process.filter(SessionProcess::isUp);
    }

    /** The process ends, and the next one begins at once. */
    void restart() {
        if (process.isPresent()) {
            world.trace("the JobManager restarts");
            process.ifPresent(SessionProcess::die);
            process = Optional.of(new SessionProcess(world, metadata));
        }
    }

    /** Somebody deletes its Deployment. */
    void goAway() {
        if (process.isPresent()) {
            world.trace("the JobManager is gone");
            process.ifPresent(SessionProcess::die);
            process = Optional.empty();
        }
    }

    void loseTaskManager() {
        process.ifPresent(SessionProcess::loseTaskManager);
    }

    void step() {
        process.ifPresentOrElse(SessionProcess::step, this::create);
        process.ifPresent(this::tellOf);
    }

    void finishOverdue() {
        process.ifPresent(SessionProcess::finishOverdue);
    }

    private void tellOf(SessionProcess running) {
        if (running.isUp() && world.dice().chance(60)) {
            tell(READY);
        }
        if (!running.isUp() && told.equals(READY) && world.dice().chance(40)) {
            tell("DEPLOYED_NOT_READY");
        }
    }

    /** First it is told that there is none, then that there is to be one. */
    private void create() {
        if (!world.dice().chance(50)) {
            return;
        }
        if (told.equals("DEPLOYING")) {
            process = Optional.of(new SessionProcess(world, metadata));
        } else if (told.equals("MISSING") || world.dice().chance(50)) {
            tell("DEPLOYING");
        } else {
            tell("MISSING");
        }
    }

    private void tell(String jobManager) {
        if (told.equals(jobManager)) {
            return;
        }
        told = jobManager;
        ObjectNode status =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("jobManagerDeploymentStatus", jobManager)
                        .put("lifecycleState", "STABLE");
        status.putObject("reconciliationStatus")
                .put("state", "DEPLOYED")
                .put("lastReconciledSpec", new ReconciledSpec(spec, false).encode());
        status.putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", jobManager.equals(READY) ? "True" : "False")
                .put("reason", jobManager.equals(READY) ? "SessionClusterReady" : "Deploying")
                .put("message", "")
                .put("lastTransitionTime", "2026-01-01T00:00:00Z");
        world.trace("the cluster is " + jobManager);
        world.quietly(
                () -> {
                    FlinkDeployment resource =
                            world.client()
                                    .resources(FlinkDeployment.class)
                                    .inNamespace(world.namespace())
                                    .withName(NAME)
                                    .get();
                    resource.setStatus(status);
                    return world.client().resource(resource).updateStatus();
                });
    }

    @Override
    public String toString() {
        return told + " " + process.map(SessionProcess::toString).orElse("no process");
    }
}
