// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.ClusterView.PodFacts;
import io.sluice.operator.model.ClusterView.Strays;
import io.sluice.operator.observe.pod.PodProblems;
import io.sluice.operator.observe.pod.PodRole;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A cluster's objects as a view. */
public final class ClusterReader {
    private static final Duration FIRST_STATUS = Duration.ofSeconds(3);

    /** The reason of a rollout that has come to its end, with all pods available. */
    private static final String COMPLETED = "NewReplicaSetAvailable";

    private ClusterReader() {}

    public static ClusterView of(ChildResources childResources, Instant now) {
        Optional<Deployment> jobManager = childResources.jobManager();
        return new ClusterView(
                jobManager
                        .map(found -> jobManager(found, childResources, now))
                        .orElseGet(JobManagerView.Absent::new),
                childResources.pods().size(),
                DeploymentProblems.problem(
                        jobManager,
                        // Of a cluster that starts only the JobManager matters.
                        childResources
                                .taskManagers()
                                .filter(
                                        _ ->
                                                jobManager
                                                        .filter(ClusterReader::isAvailable)
                                                        .isPresent()),
                        childResources.pods(),
                        now),
                RemovalBlockers.of(childResources, now),
                PodProblems.kills(childResources.pods()),
                childResources.strayTaskManagers().map(ClusterReader::strays),
                DeploymentProblems.isJobManagerBroken(jobManager, childResources.pods()),
                jobManager.map(ClusterReader::owners).orElseGet(Set::of),
                new PodFacts(
                        PodProblems.delay(childResources.pods(), now),
                        RemovalBlockers.inTheWay(childResources, now),
                        jobManager
                                .filter(it -> PodProblems.isFirstProcess(it, childResources.pods()))
                                .isPresent(),
                        childResources.pods().stream().anyMatch(PodRole::isNativeTaskManager)));
    }

    private static Set<String> owners(Deployment deployment) {
        return deployment.getMetadata().getOwnerReferences().stream()
                .map(OwnerReference::getUid)
                .collect(Collectors.toSet());
    }

    private static Strays strays(Deployment taskManagers) {
        var metadata = taskManagers.getMetadata();
        return new Strays(metadata.getUid(), metadata.getDeletionTimestamp() != null);
    }

    private static JobManagerView jobManager(
            Deployment deployment, ChildResources childResources, Instant now) {
        var metadata = deployment.getMetadata();
        if (metadata.getDeletionTimestamp() != null) {
            return new JobManagerView.Terminating();
        }
        if (JobManagerScaleDown.isMarked(deployment)) {
            return new JobManagerView.Terminating(
                    JobManagerScaleDown.next(deployment, childResources.pods(), now));
        }
        Optional<String> attempt =
                Optional.ofNullable(metadata.getAnnotations())
                        .flatMap(
                                annotations ->
                                        Optional.ofNullable(
                                                annotations.get(
                                                        ManifestRenderer.ATTEMPT_ANNOTATION)));
        return new JobManagerView.Present(
                metadata.getUid(), attempt, isAvailable(deployment), wasEverAvailable(deployment));
    }

    private static boolean isAvailable(Deployment deployment) {
        return deployment.getStatus() != null
                && Optional.ofNullable(deployment.getStatus().getAvailableReplicas()).orElse(0) > 0;
    }

    /**
     * The test of docs/contract/reconciler.md, section 4: condition Available is False, and has
     * been since the Deployment was made. Both times are whole seconds, and a busy controller
     * writes its first condition a second or two late; so {@link #FIRST_STATUS} may lie between
     * them. No JobManager is up and gone again within it: it is ready once its REST API answers,
     * which takes a JVM longer than that. Should one without that probe manage to, then the rollout
     * that was completed says so, and keeps saying so. Of two JobManagers both have to be up for
     * either: that one of them leads and runs the job, or did, they do not tell.
     */
    private static boolean wasEverAvailable(Deployment deployment) {
        if (deployment.getStatus() == null) {
            return false;
        }
        Instant created = Instant.parse(deployment.getMetadata().getCreationTimestamp());
        return condition(deployment, "Progressing")
                        .filter(it -> COMPLETED.equals(it.getReason()))
                        .isPresent()
                || condition(deployment, "Available")
                        .filter(it -> !isFalseSince(created, it))
                        .isPresent();
    }

    private static boolean isFalseSince(Instant created, DeploymentCondition condition) {
        return condition.getStatus().equals("False")
                && Duration.between(created, Instant.parse(condition.getLastTransitionTime()))
                                .abs()
                                .compareTo(FIRST_STATUS)
                        <= 0;
    }

    private static Optional<DeploymentCondition> condition(Deployment deployment, String type) {
        return deployment.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }
}
