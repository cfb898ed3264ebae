// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.habits;

import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.operator.deployment.simulation.SimulatedFramework;
import io.sluice.testkit.sim.Dice;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What keeps the pods of a cluster from running for a while: nodes without room, images that can't
 * be pulled, and containers that were killed for their memory. In runs without these habits it
 * throws no dice.
 */
public final class PodTroubles {
    private static final int LONGEST_SECONDS = 900;
    private static final String CONTAINER = "flink-main-container";

    private record Trouble(Habit what, Instant since, Instant until, boolean isTold) {}

    private final SimulatedFramework.World world;
    private final Dice dice;
    private final Set<Habit> kinds = Habit.none();
    private final Map<String, Trouble> troubled = new TreeMap<>();
    private final Set<String> judged = new HashSet<>();
    private final Set<String> unmounted = new HashSet<>();
    private boolean isOver;

    public PodTroubles(SimulatedFramework.World world, Dice dice) {
        this.world = world;
        this.dice = dice;
    }

    /** Such troubles may come. */
    public void allow(Habit kind) {
        kinds.add(kind);
    }

    /** No pod has any trouble any more. */
    public void end() {
        isOver = true;
    }

    /** A container was killed for its memory. */
    public void killed(Pod pod) {
        put(pod, Habit.IS_KILLED, 10 + dice.below(300));
    }

    /** No registry has its image. */
    public void lacksImage(Pod pod) {
        if (judged.add("the image of " + name(pod))) {
            put(pod, Habit.LACKS_IMAGES, Integer.MAX_VALUE);
        }
    }

    /** A ConfigMap that it mounts is missing: what is told of the pod, if that is new. */
    public Optional<Map<String, Object>> lacksVolume(Pod pod) {
        return unmounted.add(name(pod))
                ? Optional.of(waiting("ContainerCreating", "", Map.of()))
                : Optional.empty();
    }

    private void put(Pod pod, Habit what, int seconds) {
        Instant now = world.now();
        world.trace(name(pod) + " " + what + " for " + seconds + " s");
        troubled.put(name(pod), new Trouble(what, now, now.plusSeconds(seconds), false));
    }

    private static String name(Pod pod) {
        return pod.getMetadata().getName();
    }

    /** Whether a process can't be started in the pod now. */
    public boolean holds(Pod pod) {
        if (judged.add(name(pod))) {
            strike(pod);
        }
        return !isOver
                && Optional.ofNullable(troubled.get(name(pod)))
                        .filter(it -> world.now().isBefore(it.until()))
                        .isPresent();
    }

    private void strike(Pod pod) {
        for (Habit kind : List.of(Habit.LACKS_ROOM, Habit.LACKS_IMAGES)) {
            if (kinds.contains(kind) && !isOver && dice.chance(20)) {
                put(pod, kind, 10 + dice.below(LONGEST_SECONDS));
            }
        }
    }

    /** Whether nothing holds a pod but that it has waited for a node since then. */
    public boolean waitForNodes(Instant since) {
        return kinds.equals(EnumSet.of(Habit.LACKS_ROOM))
                && troubled.values().stream().anyMatch(Trouble::isTold)
                && troubled.values().stream().noneMatch(it -> it.since().isBefore(since));
    }

    /** Whether it is told of a JobManager, for at least so long, that it can't run. */
    public boolean holdJobManager(Duration time) {
        return !isOver
                && troubled.entrySet().stream()
                        .filter(it -> it.getKey().contains("-jobmanager-"))
                        .map(Map.Entry::getValue)
                        .filter(it -> it.isTold() && world.now().isBefore(it.until()))
                        .anyMatch(it -> it.since().plus(time).isBefore(world.now()));
    }

    /** What is told of a pod that is held, if that is new. */
    public Optional<Map<String, Object>> told(Pod pod) {
        Optional<Trouble> untold =
                Optional.ofNullable(troubled.get(name(pod))).filter(it -> !it.isTold());
        untold.ifPresent(
                it ->
                        troubled.put(
                                name(pod), new Trouble(it.what(), it.since(), it.until(), true)));
        return untold.map(
                it ->
                        switch (it.what()) {
                            case LACKS_ROOM -> unschedulable(it.since());
                            case LACKS_IMAGES ->
                                    waiting("ErrImagePull", "503 from the registry", Map.of());
                            default -> waiting("CrashLoopBackOff", "back-off", killed(it.since()));
                        });
    }

    /** What is told of a pod that runs at last. */
    public Map<String, Object> running(Pod pod) {
        boolean wasUnmounted = unmounted.remove(name(pod));
        boolean hasWaited = troubled.remove(name(pod)) != null || wasUnmounted;
        return hasWaited
                ? Map.of(
                        "phase",
                        "Running",
                        "conditions",
                        List.of(Map.of("type", "PodScheduled", "status", "True")),
                        "containerStatuses",
                        List.of(
                                Map.of(
                                        "name",
                                        CONTAINER,
                                        "restartCount",
                                        0,
                                        "state",
                                        Map.of("running", Map.of()))))
                : Map.of("phase", "Running");
    }

    private static Map<String, Object> unschedulable(Instant since) {
        return Map.of(
                "phase",
                "Pending",
                "conditions",
                List.of(
                        Map.of(
                                "type",
                                "PodScheduled",
                                "status",
                                "False",
                                "reason",
                                "Unschedulable",
                                "message",
                                "0/1 nodes are available: 1 Insufficient memory.",
                                "lastTransitionTime",
                                since.truncatedTo(ChronoUnit.SECONDS).toString())));
    }

    private static Map<String, Object> killed(Instant at) {
        return Map.of(
                "terminated",
                Map.of(
                        "reason",
                        "OOMKilled",
                        "exitCode",
                        137,
                        "finishedAt",
                        at.truncatedTo(ChronoUnit.SECONDS).toString()));
    }

    private static Map<String, Object> waiting(
            String reason, String message, Map<String, Object> lastState) {
        return Map.of(
                "phase",
                "Pending",
                "conditions",
                List.of(Map.of("type", "PodScheduled", "status", "True")),
                "containerStatuses",
                List.of(
                        Map.of(
                                "name",
                                CONTAINER,
                                "restartCount",
                                lastState.isEmpty() ? 0 : 1,
                                "lastState",
                                lastState,
                                "state",
                                Map.of("waiting", Map.of("reason", reason, "message", message)))));
    }
}
