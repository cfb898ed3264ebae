// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static io.sluice.operator.observe.pod.FlinkPods.status;
import static io.sluice.operator.observe.pod.FlinkPods.unschedulableSince;
import static io.sluice.operator.observe.pod.FlinkPods.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.operator.cache.Trimmed;
import io.sluice.operator.model.ClusterView.PodProblem;
import io.sluice.operator.observe.pod.FlinkPods;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeploymentProblemsTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void aJobManagerThatSomebodyScaledToNoneIsToldWithWhatMendsIt() {
        Deployment none = Trimmed.deployment(scaledTo(0));

        assertThat(DeploymentProblems.problem(Optional.of(none), Optional.empty(), List.of(), AT))
                .contains(
                        new PodProblem(
                                "ScaledToZero",
                                "Deployment 'orders' was scaled to 0 replicas. Scale it up again:"
                                        + " kubectl scale deployment orders --namespace shop"
                                        + " --replicas=1"));
        assertThat(
                        DeploymentProblems.problem(
                                Optional.of(scaledTo(1)), Optional.empty(), List.of(), AT))
                .isEmpty();
        none.getMetadata().setDeletionTimestamp(AT.toString());
        assertThat(DeploymentProblems.problem(Optional.of(none), Optional.empty(), List.of(), AT))
                .isEmpty();
    }

    @Test
    void whichPodsAQuotaRefusesIsTold() {
        assertThat(
                        DeploymentProblems.problem(
                                Optional.of(new Deployment()),
                                Optional.of(refused("exceeded quota: team")),
                                List.of(),
                                AT))
                .contains(new PodProblem("FailedCreate", "TaskManagers: exceeded quota: team"));
        assertThat(
                        DeploymentProblems.problem(
                                Optional.of(refused("violates PodSecurity")),
                                Optional.of(refused("exceeded quota: team")),
                                List.of(),
                                AT))
                .contains(new PodProblem("FailedCreate", "JobManager: violates PodSecurity"));
    }

    /** Of a pod that is on its way out nobody knows when its containers end. */
    @Test
    void aJobManagerIsBrokenOnlyIfEachOfItsPodsSaysSo() {
        Pod crashing =
                FlinkPods.pod(
                        "jobmanager",
                        waiting("CrashLoopBackOff", "back-off", new ContainerState()));
        Pod unready =
                FlinkPods.pod("jobmanager", status(new ContainerState(), new ContainerState()));
        Pod taskManager =
                FlinkPods.pod(
                        "taskmanager",
                        waiting("ImagePullBackOff", "not found", new ContainerState()));
        var standing = Optional.of(new Deployment());

        assertThat(DeploymentProblems.isJobManagerBroken(standing, List.of(crashing))).isTrue();
        assertThat(DeploymentProblems.isJobManagerBroken(standing, List.of(crashing, unready)))
                .isFalse();
        assertThat(DeploymentProblems.isJobManagerBroken(standing, List.of(unready, taskManager)))
                .isFalse();
        assertThat(DeploymentProblems.isJobManagerBroken(standing, List.of(taskManager))).isFalse();
        assertThat(
                        DeploymentProblems.isJobManagerBroken(
                                Optional.of(refused("exceeded quota: team")), List.of()))
                .isTrue();
    }

    @Test
    void aPodThatFindsNoNodeRunsNoProcessHoweverShortItHasWaited() {
        Pod pod = unschedulableSince(AT, "jobmanager");

        assertThat(
                        DeploymentProblems.isJobManagerBroken(
                                Optional.of(new Deployment()), List.of(pod)))
                .isTrue();
    }

    private static Deployment scaledTo(int replicas) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("orders")
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .endSpec()
                .build();
    }

    private static Deployment refused(String message) {
        return new DeploymentBuilder()
                .withNewStatus()
                .addNewCondition()
                .withType("ReplicaFailure")
                .withStatus("True")
                .withReason("FailedCreate")
                .withMessage(message)
                .endCondition()
                .endStatus()
                .build();
    }
}
