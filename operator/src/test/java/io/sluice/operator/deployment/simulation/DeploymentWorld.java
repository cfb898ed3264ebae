// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.operator.deployment.simulation.DurableStates.State;
import io.sluice.operator.world.OperatorProcesses;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import io.sluice.testkit.sim.Dice;
import io.sluice.testkit.sim.Environment;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** An API server with one FlinkDeployment, a node, Flink, the operator's processes and users. */
final class DeploymentWorld implements SimulatedFramework.World {
    static final String NAME = "app";

    private final Environment environment;
    private final Set<DeploymentFlaws> flaws;
    private final Disturbances disturbances;
    private final InMemoryApiServer api;
    private final String namespace;
    private final DurableStates states = new DurableStates();
    private final StateOracle oracle = new StateOracle(states);
    private final SimulatedNode node;
    private final Set<String> results = new HashSet<>();
    private final DefaultConfiguration defaults;
    private final OperatorProcesses<SimulatedOperator> operators;
    private String version = "";
    private int names;
    private int lines;

    DeploymentWorld(
            Environment environment, Disturbances disturbances, Set<DeploymentFlaws> flaws) {
        this.environment = environment;
        this.disturbances = disturbances;
        this.flaws = flaws;
        api = new InMemoryApiServer(dice().below(Integer.MAX_VALUE), environment.clock());
        namespace = api.newNamespace();
        defaults = new DefaultConfiguration(new FlinkConfiguration(Map.of()));
        operators =
                new OperatorProcesses<>(
                        this,
                        environment.clock(),
                        () -> new SimulatedOperator(this, flaws),
                        this::goOnBesides);
        node = new SimulatedNode(this);
        api.faults(operators::fault);
        api.admit(this::review);
        operators.begin();
    }

    @Override
    public Dice dice() {
        return environment.dice();
    }

    @Override
    public boolean strikes(int percent) {
        return disturbances.strikes(percent);
    }

    @Override
    public Instant now() {
        return environment.clock().instant();
    }

    long nanos() {
        return environment.clock().nanos();
    }

    @Override
    public void trace(String line) {
        environment.trace().add("      " + line);
    }

    @Override
    public InMemoryApiServer api() {
        return api;
    }

    @Override
    public KubernetesClient client() {
        return api.client();
    }

    @Override
    public String namespace() {
        return namespace;
    }

    DefaultConfiguration defaults() {
        return defaults;
    }

    DurableStates states() {
        return states;
    }

    StateOracle oracle() {
        return oracle;
    }

    SimulatedNode node() {
        return node;
    }

    OperatorProcesses<SimulatedOperator> operators() {
        return operators;
    }

    /** The process that leads. */
    SimulatedOperator operator() {
        return operators.leading();
    }

    /** A name that nothing else has. */
    String newName() {
        return "%012x".formatted(++names);
    }

    /** A run from nothing. */
    int newLine() {
        return ++lines;
    }

    /** Whether anybody could tell the operator what to go on from. */
    boolean tellsState() {
        List<State> named =
                oracle.job().map(id -> FlinkMetadata.named(this, id)).orElseGet(List::of);
        Optional<FlinkProcess> answering = node.answering(false);
        return oracle.isTold(
                named, state -> answering.filter(it -> it.goesOnFrom(state)).isPresent());
    }

    /** Whether the metadata of any job names a state, which a job from nothing must not replace. */
    boolean keepsMetadata() {
        return !FlinkMetadata.named(this, "").isEmpty();
    }

    void began(FlinkLaunch launch) {
        version = launch.version();
    }

    /** Whether the job that ran last was run by another version of Flink. */
    boolean ranOnOther(String version) {
        return !this.version.isEmpty() && !this.version.equals(version);
    }

    boolean hasResult(String path) {
        return results.contains(path);
    }

    void keepResult(String path) {
        results.add(path);
    }

    void dispose(String path) {
        trace("Flink deletes " + path);
        oracle.disposed(path);
        states.delete(path);
    }

    /** Somebody has asked to stop a job that is being stopped, under another name. */
    void secondStop() {
        if (!operators.hasStoodStill()) {
            oracle.violated("a second stop under another name ends the first");
        }
    }

    /** The world itself looks or acts, and nobody disturbs it. */
    <T> T quietly(Supplier<T> look) {
        return operators.quietly(look);
    }

