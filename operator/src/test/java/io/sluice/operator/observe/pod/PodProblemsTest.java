// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe.pod;

import static io.sluice.operator.observe.pod.FlinkPods.pod;
import static io.sluice.operator.observe.pod.FlinkPods.startedAt;
import static io.sluice.operator.observe.pod.FlinkPods.status;
import static io.sluice.operator.observe.pod.FlinkPods.unschedulableSince;
import static io.sluice.operator.observe.pod.FlinkPods.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.operator.cache.Trimmed;
import io.sluice.operator.model.ClusterView.PodProblem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PodProblemsTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void aJobManagersPodThatWaitsForLongMayWaitForItsVolumes() {
        Instant created = Instant.parse("2026-01-01T00:00:00Z");
        Pod waits = startedAt(created, waiting("ContainerCreating", "", ""));
        Pod crashes = startedAt(created, waiting("CrashLoopBackOff", "", ""));

        assertThat(waitingForVolumes(waits, created.plusSeconds(31))).isTrue();
        assertThat(waitingForVolumes(waits, created.plusSeconds(30))).isFalse();
        assertThat(waitingForVolumes(crashes, created.plusSeconds(31))).isFalse();
    }

    @Test
    void aPodThatFindsNoNodeIsDelayedForAWhileAndThenAProblem() {
        Pod pod = unschedulableSince(AT, "jobmanager");
        Instant soon = AT.plus(PodProblems.PATIENCE).minusSeconds(1);
        Instant late = AT.plus(PodProblems.PATIENCE);
        var expected = new PodProblem("Unschedulable", "pod p: 0/3 nodes are available");

        assertThat(delay(soon, pod)).contains(expected);
        assertThat(problem(soon, pod)).isEmpty();
        assertThat(delay(late, pod)).isEmpty();
        assertThat(problem(late, pod)).contains(expected);
    }

    @Test
    void theJobManagersDelayIsToldBeforeThatOfATaskManager() {
        Pod taskManager = named("tm", unschedulableSince(AT, "taskmanager"));
        Pod jobManager = named("jm", unschedulableSince(AT, "jobmanager"));

        assertThat(delay(AT, taskManager, jobManager))
                .hasValueSatisfying(it -> assertThat(it.message()).startsWith("pod jm:"));
    }

    @Test
    void whatNoTimeMendsIsAProblemAtOnce() {
        for (String reason :
                List.of("InvalidImageName", "ImagePullBackOff", "CreateContainerConfigError")) {
            Pod pod = pod("jobmanager", waiting(reason, "why", new ContainerState()));

            assertThat(problem(AT, pod)).map(PodProblem::reason).contains(reason);
            assertThat(delay(AT, pod)).isEmpty();
        }
    }

    @Test
    void aVolumeMayComeForAsLongAsANodeCountedFromWhenTheNodeTookThePodOn() {
        Pod waits = startedAt(AT, waiting("ContainerCreating", "", ""));
        waits.getStatus().setStartTime(AT.plusSeconds(600).toString());
        Instant until = AT.plusSeconds(600).plus(PodProblems.PATIENCE);

        assertThat(PodProblems.mayYetBeMounted(Trimmed.pod(waits), until.minusSeconds(1))).isTrue();
        assertThat(PodProblems.mayYetBeMounted(Trimmed.pod(waits), until)).isFalse();
    }

    @Test
    void aNodeThatDoesNotAnswerIsToldByAPodWhoseContainersAreReadyAndThatIsNot() {
        assertThat(PodProblems.isOutOfReach(Trimmed.pod(withReady("False", "True", null))))
                .isTrue();
        assertThat(PodProblems.isOutOfReach(Trimmed.pod(withReady("True", "True", null))))
                .isFalse();
        assertThat(
                        PodProblems.isOutOfReach(
                                Trimmed.pod(withReady("False", "False", "ContainersNotReady"))))
                .isFalse();
        assertThat(
                        PodProblems.isOutOfReach(
                                Trimmed.pod(withReady("False", "True", "ReadinessGatesNotReady"))))
                .isFalse();
    }

    @Test
    void theFirstProcessOfADeploymentIsOneThatCameWithItAndNeverAgain() {
        Pod first =
                startedAt(
                        AT, pod("jobmanager", status(new ContainerState(), new ContainerState())));
        Pod again = new PodBuilder(first).build();
        again.getStatus().getContainerStatuses().getFirst().setRestartCount(1);
        Pod next = startedAt(AT.plusSeconds(60), first);
        Pod ending =
                new PodBuilder(first)
                        .editMetadata()
                        .withDeletionTimestamp(AT.toString())
                        .endMetadata()
                        .build();

        assertThat(isFirst(first)).isTrue();
        assertThat(isFirst(again)).isFalse();
        assertThat(isFirst(next)).isFalse();
        assertThat(isFirst(ending)).isFalse();
        assertThat(isFirst(first, first)).as("of two one may have led before").isFalse();
        assertThat(isFirst()).isFalse();
    }

    private static boolean isFirst(Pod... pods) {
        Deployment deployment =
                new DeploymentBuilder()
                        .withNewMetadata()
                        .withCreationTimestamp(AT.toString())
                        .endMetadata()
                        .build();
        return PodProblems.isFirstProcess(deployment, Stream.of(pods).map(Trimmed::pod).toList());
    }

    private static Pod withReady(String ready, String containers, @Nullable String reason) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready)
                .withReason(reason)
                .endCondition()
                .addNewCondition()
                .withType("ContainersReady")
                .withStatus(containers)
                .endCondition()
                .endStatus()
                .build();
    }

    private static Pod named(String name, Pod pod) {
        return new PodBuilder(pod).editMetadata().withName(name).endMetadata().build();
    }

    private static Optional<PodProblem> delay(Instant now, Pod... pods) {
        return PodProblems.delay(Stream.of(pods).map(Trimmed::pod).toList(), now);
    }

    private static Optional<PodProblem> problem(Instant now, Pod pod) {
        return PodProblems.problems(List.of(Trimmed.pod(pod)), now).findFirst();
    }

    private static boolean waitingForVolumes(Pod pod, Instant now) {
        return PodProblems.waitingForVolumes(List.of(Trimmed.pod(pod)), now).isPresent();
    }
}
