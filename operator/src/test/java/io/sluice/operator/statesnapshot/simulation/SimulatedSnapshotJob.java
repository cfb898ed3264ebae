// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.RawResource;
import io.sluice.api.status.ReconciledSpec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The job of the snapshots: its resource, as the API server has it, and its run, as Flink has it.
 * Its own operator is without flaws, though it may be late.
 */
final class SimulatedSnapshotJob {
    /** What becomes of the job. */
    enum Phase {
        ABSENT,
        DEPLOYING,
        RECOVERING,
        STARTING,
        RUNNING,
        RESTARTING,
        STOPPING,
        SUSPENDED,
        ENDING,
        ENDED,
        LEAVING
    }

    static final String NAME = "orders";

    private static final String CLUSTER = "session";
    private static final String FINALIZER = "simulation/job";
    private static final String INITIAL = "initialSavepointPath";

    private final SnapshotWorld world;
    private final KubernetesClient client;
    private final boolean isSessionJob;
    private final Optional<FlinkDeployment> cluster;
    private final ObjectNode configuration;
    private Optional<RawResource> resource = Optional.empty();
    private Optional<SimulatedProcess> process = Optional.empty();
    private Phase phase = Phase.ABSENT;
    private boolean isToRun = true;
    private int attempts;
    private int changes;
    private Instant lastChange = Instant.EPOCH;
    private Optional<String> upgradePath = Optional.empty();
    private Optional<String> initialPath = Optional.empty();
    private Optional<String> restored = Optional.empty();

    /**
     * @param configuration of the job
     */
    SimulatedSnapshotJob(SnapshotWorld world, boolean isSessionJob, ObjectNode configuration) {
        this.world = world;
        this.client = world.client();
        this.isSessionJob = isSessionJob;
        this.configuration = configuration;
        cluster = isSessionJob ? Optional.of(cluster()) : Optional.empty();
        if (isSessionJob) {
            process = Optional.of(new SimulatedProcess(world));
        }
    }

    private FlinkDeployment cluster() {
        var session = new FlinkDeployment();
        session.getMetadata().setNamespace(world.namespace());
        session.getMetadata().setName(CLUSTER);
        session.setSpec(JsonNodeFactory.instance.objectNode().put("flinkVersion", "v1_20"));
        FlinkDeployment stored = client.resource(session).create();
        stored.setStatus(
                JsonNodeFactory.instance.objectNode().put("jobManagerDeploymentStatus", "READY"));
        return client.resource(stored).updateStatus();
    }

    String kind() {
        return isSessionJob ? "FlinkSessionJob" : "FlinkDeployment";
    }

    /** The name of the FlinkDeployment whose JobManager runs the job. */
    private String host() {
        return isSessionJob ? CLUSTER : NAME;
    }

    String jobId() {
        return "%032x".formatted(attempts);
    }

    Phase phase() {
        return phase;
    }

    Instant lastChange() {
        return lastChange;
    }

    Optional<String> restored() {
        return restored;
    }

    /** The process of the JobManager of {@code name}, if there is one. */
    Optional<SimulatedProcess> process(String name) {
        return name.equals(host()) ? process : Optional.empty();
    }

    Optional<SimulatedProcess> process() {
        return process;
    }

    /** Whether its JobManager has the job at work, with all of its tasks. */
    boolean runs(String id) {
        return (phase == Phase.RUNNING || phase == Phase.STOPPING) && id.equals(jobId());
    }

    /** Whether anybody who asks is told that it runs. */
    boolean isUp() {
        return phase == Phase.RUNNING;
    }

    /** Whether nothing is to come of a snapshot that waits for it. */
    boolean isOver() {
        return switch (phase) {
            case SUSPENDED, ENDED, LEAVING -> true;
            case ABSENT, DEPLOYING, RECOVERING, STARTING, RUNNING, RESTARTING, STOPPING, ENDING ->
                    false;
        };
    }

    /** Whether the job could not be started again, or be recovered, without {@code path}. */
    boolean needs(String path) {
        Optional<String> wanted = Optional.of(path);
        boolean isNamed = upgradePath.equals(wanted) || initialPath.equals(wanted);
        boolean isRestored =
                switch (phase) {
                    case RECOVERING, STARTING, RUNNING, RESTARTING, STOPPING ->
                            restored.equals(wanted);
                    case ABSENT, DEPLOYING, SUSPENDED, ENDING, ENDED, LEAVING -> false;
                };
        return resource.isPresent() && (isNamed || isRestored);
    }

