// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.testkit.apiserver.WatchConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * The controllers of Kubernetes and the kubelet of one node: pods of Deployments, the processes in
 * them, and what is told of both. TaskManagers are asked for by JobManagers.
 */
final class SimulatedNode {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String COMPONENT = "component";
    private static final String JOB_MANAGER = "jobmanager";

    private final DeploymentWorld world;
    private final Map<String, Deployment> deployments = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, FlinkProcess> processes = new TreeMap<>();
    private final Map<String, FlinkLaunch.History> histories = new HashMap<>();

    /** By the uids of Deployments: how many of its pods were told to be ready last. */
    private final Map<String, Integer> told = new HashMap<>();

    private final List<WatchConnection> events = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();

    SimulatedNode(DeploymentWorld world) {
        this.world = world;
        watch(
                Deployment.class,
                (isThere, object) ->
                        keep(deployments, object.getMetadata().getUid(), isThere, object));
        watch(
                Pod.class,
                (isThere, object) -> keep(pods, object.getMetadata().getName(), isThere, object));
    }

    private static <T> void keep(Map<String, T> in, String key, boolean isThere, T object) {
        if (isThere) {
            in.put(key, object);
        } else {
            in.remove(key);
        }
    }

    private <T extends HasMetadata> void watch(Class<T> kind, BiConsumer<Boolean, T> changed) {
        watches.add(
                world.client()
                        .resources(kind)
                        .inNamespace(world.namespace())
                        .watch(
                                new Watcher<>() {
                                    @Override
                                    public void eventReceived(Action action, T object) {
                                        changed.accept(action != Action.DELETED, object);
                                    }

                                    @Override
                                    public void onClose(WatcherException cause) {
                                        throw new IllegalStateException(cause);
                                    }
                                }));
        events.add(world.api().watches().getLast());
    }

    private void receive() {
        events.forEach(
                each -> {
                    while (each.deliver()) {
                        // until there is nothing new
                    }
                });
    }

    /** All of them go on, one step each. */
    void step() {
        receive();
        processes.keySet().removeIf(pod -> !pods.containsKey(pod));
        for (Deployment each : List.copyOf(deployments.values())) {
            control(each);
        }
        for (Pod each : List.copyOf(pods.values())) {
            if (isJobManager(each)) {
                run(each);
            } else {
                runTaskManager(each);
            }
        }
        while (world.dice().chance(80) && world.api().collectOnePieceOfGarbage()) {
            // as far as it gets
        }
        receive();
    }

    private static boolean isJobManager(Pod pod) {
        return JOB_MANAGER.equals(pod.getMetadata().getLabels().get(COMPONENT));
    }

    private static boolean isEnding(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    private static boolean isOf(Deployment deployment, Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getUid().equals(deployment.getMetadata().getUid()));
    }

    private Stream<Pod> jobManagers(Deployment of) {
        return pods.values().stream()
                .filter(SimulatedNode::isJobManager)
                .filter(pod -> isOf(of, pod))
                .filter(pod -> !isEnding(pod));
    }

    /** The controller of Deployments. */
    private void control(Deployment deployment) {
        int wanted = Optional.ofNullable(deployment.getSpec().getReplicas()).orElse(1);
        List<Pod> there = jobManagers(deployment).toList();
        if (!isEnding(deployment) && there.size() < wanted && world.dice().chance(70)) {
            create(deployment, JOB_MANAGER);
        }
        if (there.size() > wanted && world.dice().chance(70)) {
            delete(there.getFirst());
        }
        tell(deployment, (int) there.stream().filter(this::isReady).count());
    }

    private boolean isReady(Pod pod) {
        return process(pod).filter(FlinkProcess::isUp).isPresent();
    }

    private Optional<FlinkProcess> process(Pod pod) {
        return Optional.ofNullable(processes.get(pod.getMetadata().getName()));
    }

