// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import io.sluice.testkit.sim.Dice;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.Faults;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** An API server with the snapshots of one job, the job, Flink, and what users do. */
final class SnapshotWorld {
    private static final String COPY = "copy";

    private final Environment environment;
    private final InMemoryApiServer api;
    private final String namespace;
    private final SimulatedFiles files = new SimulatedFiles();
    private final SnapshotPromises promises;
    private final SimulatedSnapshotJob job;
    private final Set<String> poisoned = new HashSet<>();
    private final Set<String> edited = new HashSet<>();
    private final Map<String, String> registered = new HashMap<>();
    private Optional<String> copied = Optional.empty();
    private boolean isTerminating;
    private int names;
    private int disposals;

    SnapshotWorld(Environment environment) {
        this.environment = environment;
        api = new InMemoryApiServer(dice().below(Integer.MAX_VALUE), environment.clock());
        api.hideManagers(FlinkDeployment.class);
        api.hideManagers(FlinkSessionJob.class);
        api.hideManagers(FlinkStateSnapshot.class);
        namespace = api.newNamespace();
        promises = new SnapshotPromises(this);
        job = new SimulatedSnapshotJob(this, dice().chance(50), configuration());
        job.create();
    }

    private ObjectNode configuration() {
        ObjectNode configuration = JsonNodeFactory.instance.objectNode();
        configuration.put("kubernetes.operator.savepoint.history.max.count", "2");
        configuration.put("state.checkpoints.num-retained", "2");
        if (dice().chance(90)) {
            configuration.put("execution.checkpointing.savepoint-dir", "s3://s");
        }
        return configuration;
    }

    Dice dice() {
        return environment.dice();
    }

    Faults faults() {
        return environment.faults();
    }

    Instant now() {
        return environment.clock().instant();
    }

    void trace(String line) {
        environment.trace().add("      " + line);
    }

    InMemoryApiServer api() {
        return api;
    }

    KubernetesClient client() {
        return api.client();
    }

    String namespace() {
        return namespace;
    }

    SimulatedFiles files() {
        return files;
    }

    SnapshotPromises promises() {
        return promises;
    }

    SimulatedSnapshotJob job() {
        return job;
    }

    /** Whether each try of the snapshot fails and makes Flink restart the job. */
    boolean isPoisoned(String uid) {
        return poisoned.contains(uid);
    }

    boolean isTerminating() {
        return isTerminating;
    }

    List<FlinkStateSnapshot> snapshots() {
        return api.list(FlinkStateSnapshot.class, namespace);
    }

    Optional<FlinkStateSnapshot> snapshot(String name) {
        return api.find(FlinkStateSnapshot.class, namespace, name);
    }

    /** A user, or the operator of the job, creates a snapshot; its uid. */
    Optional<String> create(ObjectNode spec, Map<String, String> labels) {
        if (isTerminating) {
            return Optional.empty();
        }
        var created = new FlinkStateSnapshot();
        created.getMetadata().setNamespace(namespace);
        created.getMetadata().setName("s-" + ++names);
        created.getMetadata().setLabels(labels);
        created.setSpec(spec);
        String uid = client().resource(created).create().getMetadata().getUid();
        trace("s-" + names + " " + spec + " " + new TreeMap<>(labels));
        return Optional.of(uid);
    }

    ObjectNode ofJob() {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("jobReference")
                .put("kind", job.kind())
                .put("name", SimulatedSnapshotJob.NAME);
        return spec;
    }

    void poison(String uid) {
        poisoned.add(uid);
    }

    /** The job was stopped with a savepoint: its own operator records that as a snapshot. */
    void upgraded(String path) {
        if (!dice().chance(60) || snapshots().size() > 8) {
            return;
        }
        ObjectNode spec = ofJob();
        spec.putObject("savepoint")
                .put("path", path)
                .put("alreadyExists", true)
                .put("disposeOnDelete", dice().chance(50));
        create(spec, labels("UPGRADE", "SAVEPOINT")).ifPresent(uid -> registered.put(uid, path));
    }

    void register(String uid, String path) {
        registered.put(uid, path);
    }

    /** The savepoint that a snapshot was created to register. */
    Optional<String> registered(String uid) {
        return Optional.ofNullable(registered.get(uid));
    }

    Map<String, String> labels(String triggerType, String type) {
        return Map.of(
                FlinkStateSnapshot.TRIGGER_TYPE_LABEL,
                triggerType,
                FlinkStateSnapshot.TYPE_LABEL,
                type,
                FlinkStateSnapshot.JOB_KIND_LABEL,
                job.kind(),
                FlinkStateSnapshot.JOB_NAME_LABEL,
                SimulatedSnapshotJob.NAME);
    }

    void edit(FlinkStateSnapshot snapshot, Consumer<ObjectNode> change) {
        change.accept(snapshot.getSpec());
        edited.add(snapshot.getMetadata().getUid());
        client().resource(snapshot).update();
        trace(snapshot.getMetadata().getName() + " " + snapshot.getSpec());
    }

    void delete(FlinkStateSnapshot snapshot) {
        String name = snapshot.getMetadata().getName();
        String uid = snapshot.getMetadata().getUid();
        trace("delete " + name);
        client().resource(snapshot).delete();
        boolean isDisposed =
                snapshot.getSpec().has("savepoint")
                        && snapshot.getSpec().at("/savepoint/disposeOnDelete").asBoolean(true);
        boolean isHeldByNow = !edited.contains(uid) && registered(uid).isEmpty();
        if (isDisposed && isHeldByNow && snapshot(name).isEmpty()) {
            promises.vanished(snapshot);
        }
    }

    /** A name that nothing else has. */
    String newName() {
        return "n" + ++names + "-";
    }

    /** An id that no other request to delete files has. */
    String newDisposal() {
        return "disposal-" + ++disposals;
    }

    /** Somebody creates another job from a savepoint, and never starts it. */
    void copy(String path) {
        if (copied.isPresent() || isTerminating) {
            return;
        }
        var resource = new FlinkDeployment();
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setName(COPY);
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("job").put("initialSavepointPath", path);
        resource.setSpec(spec);
        client().resource(resource).create();
        copied = Optional.of(path);
        trace("copy from " + path);
    }

    void removeCopy() {
        if (copied.isPresent()) {
            client().resources(FlinkDeployment.class)
                    .inNamespace(namespace)
                    .withName(COPY)
                    .delete();
            copied = Optional.empty();
        }
    }

    /** Whether some job could not be started, or be recovered, without the savepoint. */
    boolean isNeeded(String path) {
        return job.needs(path) || copied.equals(Optional.of(path));
    }

    void terminate() {
        if (!isTerminating) {
            isTerminating = true;
            client().namespaces().withName(namespace).delete();
        }
    }

    /** Kubernetes empties the namespace. */
    void empty() {
        if (isTerminating) {
            api.finishNamespaces();
            job.leaving();
            copied = Optional.empty();
        }
    }
}