    /** Its state in the list of the JobManager; empty while that does not list it. */
    Optional<String> listed() {
        return switch (phase) {
            case STARTING, RUNNING, STOPPING -> Optional.of("RUNNING");
            case RESTARTING -> Optional.of("RESTARTING");
            case ENDING, ENDED -> Optional.of("FINISHED");
            case ABSENT, DEPLOYING, RECOVERING, SUSPENDED, LEAVING -> Optional.empty();
        };
    }

    /** A user creates the resource. */
    void create() {
        if (phase != Phase.ABSENT || world.isTerminating()) {
            return;
        }
        RawResource created = isSessionJob ? new FlinkSessionJob() : new FlinkDeployment();
        created.getMetadata().setNamespace(world.namespace());
        created.getMetadata().setName(NAME);
        created.getMetadata().setFinalizers(List.of(FINALIZER));
        upgradePath = Optional.empty();
        initialPath = Optional.empty();
        restored = Optional.empty();
        isToRun = true;
        created.setSpec(spec());
        resource = Optional.of(client.resource(created).create());
        deploy();
    }

    private ObjectNode spec() {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        if (isSessionJob) {
            spec.put("deploymentName", CLUSTER);
        } else {
            spec.put("flinkVersion", "v1_20");
        }
        spec.set("flinkConfiguration", configuration);
        ObjectNode job = spec.putObject("job").put("upgradeMode", "savepoint");
        job.put("state", isToRun ? "running" : "suspended");
        initialPath.ifPresent(path -> job.put(INITIAL, path));
        return spec;
    }

    private void deploy() {
        attempts++;
        restored = initialPath.or(() -> upgradePath);
        move(Phase.DEPLOYING);
    }

    private void move(Phase next) {
        phase = next;
        if (!isSessionJob) {
            switch (next) {
                case DEPLOYING, SUSPENDED, ABSENT -> process = Optional.empty();
                case RECOVERING -> process = Optional.of(new SimulatedProcess(world));
                case STARTING, RUNNING, RESTARTING, STOPPING, ENDING, ENDED, LEAVING -> {}
            }
        }
        changed();
        write();
    }

    /** Flink's clock says when a task has changed, and no two changes have the same time. */
    private void changed() {
        lastChange = world.now().plusMillis(++changes);
    }

    private void write() {
        resource.ifPresent(
                stored -> {
                    ObjectNode status = status();
                    if (!status.equals(stored.getStatus())) {
                        stored.setStatus(status);
                        resource = Optional.of(client.resource(stored).updateStatus());
                    }
                });
    }

    private ObjectNode status() {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("lifecycleState", lifecycle());
        status.put("jobManagerDeploymentStatus", jobManager());
        ObjectNode job = status.putObject("jobStatus");
        job.put("jobId", jobId()).put("state", state());
        upgradePath.ifPresent(path -> job.put("upgradeSavepointPath", path));
        status.putObject("attempt").put("id", "attempt-" + attempts);
        status.putObject("reconciliationStatus")
                .put("lastReconciledSpec", new ReconciledSpec(spec(), false).encode());
        return status;
    }

    private String lifecycle() {
        return switch (phase) {
            case STOPPING -> "UPGRADING";
            case SUSPENDED -> "SUSPENDED";
            case ABSENT, DEPLOYING -> "DEPLOYED";
            case RECOVERING, STARTING, RUNNING, RESTARTING, ENDING, ENDED -> "STABLE";
            case LEAVING -> "DELETING";
        };
    }

    private String jobManager() {
        return switch (phase) {
            case SUSPENDED -> "MISSING";
            case ABSENT, DEPLOYING -> "DEPLOYING";
            case RECOVERING, STARTING, RUNNING, RESTARTING, STOPPING, ENDING, ENDED, LEAVING ->
                    "READY";
        };
    }

    private String state() {
        return switch (phase) {
            case SUSPENDED, ENDED -> "FINISHED";
            case ABSENT, DEPLOYING -> "RECONCILING";
            case RECOVERING, STARTING, RUNNING, RESTARTING, STOPPING, ENDING, LEAVING -> "RUNNING";
        };
    }

    /** Its own operator and Flink take a turn. */
    void step() {
        switch (phase) {
            case DEPLOYING -> likely(Phase.RECOVERING);
            case RECOVERING -> likely(Phase.STARTING);
            case STARTING -> likely(Phase.RUNNING);
            case RESTARTING -> restarted();
            case STOPPING -> stopped();
            case ENDING -> likely(Phase.ENDED);
            case LEAVING -> leave();
            case ABSENT, RUNNING, SUSPENDED, ENDED -> {}
        }
        process.ifPresent(SimulatedProcess::step);
    }

