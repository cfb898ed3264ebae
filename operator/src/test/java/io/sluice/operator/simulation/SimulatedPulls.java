// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.image.ImagePulls;
import io.sluice.operator.model.image.ImagePulls.Answer;
import io.sluice.operator.model.image.ImagePulls.PullPod;
import io.sluice.operator.observe.pod.ImagePullMemory;
import io.sluice.rules.config.option.LifecycleOptions;
import io.sluice.testkit.sim.Cluster;
import io.sluice.testkit.sim.Environment;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pods that pull images, and a kubelet that answers of them after a while: a bad image can't be
 * pulled. A cache may be late, and the API server refuses some pods.
 */
final class SimulatedPulls {
    private static final Duration PULL = Duration.ofSeconds(3);

    private record Made(String uid, String image, Instant at) {}

    private final Environment environment;
    private final Map<String, Made> pods = new LinkedHashMap<>();
    private List<PullPod> before = List.of();
    private final boolean isAsked;
    private int made;

    /**
     * @param isAsked whether the operator has images pulled first
     */
    SimulatedPulls(Environment environment, boolean isAsked) {
        this.isAsked = isAsked;
        this.environment = environment;
    }

    boolean isAsked() {
        return isAsked;
    }

    boolean isEmpty() {
        return pods.isEmpty();
    }

    /** What a cache has of them: at times, what it had before. */
    ImagePulls read(String uid, ImagePullMemory memory) {
        if (pods.isEmpty() && before.isEmpty()) {
            return new ImagePulls(List.of(), memory.of(uid, List.of()).givenUp());
        }
        List<PullPod> seen = environment.faults().strikes(20) ? before : now();
        before = now();
        return new ImagePulls(seen, memory.of(uid, List.of()).givenUp());
    }

    private List<PullPod> now() {
        return pods.entrySet().stream()
                .map(
                        entry ->
                                new PullPod(
                                        entry.getKey(),
                                        entry.getValue().uid(),
                                        answer(entry.getValue())))
                .toList();
    }

    private Answer answer(Made pod) {
        if (environment.clock().instant().isBefore(pod.at().plus(PULL))) {
            return new Answer.Pulling(pod.at());
        }
        return pod.image().startsWith(Cluster.BAD)
                ? new Answer.NotPulled(pod.image(), "ImagePullBackOff", "not found")
                : new Answer.Pulled();
    }

    void create(Action.PullImages wanted, ImagePullMemory memory) {
        if (environment.faults().strikes(5)) {
            memory.giveUp(wanted.plan().uid(), wanted.name());
            return;
        }
        environment
                .faults()
                .effect(
                        "pull " + wanted.name(),
                        () ->
                                pods.putIfAbsent(
                                        wanted.name(),
                                        new Made(
                                                "pull-" + ++made,
                                                wanted.plan().spec().image().orElse(""),
                                                environment.clock().instant())));
    }

    void delete(Action.DeletePullPod unneeded) {
        environment
                .faults()
                .effect(
                        "delete " + unneeded.name(),
                        () ->
                                pods.computeIfPresent(
                                        unneeded.name(),
                                        (_, pod) -> pod.uid().equals(unneeded.uid()) ? null : pod));
    }

    /** Somebody deletes them all. */
    void loseAll() {
        pods.clear();
    }

    /** Whether {@code action} begins to end a job that runs, for an image that can't be pulled. */
    static boolean isBadEnd(Action action, Optional<ObservedState> found) {
        boolean ends =
                action instanceof Action.StopWithSavepoint
                        || action instanceof Action.CancelJob
                        || action instanceof Action.DeleteCluster
                        || action instanceof Action.StopJobManager;
        return ends && found.filter(SimulatedPulls::isHeldBack).isPresent();
    }

    private static boolean isHeldBack(ObservedState observed) {
        return observed.spec() instanceof SpecView.Valid(var spec, var raw)
                && Specs.isBad(raw)
                && raw.at("/job/state").asText().equals("running")
                && !observed.identity().deleting()
                && observed.job() instanceof JobView.Seen seen
                && seen.isUp()
                && observed.status().attempt().stop().isEmpty()
                && observed.health().filter(health -> !health.isHealthy()).isEmpty()
                && observed.lastReconciled().filter(it -> !Specs.isBad(it.raw())).isPresent()
                && observed.cluster().podFacts().imagePulls().givenUp().isEmpty()
                && spec.flinkConfiguration()
                        .get(LifecycleOptions.PULL_IMAGE_FIRST.key())
                        .filter("false"::equals)
                        .isEmpty();
    }
}