    /** Sees what is written before it is stored. */
    private void review(ApiCall call, ObjectNode object) {
        boolean isConfiguration =
                call.type().plural().equals("configmaps")
                        && object.at("/metadata/name").asText().startsWith("flink-config-");
        if (isConfiguration && flaws.contains(DeploymentFlaws.PATH_NOT_RENDERED)) {
            change(object, text -> text.replaceAll("(state-recovery:\\s+)path:", "$1unused:"));
        }
        if (isConfiguration && flaws.contains(DeploymentFlaws.RESULTS_NOT_KEPT)) {
            change(object, text -> text.replaceAll("(delete-on-commit: ).*", "$1'true'"));
        }
        if (isConfiguration && flaws.contains(DeploymentFlaws.OTHER_LAYOUT)) {
            rename(object.withObject("/data"));
        }
        boolean isDeployment = call.type().plural().equals("deployments");
        if (isDeployment && flaws.contains(DeploymentFlaws.PATH_NOT_RENDERED)) {
            withoutPath(object);
        }
        if (isDeployment
                && flaws.contains(DeploymentFlaws.TASK_MANAGERS_NOT_PROVIDED)
                && object.at("/metadata/name").asText().endsWith("-taskmanager")) {
            object.withObject("/spec").put("replicas", 0);
        }
    }

    private static void rename(ObjectNode files) {
        Optional.ofNullable(files.remove("config.yaml"))
                .ifPresent(text -> files.set("flink-conf.yaml", text));
    }

    /** Removes the path from the command line of a standalone JobManager. */
    private static void withoutPath(ObjectNode deployment) {
        if (deployment.at("/spec/template/spec/containers/0/args") instanceof ArrayNode arguments) {
            for (int at = 0; at < arguments.size(); at++) {
                if (arguments.get(at).asText().equals("--fromSavepoint")) {
                    arguments.remove(at);
                    arguments.remove(at);
                }
            }
        }
    }

    private static void change(ObjectNode map, UnaryOperator<String> edit) {
        ObjectNode data = map.withObject("/data");
        data.propertyStream()
                .toList()
                .forEach(file -> data.put(file.getKey(), edit.apply(file.getValue().asText())));
    }

    void deleteMetadata() {
        quietly(
                () -> {
                    client().configMaps().inNamespace(namespace).list().getItems().stream()
                            .filter(it -> it.getMetadata().getName().endsWith("-config-map"))
                            .forEach(it -> client().resource(it).delete());
                    return true;
                });
    }

    private void goOnBesides() {
        node.step();
        look();
    }

    /** At no time may two jobs run for one resource. */
    void look() {
        if (node.live().stream().map(it -> it.launch().deployment()).distinct().count() > 1) {
            oracle.violated("two jobs run for one resource: " + node.live());
        }
    }

    Optional<FlinkDeployment> resource() {
        return quietly(
                () ->
                        Optional.ofNullable(
                                client().resources(FlinkDeployment.class)
                                        .inNamespace(namespace)
                                        .withName(NAME)
                                        .get()));
    }

    void create(ObjectNode spec) {
        var resource = new FlinkDeployment();
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setName(NAME);
        resource.setSpec(spec.deepCopy());
        oracle.begins();
        version = "";
        var created = quietly(() -> client().resource(resource).create());
        oracle.wrote(created.getMetadata().getGeneration(), spec);
        trace("a user creates " + spec);
    }

    void edit(ObjectNode spec) {
        Optional<FlinkDeployment> there =
                resource().filter(it -> it.getMetadata().getDeletionTimestamp() == null);
        there.filter(it -> !it.getSpec().equals(spec))
                .ifPresent(
                        it -> {
                            it.setSpec(spec.deepCopy());
                            it.getMetadata().setResourceVersion(null);
                            var stored = quietly(() -> client().resource(it).update());
                            oracle.wrote(stored.getMetadata().getGeneration(), spec);
                            trace(
                                    "a user writes generation "
                                            + stored.getMetadata().getGeneration()
                                            + " "
                                            + spec.path("job")
                                            + spec.path("flinkConfiguration")
                                            + spec.path("image")
                                            + spec.at("/taskManager/replicas"));
                        });
    }

    void delete(DeletionPropagation how) {
        oracle.deleted();
        quietly(
                () ->
                        client().resources(FlinkDeployment.class)
                                .inNamespace(namespace)
                                .withName(NAME)
                                .withPropagationPolicy(how)
                                .delete());
        trace("a user deletes it, " + how);
    }
}