    private void likely(Phase next) {
        if (world.dice().chance(60)) {
            move(next);
        }
    }

    /** Once it has a checkpoint of its own, it needs nothing else. */
    private void restarted() {
        if (world.dice().chance(15)) {
            restored = Optional.of("s3://c/" + jobId() + "/own");
        }
        likely(Phase.STARTING);
    }

    private void stopped() {
        if (!world.dice().chance(60)) {
            return;
        }
        String path = world.files().write("s3://u", NAME);
        upgradePath = Optional.of(path);
        initialPath = Optional.empty();
        if (isToRun) {
            deploy();
        } else {
            move(Phase.SUSPENDED);
        }
        world.upgraded(path);
    }

    private void leave() {
        if (!world.dice().chance(60)) {
            return;
        }
        RawResource left = resource.orElseThrow();
        left.getMetadata().setFinalizers(List.of());
        client.resource(left).update();
        resource = Optional.empty();
        move(Phase.ABSENT);
    }

    /** Flink restarts its tasks. */
    void restart() {
        if (phase == Phase.RUNNING) {
            move(Phase.RESTARTING);
        }
    }

    /** The process of the JobManager ends, and another one takes its place. */
    void replaceProcess() {
        if (isSessionJob) {
            process = Optional.of(new SimulatedProcess(world));
        }
        switch (phase) {
            case RECOVERING, STARTING, RUNNING, RESTARTING -> move(Phase.RECOVERING);
            case ABSENT, DEPLOYING, STOPPING, SUSPENDED, ENDING, ENDED, LEAVING -> {}
        }
    }

    /** Its operator stops it with a savepoint, to start it again from that. */
    void upgrade() {
        if (phase == Phase.RUNNING) {
            move(Phase.STOPPING);
        }
    }

    void suspend() {
        if (phase == Phase.RUNNING) {
            isToRun = false;
            edit();
            move(Phase.STOPPING);
        }
    }

    /** A user wants it to run, whatever became of it. */
    void run() {
        switch (phase) {
            case ABSENT -> create();
            case SUSPENDED, ENDED -> {
                isToRun = true;
                edit();
                deploy();
            }
            case STOPPING -> {
                isToRun = true;
                edit();
            }
            case DEPLOYING, RECOVERING, STARTING, RUNNING, RESTARTING, ENDING, LEAVING -> {}
        }
    }

    /** The job comes to its end by itself; its operator learns of that later. */
    void end() {
        if (phase == Phase.RUNNING) {
            move(Phase.ENDING);
        }
    }

    /** A user wants it to go on from a savepoint. */
    void redeploy(String path) {
        switch (phase) {
            case RUNNING, SUSPENDED, ENDED -> {
                initialPath = Optional.of(path);
                upgradePath = Optional.empty();
                isToRun = true;
                edit();
                deploy();
            }
            case ABSENT,
                    DEPLOYING,
                    RECOVERING,
                    STARTING,
                    RESTARTING,
                    STOPPING,
                    ENDING,
                    LEAVING -> {}
        }
    }

    /** A user no longer names the savepoint that the job that runs was started from. */
    void forgetInitialPath() {
        if (phase == Phase.RUNNING && initialPath.isPresent()) {
            initialPath = Optional.empty();
            edit();
            write();
        }
    }

    private void edit() {
        RawResource edited = resource.orElseThrow();
        edited.setSpec(spec());
        resource = Optional.of(client.resource(edited).update());
    }

    void delete() {
        resource.filter(_ -> phase != Phase.LEAVING)
                .ifPresent(
                        _ -> {
                            client.resource(resource.orElseThrow()).delete();
                            leaving();
                        });
    }

    /** Somebody has deleted the resource. */
    void leaving() {
        if (resource.isPresent() && phase != Phase.LEAVING) {
            resource = Optional.ofNullable(client.resource(resource.get()).get());
            phase = Phase.LEAVING;
            changed();
            if (!isSessionJob) {
                process = Optional.empty();
            }
            write();
        }
    }

    @Override
    public String toString() {
        return kind()
                + " "
                + phase
                + " attempt "
                + attempts
                + restored.map(path -> " from " + path).orElse("")
                + cluster.map(_ -> " in a session").orElse("");
    }
}