    private void tell(Deployment deployment, int ready) {
        String uid = deployment.getMetadata().getUid();
        Optional<Integer> before = Optional.ofNullable(told.get(uid));
        if (before.equals(Optional.of(ready)) || !world.dice().chance(80)) {
            return;
        }
        told.put(uid, ready);
        boolean hasBeen = ready > 0 || before.isPresent();
        Instant since =
                hasBeen
                        ? world.now()
                        : Instant.parse(deployment.getMetadata().getCreationTimestamp());
        patchStatus(
                deployment,
                Map.of(
                        "replicas",
                        1,
                        "availableReplicas",
                        ready,
                        "readyReplicas",
                        ready,
                        "conditions",
                        List.of(
                                Map.of(
                                        "type",
                                        "Available",
                                        "status",
                                        ready > 0 ? "True" : "False",
                                        "lastTransitionTime",
                                        since.truncatedTo(ChronoUnit.SECONDS).toString()),
                                Map.of(
                                        "type",
                                        "Progressing",
                                        "status",
                                        "True",
                                        "reason",
                                        hasBeen
                                                ? "NewReplicaSetAvailable"
                                                : "ReplicaSetUpdated"))));
    }

    private void patchStatus(HasMetadata object, Map<String, Object> status) {
        world.quietly(
                () ->
                        Optional.ofNullable(
                                world.client()
                                        .resource(object)
                                        .subresource("status")
                                        .patch(
                                                MERGE,
                                                Serialization.asJson(Map.of("status", status)))));
    }

    private void create(Deployment owner, String component) {
        var metadata = owner.getMetadata();
        Pod pod =
                new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(metadata.getNamespace())
                        .withName(metadata.getName() + "-" + component + "-" + world.newName())
                        .addToLabels("app", metadata.getName())
                        .addToLabels(COMPONENT, component)
                        .addToLabels("type", "flink-native-kubernetes")
                        .addNewOwnerReference()
                        .withApiVersion("apps/v1")
                        .withKind("Deployment")
                        .withName(metadata.getName())
                        .withUid(metadata.getUid())
                        .withController(true)
                        .withBlockOwnerDeletion(true)
                        .endOwnerReference()
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName("node")
                        .endSpec()
                        .build();
        world.quietly(() -> world.client().resource(pod).create());
    }

    private void delete(Pod pod) {
        world.quietly(
                () ->
                        world.client()
                                .pods()
                                .inNamespace(world.namespace())
                                .withName(pod.getMetadata().getName())
                                .delete());
    }

    /** The kubelet confirms that nothing of the pod runs any more. */
    private void confirmEnd(Pod pod) {
        processes.remove(pod.getMetadata().getName());
        world.quietly(
                () ->
                        world.client()
                                .pods()
                                .inNamespace(world.namespace())
                                .withName(pod.getMetadata().getName())
                                .withGracePeriod(0)
                                .delete());
    }

    private void run(Pod pod) {
        Optional<FlinkProcess> process = process(pod);
        if (isEnding(pod) && world.dice().chance(40)) {
            confirmEnd(pod);
        } else if (process.isPresent()) {
            process.get().step();
            askForTaskManager(pod, process.get());
        } else if (!isEnding(pod) && world.dice().chance(60)) {
            launch(pod).ifPresent(it -> start(pod, it));
        }
    }

    private void start(Pod pod, FlinkLaunch launch) {
        processes.put(pod.getMetadata().getName(), new FlinkProcess(world, launch));
        patchStatus(pod, Map.of("phase", "Running"));
    }

    /** Its container ends and is started again, in the same pod. */
    void restartProcess() {
        List<Pod> running =
                pods.values().stream()
                        .filter(pod -> process(pod).isPresent() && !isEnding(pod))
                        .toList();
        if (!running.isEmpty()) {
            Pod pod = world.dice().pick(running);
            world.trace("the container of " + pod.getMetadata().getName() + " restarts");
            processes.remove(pod.getMetadata().getName());
        }
    }

    /** Somebody drains the node. */
    void evict() {
        List<Pod> standing = pods.values().stream().filter(pod -> !isEnding(pod)).toList();
        if (!standing.isEmpty()) {
            Pod pod = world.dice().pick(standing);
            world.trace(pod.getMetadata().getName() + " is evicted");
            delete(pod);
        }
    }

    private Optional<Deployment> owner(Pod pod) {
        return deployments.values().stream().filter(it -> isOf(it, pod)).findFirst();
    }

    private Optional<FlinkLaunch> launch(Pod pod) {
        return owner(pod)
                .flatMap(
                        deployment ->
                                options(deployment).map(options -> launch(deployment, options)));
    }

