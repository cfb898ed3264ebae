// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.operator.model.ClusterView.Remnant;
import io.sluice.operator.observe.pod.PodProblems;
import io.sluice.operator.observe.pod.PodRole;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds what still stands of a cluster whose JobManager's Deployment is on its way out, or gone.
 */
final class RemovalBlockers {
    /** What a node and the garbage collector may take beyond the time that a deletion sets. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** Kubernetes' own, which goes once nothing is left of what the object owns. */
    private static final String FOREGROUND = "foregroundDeletion";

    private RemovalBlockers() {}

    /** One of them, so that it is told of one after the other; the first that is overdue. */
    static Optional<Remnant> of(ChildResources childResources, Instant now) {
        return childResources.jobManager().filter(found -> !isBeingRemoved(found)).isPresent()
                ? Optional.empty()
                : Stream.of(
                                childResources.pods().stream()
                                        .flatMap(pod -> of(pod, isAlone(pod, childResources), now)),
                                childResources
                                        .jobManager()
                                        .filter(RemovalBlockers::isEnding)
                                        .stream()
                                        .flatMap(found -> of(found, now)),
                                childResources.strayTaskManagers().stream()
                                        .flatMap(found -> ofStrays(found, now)))
                        .flatMap(remnants -> remnants)
                        .min(
                                Comparator.comparing(Remnant::overdue)
                                        .reversed()
                                        .thenComparing(Remnant::text));
    }

    /**
     * Of a cluster whose JobManager's Deployment stands: what would keep its removal from being
     * confirmed, for as long as nobody sees to it. One that is overdue, or a pod on a node that
     * does not answer.
     */
    static Optional<Remnant> inTheWay(ChildResources childResources, Instant now) {
        return childResources.jobManager().filter(found -> !isBeingRemoved(found)).isEmpty()
                ? Optional.empty()
                : Stream.concat(
                                childResources.pods().stream()
                                        .flatMap(
                                                pod ->
                                                        PodProblems.isOutOfReach(pod)
                                                                ? Stream.of(outOfReach(pod))
                                                                : of(pod, false, now)),
                                childResources
                                        .taskManagers()
                                        .filter(RemovalBlockers::isEnding)
                                        .stream()
                                        .flatMap(found -> of(found, now)))
                        .min(Comparator.comparing(Remnant::text));
    }

    private static Remnant outOfReach(Pod pod) {
        return new Remnant(
                "Pod '%s' is on node '%s', which does not answer. If the node is down for good, delete the Node; if the pod's processes have certainly ended, delete the pod with --force."
                        .formatted(
                                pod.getMetadata().getName(),
                                Optional.ofNullable(pod.getSpec())
                                        .map(PodSpec::getNodeName)
                                        .orElse("")),
                true);
    }

    /** Whether no Deployment stands any more that it could belong to. */
    private static boolean isAlone(Pod pod, ChildResources childResources) {
        return childResources.jobManager().isEmpty()
                && (PodRole.isJobManager(pod) || childResources.strayTaskManagers().isEmpty());
    }

    private static Stream<Remnant> ofStrays(Deployment taskManagers, Instant now) {
        return isEnding(taskManagers)
                ? of(taskManagers, now)
                : Stream.of(
                        new Remnant(
                                "Deployment '%s' stands without a JobManager, and is deleted."
                                        .formatted(taskManagers.getMetadata().getName()),
                                false));
    }

    private static boolean isEnding(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    /** Whether it is being deleted, or was scaled to zero to be deleted next. */
    private static boolean isBeingRemoved(Deployment jobManager) {
        return isEnding(jobManager) || JobManagerScaleDown.isMarked(jobManager);
    }

    /** Whether a pod that is being deleted has had all the time that it may take. */
    static boolean isOverdue(Pod pod, Instant now) {
        return isEnding(pod) && isOverdue(pod.getMetadata(), now);
    }

    private static Stream<Remnant> of(Pod pod, boolean isAlone, Instant now) {
        String named = "Pod '" + pod.getMetadata().getName() + "'";
        if (!isEnding(pod)) {
            return isAlone
                    ? Stream.of(
                            new Remnant(named + " runs on, though its Deployment is gone.", false))
                    : Stream.empty();
        }
        List<String> kept = finalizers(pod);
        return isOverdue(pod.getMetadata(), now)
                ? Stream.of(
                        new Remnant(
                                kept.isEmpty()
                                        ? unconfirmed(named, pod)
                                        : finalizersLeft(named, kept),
                                true))
                : Stream.empty();
    }

    /** A process that may run yet must not be taken for one that has ended. */
    private static String unconfirmed(String named, Pod pod) {
        return Optional.ofNullable(pod.getSpec())
                .flatMap(spec -> Optional.ofNullable(spec.getNodeName()))
                .map(
                        node ->
                                ("%s was to have ended by %s, and node '%s' does not confirm it. If"
                                                + " the node is down for good, delete the Node; if the pod's"
                                                + " processes have certainly ended, delete the pod with"
                                                + " --force.")
                                        .formatted(
                                                named,
                                                pod.getMetadata().getDeletionTimestamp(),
                                                node))
                .orElseGet(
                        () ->
                                "%s was to have ended by %s."
                                        .formatted(
                                                named, pod.getMetadata().getDeletionTimestamp()));
    }

    private static Stream<Remnant> of(Deployment deployment, Instant now) {
        String named = "Deployment '" + deployment.getMetadata().getName() + "'";
        List<String> kept = finalizers(deployment);
        return isOverdue(deployment.getMetadata(), now) && !kept.isEmpty()
                ? Stream.of(new Remnant(finalizersLeft(named, kept), true))
                : Stream.empty();
    }

    private static String finalizersLeft(String named, List<String> finalizers) {
        return "%s waits for what set its finalizers: %s."
                .formatted(named, String.join(", ", finalizers));
    }

    private static List<String> finalizers(HasMetadata object) {
        return object.getMetadata().getFinalizers().stream()
                .filter(finalizer -> !finalizer.equals(FOREGROUND))
                .sorted()
                .toList();
    }

    /** The timestamp of a pod includes the time that it is given to end. */
    private static boolean isOverdue(ObjectMeta metadata, Instant now) {
        return now.isAfter(Instant.parse(metadata.getDeletionTimestamp()).plus(PATIENCE));
    }
}
