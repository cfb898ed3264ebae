// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.sluice.operator.deployment.simulation.habits.Platform;
import io.sluice.operator.deployment.simulation.habits.PodTroubles;
import io.sluice.operator.deployment.simulation.hands.ImagePulls;
import io.sluice.operator.deployment.simulation.hands.ReplicaStatus;
import io.sluice.testkit.apiserver.WatchConnection;
import io.sluice.testkit.sim.Dice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The controllers of Kubernetes and the kubelet of one node: pods of Deployments, the processes in
 * them, and what is told of both. A native JobManager asks for its TaskManagers; those of a
 * standalone one are of a Deployment.
 */
public final class SimulatedNode<P extends SimulatedNode.Container> {
    /** What is around it. */
    public interface World extends SimulatedFramework.World {
        /** The world itself looks or acts, and nobody disturbs it. */
        <T> T quietly(Supplier<T> look);

        /** A name that nothing else has. */
        String newName();

        /** What keeps pods from running. */
        PodTroubles troubles();

        /** Whether nothing can be created any more. */
        default boolean isNamespaceEnding() {
            return false;
        }
    }

    /** The process of a JobManager in a container. */
    public interface Container {
        FlinkLaunch launch();

        /** Whether its REST API answers. */
        boolean isUp();

        /** It goes on. */
        void step();

        /** How many TaskManagers a native one asks for. */
        int neededTaskManagers();

        /** Whether a native one lets a TaskManager go now that it does not need. */
        default boolean releasesTaskManager() {
            return false;
        }

        /** Its Deployment is to have no pods any more. */
        default void stopping() {}

        /** It is told to end. */
        default void terminate() {}

        /** It has ended, and what only it knew is lost. */
        default void ended() {}
    }

    private static final String APP = "app";
    private static final String TYPE = "type";
    private static final String COMPONENT = "component";

    private static final String JOB_MANAGER = "jobmanager";
    private static final String TASK_MANAGER = "taskmanager";

    private final World world;
    private final Function<FlinkLaunch, P> start;
    private final Map<String, Deployment> deployments = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, P> processes = new TreeMap<>();
    private final LaunchReader launches;
    private final LostNodes lost;
    private final ImagePulls pulls;

    /** By the uids of Deployments: how many of its pods were told to be ready last. */
    private final Map<String, Integer> told = new HashMap<>();

    private final List<WatchConnection> events = new ArrayList<>();