    private FlinkLaunch launch(Deployment deployment, Map<String, String> options) {
        var metadata = deployment.getMetadata();
        return new FlinkLaunch(
                metadata.getName(),
                metadata.getUid(),
                Long.parseLong(
                        metadata.getAnnotations().get(ManifestRenderer.GENERATION_ANNOTATION)),
                options,
                histories.computeIfAbsent(metadata.getUid(), _ -> new FlinkLaunch.History()));
    }

    /** What is mounted when the container starts. */
    private Optional<Map<String, String>> options(Deployment of) {
        return world.quietly(
                () ->
                        Optional.ofNullable(
                                        world.client()
                                                .configMaps()
                                                .inNamespace(world.namespace())
                                                .withName(
                                                        "flink-config-"
                                                                + of.getMetadata().getName())
                                                .get())
                                .map(SimulatedNode::options));
    }

    private static Map<String, String> options(ConfigMap map) {
        Map<String, String> flat = new LinkedHashMap<>();
        map.getData().entrySet().stream()
                .filter(file -> file.getKey().matches("flink-conf.yaml|config.yaml"))
                .forEach(
                        file ->
                                flatten(
                                        "",
                                        Serialization.unmarshal(file.getValue(), Map.class),
                                        flat));
        return flat;
    }

    private static void flatten(String prefix, Map<?, ?> from, Map<String, String> to) {
        from.forEach(
                (key, value) -> {
                    if (value instanceof Map<?, ?> deeper) {
                        flatten(prefix + key + ".", deeper, to);
                    } else {
                        to.put(prefix + key, String.valueOf(value));
                    }
                });
    }

    private void askForTaskManager(Pod jobManager, FlinkProcess process) {
        boolean isWanted =
                process.state().filter("RUNNING"::equals).isPresent()
                        && taskManagers(process.launch().cluster()).findAny().isEmpty();
        if (isWanted && world.dice().chance(60)) {
            owner(jobManager)
                    .filter(it -> !isEnding(it))
                    .ifPresent(it -> create(it, "taskmanager"));
        }
    }

    private Stream<Pod> taskManagers(String cluster) {
        return pods.values().stream()
                .filter(pod -> !isJobManager(pod) && !isEnding(pod))
                .filter(pod -> cluster.equals(pod.getMetadata().getLabels().get("app")));
    }

    boolean hasTaskManager(String cluster) {
        return taskManagers(cluster).anyMatch(pod -> "Running".equals(pod.getStatus().getPhase()));
    }

    private void runTaskManager(Pod pod) {
        if (isEnding(pod)) {
            if (world.dice().chance(40)) {
                confirmEnd(pod);
            }
        } else if (!"Running".equals(pod.getStatus().getPhase()) && world.dice().chance(60)) {
            patchStatus(pod, Map.of("phase", "Running"));
        }
    }

    /** The jobs that run now, wherever. */
    List<FlinkProcess> live() {
        return processes.values().stream().filter(FlinkProcess::isLive).toList();
    }

    /** Whether another process holds the lease of the cluster. */
    boolean isLedByAnother(FlinkProcess process) {
        return process.launch().isHighlyAvailable()
                && processes.values().stream()
                        .filter(other -> other != process && other.isUp())
                        .anyMatch(
                                other ->
                                        other.launch()
                                                .cluster()
                                                .equals(process.launch().cluster()));
    }

    /** Who answers behind the Service; late, that may be a pod that is about to go. */
    Optional<FlinkProcess> answering(boolean isLate) {
        List<FlinkProcess> all =
                pods.values().stream()
                        .filter(pod -> isLate || !isEnding(pod))
                        .flatMap(pod -> process(pod).stream())
                        .filter(FlinkProcess::isUp)
                        .toList();
        return all.isEmpty()
                ? Optional.empty()
                : Optional.of(isLate ? all.getFirst() : all.getLast());
    }

    boolean isEmpty() {
        return deployments.isEmpty() && pods.isEmpty();
    }

    @Override
    public String toString() {
        return deployments.values().stream()
                        .map(
                                it ->
                                        it.getMetadata().getName()
                                                + (isEnding(it) ? " ending" : "")
                                                + " x"
                                                + it.getSpec().getReplicas())
                        .toList()
                + " "
                + pods.values().stream()
                        .map(
                                it ->
                                        it.getMetadata().getName()
                                                + (isEnding(it) ? " ending" : "")
                                                + process(it).map(p -> " " + p).orElse(""))
                        .toList();
    }
}
