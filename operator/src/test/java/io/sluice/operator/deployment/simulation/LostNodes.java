// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.testkit.sim.Dice;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Pods on nodes that do not answer: Kubernetes tells of them what it makes of the silence, and
 * nobody learns what becomes of their processes until the nodes are back.
 */
final class LostNodes {
    /** When Kubernetes says that a pod is not ready. */
    private static final Duration NOTICED = Duration.ofSeconds(40);

    /** When it deletes the pod, which stays until the node is back. */
    private static final Duration EVICTED = NOTICED.plusMinutes(5);

    /** When a JobManager that can't renew it gives up to lead. */
    private static final Duration LEASE = Duration.ofSeconds(15);

    private static final int LONGEST_SECONDS = 900;

    private record Lost(Instant since, Instant until, boolean isDead) {}

    private final SimulatedNode.World world;
    private final SimulatedNode<?> kubernetes;
    private final Map<String, Lost> lost = new TreeMap<>();

    LostNodes(SimulatedNode.World world, SimulatedNode<?> kubernetes) {
        this.world = world;
        this.kubernetes = kubernetes;
    }

    private static String name(Pod pod) {
        return pod.getMetadata().getName();
    }

    private Optional<Lost> of(Pod pod) {
        return Optional.ofNullable(lost.get(name(pod)));
    }

    boolean holds(Pod pod) {
        return lost.containsKey(name(pod));
    }

    /**
     * Loses the node of one of the pods. A JobManager that is not highly available runs on unless
     * its node is dead; then the node is back before Kubernetes replaces it.
     */
    void lose(List<Pod> standing, Dice dice) {
        if (standing.isEmpty()) {
            return;
        }
        Pod pod = dice.pick(standing);
        boolean isDead = dice.chance(40);
        boolean mayRunTwice =
                !isDead
                        && kubernetes
                                .process(pod)
                                .filter(it -> !it.launch().isHighlyAvailable())
                                .isPresent();
        int longest = mayRunTwice ? (int) EVICTED.toSeconds() : LONGEST_SECONDS;
        int seconds = 30 + dice.below(longest - 30);
        lost.put(name(pod), new Lost(world.now(), world.now().plusSeconds(seconds), isDead));
        world.trace(
                "the node of "
                        + name(pod)
                        + (isDead ? " is dead" : " can't be reached")
                        + " for "
                        + seconds
                        + " s");
    }

    /** What Kubernetes makes of the silence, or of its end. */
    void step(List<Pod> pods) {
        pods.forEach(pod -> of(pod).ifPresent(it -> step(pod, it)));
        lost.keySet().removeIf(name -> pods.stream().noneMatch(pod -> name(pod).equals(name)));
    }

    private void step(Pod pod, Lost node) {
        if (world.now().isAfter(node.until())) {
            world.trace("the node of " + name(pod) + " is back");
            lost.remove(name(pod));
            tell(pod, "True");
            return;
        }
        Duration silent = Duration.between(node.since(), world.now());
        if (silent.compareTo(NOTICED) > 0 && !isTold(pod)) {
            tell(pod, "False");
        }
        if (silent.compareTo(EVICTED) > 0 && pod.getMetadata().getDeletionTimestamp() == null) {
            world.trace("Kubernetes evicts " + name(pod));
            kubernetes.delete(pod);
        }
    }

    private static boolean isTold(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(it -> it.getType().equals("Ready") && it.getStatus().equals("False"));
    }

    /** Of the containers nothing new is said. */
    private void tell(Pod pod, String isReady) {
        kubernetes.patchStatus(
                pod,
                Map.of(
                        "conditions",
                        List.of(
                                Map.of("type", "Ready", "status", isReady),
                                Map.of("type", "ContainersReady", "status", "True"))));
    }

    /** Whether the process has come to its end, with the node or by a lease that it lost. */
    boolean hasEnded(Pod pod, FlinkLaunch launch) {
        return of(pod).filter(
                        it ->
                                it.isDead()
                                        || (launch.isHighlyAvailable()
                                                && world.now().isAfter(it.since().plus(LEASE))))
                .isPresent();
    }
}