    /**
     * @param start starts the process of a JobManager
     */
    public SimulatedNode(World world, Function<FlinkLaunch, P> start) {
        this.world = world;
        this.start = start;
        launches = new LaunchReader(world);
        lost = new LostNodes(world, this);
        pulls = new ImagePulls(world);
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
        events.add(world.api().watch(kind, world.namespace(), "", changed));
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
    public void step() {
        receive();
        List.copyOf(processes.keySet()).stream()
                .filter(pod -> !pods.containsKey(pod))
                .forEach(this::end);
        lost.step(List.copyOf(pods.values()));
        for (Deployment each : List.copyOf(deployments.values())) {
            control(each);
        }
        for (Pod each : List.copyOf(pods.values())) {
            if (ImagePulls.isOne(each)) {
                pull(each);
            } else if (lost.holds(each)) {
                runUnseen(each);
            } else if (isJobManager(each)) {
                run(each);
            } else {
                runTaskManager(each);
            }
        }
        if (world.isNamespaceEnding()) {
            world.api().finishNamespaces();
        }
        while (world.dice().chance(80) && world.api().collectOnePieceOfGarbage()) {
            // as far as it gets
        }
        receive();
    }

    private static String label(HasMetadata object, String name) {
        return object.getMetadata().getLabels().get(name);
    }

    private static boolean isJobManager(Pod pod) {
        return JOB_MANAGER.equals(label(pod, COMPONENT));
    }

    private static boolean isEnding(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    private static boolean isOf(Deployment deployment, Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getUid().equals(deployment.getMetadata().getUid()));
    }

    /** Those that it is to have so many of; what a JobManager has asked for is not among them. */
    private Stream<Pod> replicas(Deployment of) {
        return pods.values().stream()
                .filter(pod -> label(of, COMPONENT).equals(label(pod, COMPONENT)))
                .filter(pod -> isOf(of, pod))
                .filter(pod -> !isEnding(pod));
    }

    /** The controller of Deployments. */
    private void control(Deployment deployment) {
        int wanted = Optional.ofNullable(deployment.getSpec().getReplicas()).orElse(1);
        List<Pod> there = replicas(deployment).toList();
        if (!isEnding(deployment) && there.size() < wanted && world.dice().chance(70)) {
            create(deployment, label(deployment, COMPONENT));
        }
        if (there.size() > wanted && world.dice().chance(70)) {
            delete(there.getFirst());
        }
        boolean isToGo = isEnding(deployment) || wanted == 0;
        if (isToGo && label(deployment, COMPONENT).equals(JOB_MANAGER)) {
            pods.values().stream()
                    .filter(pod -> isJobManager(pod) && isOf(deployment, pod))
                    .flatMap(pod -> process(pod).stream())
                    .forEach(Container::stopping);
        }
        tell(deployment, (int) there.stream().filter(this::isReady).count());
    }

    private boolean isReady(Pod pod) {
        boolean isUp =
                isJobManager(pod)
                        ? process(pod).filter(Container::isUp).isPresent()
                        : isRunning(pod);
        return isUp && !lost.holds(pod);
    }

    private static boolean isRunning(Pod pod) {
        return "Running".equals(pod.getStatus().getPhase());
    }

    Optional<P> process(Pod pod) {
        return Optional.ofNullable(processes.get(pod.getMetadata().getName()));
    }

    private void tell(Deployment deployment, int ready) {
        String uid = deployment.getMetadata().getUid();
        Optional<Integer> before = Optional.ofNullable(told.get(uid));
        if (before.equals(Optional.of(ready)) || !world.dice().chance(80)) {
            return;
        }
        told.put(uid, ready);
        int wanted = Optional.ofNullable(deployment.getSpec().getReplicas()).orElse(1);
        boolean hasBeen = ready > 0 || before.isPresent();
        Instant since =
                hasBeen
                        ? world.now()
                        : Instant.parse(deployment.getMetadata().getCreationTimestamp());
        patchStatus(deployment, ReplicaStatus.of(wanted, ready, hasBeen, since));
    }

    void patchStatus(HasMetadata object, Map<String, Object> status) {
        world.api().patchStatus(object, Serialization.asJson(Map.of("status", status)));
    }

    private void create(Deployment owner, String component) {
        var metadata = owner.getMetadata();
        Pod pod =
                new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(metadata.getNamespace())
                        .withName(metadata.getName() + "-" + component + "-" + world.newName())
                        .addToLabels(APP, label(owner, APP))
                        .addToLabels(COMPONENT, component)
                        .addToLabels(TYPE, label(owner, TYPE))
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
        try {
            world.quietly(() -> world.client().resource(pod).create());
        } catch (KubernetesClientException refused) {
            world.trace("no pod: " + refused.getMessage());
            if (component.equals(label(owner, COMPONENT))) {
                patchStatus(owner, ReplicaStatus.REFUSED);
            }
        }
    }

    void delete(Pod pod) {
        world.api().delete(pod, Optional.empty());
    }

    private void end(String pod) {
        Optional.ofNullable(processes.remove(pod)).ifPresent(Container::ended);
    }

    /** The kubelet confirms that nothing of the pod runs any more. */
    private void confirmEnd(Pod pod) {
        end(pod.getMetadata().getName());
        world.api().delete(pod, Optional.of(0L));
    }

    private void run(Pod pod) {
        Optional<P> process = process(pod);
        process.filter(_ -> isEnding(pod)).ifPresent(Container::terminate);
        if (isEnding(pod) && world.dice().chance(40)) {
            confirmEnd(pod);
        } else if (process.isPresent()) {
            process.get().step();
            askForTaskManager(pod, process.get());
        } else if (!isEnding(pod) && !isHeld(pod) && world.dice().chance(60)) {
            owner(pod).ifPresent(it -> start(pod, it));
        }
    }

    private void pull(Pod pod) {
        if (isEnding(pod)) {
            confirmEnd(pod);
        } else {
            pulls.next(pod).ifPresent(told -> patchStatus(pod, told));
        }
    }

    /** On a node that is lost. One that can't write its metadata gets no further. */
    private void runUnseen(Pod pod) {
        process(pod)
                .filter(it -> lost.hasEnded(pod, it.launch()))
                .ifPresent(_ -> end(pod.getMetadata().getName()));
        process(pod).filter(it -> !it.launch().isHighlyAvailable()).ifPresent(Container::step);
    }

    private void start(Pod pod, Deployment owner) {
        launches.launch(owner).ifPresent(it -> start(pod, it));
        if (launches.mounted(owner).isEmpty()) {
            world.troubles().lacksVolume(pod).ifPresent(told -> failToMount(pod, owner, told));
        }
    }

    private void failToMount(Pod pod, Deployment owner, Map<String, Object> told) {
        patchStatus(pod, told);
        var metadata = pod.getMetadata();
        Event failed =
                new EventBuilder()
                        .withNewMetadata()
                        .withNamespace(metadata.getNamespace())
                        .withName(metadata.getName() + "." + world.now().toEpochMilli())
                        .endMetadata()
                        .withNewInvolvedObject()
                        .withKind("Pod")
                        .withNamespace(metadata.getNamespace())
                        .withName(metadata.getName())
                        .withUid(metadata.getUid())
                        .endInvolvedObject()
                        .withReason("FailedMount")
                        .withMessage(
                                "MountVolume.SetUp failed for volume \"flink-config-volume\" :"
                                        + " configmap \"%s\" not found"
                                                .formatted(LaunchReader.mount(owner)))
                        .withLastTimestamp(world.now().toString())
                        .build();
        try {
            world.quietly(() -> world.client().resource(failed).create());
        } catch (KubernetesClientException refused) {
            world.trace("no event: " + refused.getMessage());
        }
    }

    private void start(Pod pod, FlinkLaunch launch) {
        processes.put(pod.getMetadata().getName(), start.apply(launch));
        patchStatus(pod, world.troubles().running(pod));
    }

    /** Whether something keeps the pod from running. */
    private boolean isHeld(Pod pod) {
        boolean hasNoImage =
                owner(pod).stream()
                        .flatMap(
                                it -> it.getSpec().getTemplate().getSpec().getContainers().stream())
                        .anyMatch(it -> Platform.hasTypo(it.getImage()));
        if (hasNoImage) {
            world.troubles().lacksImage(pod);
        }
        boolean isHeld = world.troubles().holds(pod) || hasNoImage;
        world.troubles().told(pod).ifPresent(told -> patchStatus(pod, told));
        return isHeld;
    }

    /** Its container ends and is started again, in the same pod. */
    public void restartProcess() {
        List<Pod> running =
                pods.values().stream()
                        .filter(pod -> process(pod).isPresent() && !isEnding(pod))
                        .toList();
        if (!running.isEmpty()) {
            Pod pod = world.dice().pick(running);
            world.trace("the container of " + pod.getMetadata().getName() + " restarts");
            end(pod.getMetadata().getName());
        }
    }

    /** The container of a JobManager is killed for its memory. */
    void killProcess(Dice dice) {
        List<Pod> running =
                pods.values().stream()
                        .filter(pod -> process(pod).isPresent() && !isEnding(pod))
                        .toList();
        if (!running.isEmpty()) {
            Pod pod = dice.pick(running);
            world.troubles().killed(pod);
            processes.remove(pod.getMetadata().getName());
        }
    }

    /** Somebody drains the node. */
    public void evict() {
        List<Pod> standing = pods.values().stream().filter(pod -> !isEnding(pod)).toList();
        if (!standing.isEmpty()) {
            Pod pod = world.dice().pick(standing);
            world.trace(pod.getMetadata().getName() + " is evicted");
            delete(pod);
        }
    }

    /** Somebody deletes a pod, and nobody waits until its processes have ended. */
    void deleteByForce(Dice dice) {
        List<Pod> standing = List.copyOf(pods.values());
        if (!standing.isEmpty()) {
            Pod pod = dice.pick(standing);
            world.trace("hand: somebody deletes by force " + pod.getMetadata().getName());
            confirmEnd(pod);
        }
    }

    /** Processes whose ConfigMaps are gone end, and their containers begin their jobs anew. */
    void loseMetadata() {
        List<P> without =
                processes.values().stream()
                        .filter(it -> it.launch().isHighlyAvailable())
                        .filter(it -> it.launch().zooKeeperNode().isEmpty())
                        .toList();
        deployments.values().stream()
                .flatMap(it -> launches.launch(it).stream())
                .filter(it -> it.zooKeeperNode().isEmpty())
                .forEach(it -> it.history().losesMetadata());
        processes.values().removeIf(it -> it.isUp() && without.contains(it));
    }

    /** A node stops to answer. */
    void loseNode(Dice dice) {
        lost.lose(
                pods.values().stream()
                        .filter(pod -> isRunning(pod) && !isEnding(pod) && !lost.holds(pod))
                        .toList(),
                dice);
    }

    private Optional<Deployment> owner(Pod pod) {
        return deployments.values().stream().filter(it -> isOf(it, pod)).findFirst();
    }

    private void askForTaskManager(Pod jobManager, P process) {
        boolean isWanted =
                isNative(jobManager)
                        && taskManagers(process.launch().cluster()).count()
                                < process.neededTaskManagers();
        if (isWanted && world.dice().chance(60)) {
            owner(jobManager).filter(it -> !isEnding(it)).ifPresent(it -> create(it, TASK_MANAGER));
        }
        List<Pod> idle =
                taskManagers(process.launch().cluster())
                        .skip(process.neededTaskManagers())
                        .toList();
        if (isNative(jobManager) && !idle.isEmpty() && process.releasesTaskManager()) {
            delete(idle.getLast());
        }
    }

    private static boolean isNative(Pod pod) {
        return label(pod, TYPE).equals("flink-native-kubernetes");
    }

    private Stream<Pod> taskManagers(String cluster) {
        return pods.values().stream()
                .filter(pod -> !isJobManager(pod) && !isEnding(pod) && !lost.holds(pod))
                .filter(pod -> cluster.equals(label(pod, APP)));
    }

    /** How many TaskManagers of the cluster are up. */
    int taskManagersUp(String cluster) {
        return (int) taskManagers(cluster).filter(SimulatedNode::isRunning).count();
    }

    /** Somebody deletes the pod of one of the TaskManagers. */
    void endTaskManager(Dice dice) {
        List<Pod> standing = taskManagers(DeploymentWorld.NAME).toList();
        if (!standing.isEmpty()) {
            Pod pod = dice.pick(standing);
            world.trace("somebody deletes " + pod.getMetadata().getName());
            delete(pod);
        }
    }

    private void runTaskManager(Pod pod) {
        if (isEnding(pod)) {
            if (world.dice().chance(40)) {
                confirmEnd(pod);
            }
        } else if (!isRunning(pod) && !isHeld(pod) && world.dice().chance(60)) {
            patchStatus(pod, world.troubles().running(pod));
        }
    }

    /** All that run, wherever. */
    public Stream<P> processes() {
        return List.copyOf(processes.values()).stream();
    }

    /** Whether another process holds the lease of the cluster. */
    public boolean isLedByAnother(P process) {
        return process.launch().isHighlyAvailable()
                && processes.values().stream()
                        .filter(other -> !other.equals(process) && other.isUp())
                        .anyMatch(
                                other ->
                                        other.launch()
                                                .cluster()
                                                .equals(process.launch().cluster()));
    }

    /** Who answers behind the Service; late, that may be a pod that is about to go. */
    public Optional<P> answering(boolean isLate) {
        return answering(_ -> true, isLate);
    }

    /** Who answers behind the Service of a cluster. */
    public Optional<P> answering(String cluster, boolean isLate) {
        return answering(pod -> cluster.equals(label(pod, APP)), isLate);
    }

    private Optional<P> answering(Predicate<Pod> isBehind, boolean isLate) {
        List<P> all =
                pods.values().stream()
                        .filter(isBehind)
                        .filter(pod -> (isLate || !isEnding(pod)) && !lost.holds(pod))
                        .flatMap(pod -> process(pod).stream())
                        .filter(Container::isUp)
                        .toList();
        return all.isEmpty()
                ? Optional.empty()
                : Optional.of(isLate ? all.getFirst() : all.getLast());
    }

    /** The JobManager's Deployment of the resource of that uid, unless it is on its way out. */
    Optional<Deployment> deployment(String owner) {
        receive();
        return deployments.values().stream()
                .filter(it -> JOB_MANAGER.equals(label(it, COMPONENT)) && !isEnding(it))
                .filter(
                        it ->
                                it.getMetadata().getOwnerReferences().stream()
                                        .anyMatch(each -> each.getUid().equals(owner)))
                .findFirst();
    }

    Optional<FlinkLaunch> launch(Deployment deployment) {
        return launches.launch(deployment);
    }

    /** What runs of the Deployment of that uid. */
    Optional<P> processOf(String deployment) {
        return processes.values().stream()
                .filter(it -> it.launch().deployment().equals(deployment))
                .findFirst();
    }

    public boolean isEmpty() {
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
