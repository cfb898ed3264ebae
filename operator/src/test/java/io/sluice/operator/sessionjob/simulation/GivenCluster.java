// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.operator.deployment.simulation.FlinkLaunch;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A session cluster that is simply there: its resource, whose status says what the operator of
 * FlinkDeployments would have written, and the process of its JobManager. No process runs while the
 * status says that there is none: a new one is on record before it is begun.
 */
final class GivenCluster implements SessionCluster {
    private static final String READY = "READY";

    private final SessionWorld world;
    private final SessionMetadata metadata;
    private final ObjectNode spec;
    private Optional<SessionProcess> process;
    private String told = "";

    GivenCluster(SessionWorld world, SessionMetadata.Kind kind) {
        this.world = world;
        metadata = new SessionMetadata(kind, new SessionMetadata.Kept(Optional.empty()));
        spec = spec(kind);
        process = Optional.of(start());
        var resource = new FlinkDeployment();
        resource.getMetadata().setNamespace(world.namespace());
        resource.getMetadata().setName(NAME);
        resource.setSpec(spec);
        world.quietly(() -> world.client().resource(resource).create());
        tell("DEPLOYING");
    }

    static ObjectNode spec(SessionMetadata.Kind kind) {
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

    private SessionProcess start() {
        return new SessionProcess(world, metadata, launch(), _ -> false);
    }

    private FlinkLaunch launch() {
        return new FlinkLaunch(
                NAME, NAME, 1, metadata.kind().version(), options(), new FlinkLaunch.History());
    }

    private Map<String, String> options() {
        Map<String, String> options = new TreeMap<>();
        spec.path("flinkConfiguration")
                .properties()
                .forEach(each -> options.put(each.getKey(), each.getValue().asText()));
        return options;
    }

    @Override
    public Stream<SessionProcess> processes() {
        return process.stream();
    }

    @Override
    public Optional<SessionProcess> answering() {
        return process.filter(SessionProcess::isUp);
    }

    @Override
    public void restart() {
        if (process.isPresent()) {
            world.trace("the JobManager restarts");
            process.ifPresent(SessionProcess::ended);
            process = Optional.of(start());
        }
    }

    @Override
    public void goAway() {
        if (process.isPresent()) {
            world.trace("the JobManager is gone");
            process.ifPresent(SessionProcess::ended);
            process = Optional.empty();
        }
    }

    @Override
    public void loseTaskManager() {
        process.ifPresent(SessionProcess::loseTaskManager);
    }

    @Override
    public void step() {
        process.ifPresentOrElse(SessionProcess::step, this::create);
        process.ifPresent(this::tellOf);
    }

    @Override
    public void finishOverdue() {
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
            process = Optional.of(start());
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
