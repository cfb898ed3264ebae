// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.operator.cache.Trimmed;
import io.sluice.operator.model.ClusterView.Kill;
import io.sluice.operator.model.ClusterView.PodProblem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PodProblemsTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final String LOG =
            """
            12:00:00 ERROR ClusterEntrypoint - Could not create application program.
            org.apache.flink.util.FlinkException: Could not load the provided entrypoint class.
            \tat org.apache.flink.client.Some.method(Some.java:1)
            Caused by: org.apache.flink.client.ProgramInvocationException: outer
            \tat org.apache.flink.client.Some.method(Some.java:2)
            Caused by: java.io.IOException: JAR file does not exist '/opt/flink/usrlib/a.jar'
            \tat org.apache.flink.client.Some.method(Some.java:3)
            """;

    @Test
    void ofAContainerThatCrashesTheInnermostCauseIsTold() {
        assertThat(problem(waiting("CrashLoopBackOff", "back-off 20s restarting", LOG)))
                .contains(
                        new PodProblem(
                                "CrashLoopBackOff",
                                "pod p, container flink-main-container: ended with exit code 1, Error:"
                                        + " java.io.IOException: JAR file does not exist"
                                        + " '/opt/flink/usrlib/a.jar'"));
    }

    @Test
    void withoutACauseTheExceptionItselfIsTold() {
        String log = "some line\njava.lang.OutOfMemoryError: Metaspace\n\tat a.b(C.java:1)\n";
        assertThat(problem(waiting("CrashLoopBackOff", "back-off", log)).orElseThrow().message())
                .endsWith("ended with exit code 1, Error: java.lang.OutOfMemoryError: Metaspace");
    }

    @Test
    void ofALogWithoutAnExceptionNothingIsTold() {
        assertThat(
                        problem(waiting("CrashLoopBackOff", "back-off", "password=hunter2\n"))
                                .orElseThrow()
                                .message())
                .endsWith("ended with exit code 1, Error");
    }

    @Test
    void aJobManagerThatSomebodyScaledToNoneIsToldWithWhatMendsIt() {
        Deployment none = Trimmed.deployment(scaledTo(0));

        assertThat(PodProblems.problem(Optional.of(none), Optional.empty(), List.of(), AT))
                .contains(
                        new PodProblem(
                                "ScaledToZero",
                                "Deployment 'orders' was scaled to 0 replicas. Scale it up again:"
                                        + " kubectl scale deployment orders --namespace shop"
                                        + " --replicas=1"));
        assertThat(PodProblems.problem(Optional.of(scaledTo(1)), Optional.empty(), List.of(), AT))
                .isEmpty();
        none.getMetadata().setDeletionTimestamp(AT.toString());
        assertThat(PodProblems.problem(Optional.of(none), Optional.empty(), List.of(), AT))
                .isEmpty();
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

    @Test
    void whichPodsAQuotaRefusesIsTold() {
        assertThat(
                        PodProblems.problem(
                                Optional.of(new Deployment()),
                                Optional.of(refused("exceeded quota: team")),
                                List.of(),
                                AT))
                .contains(new PodProblem("FailedCreate", "TaskManagers: exceeded quota: team"));
        assertThat(
                        PodProblems.problem(
                                Optional.of(refused("violates PodSecurity")),
                                Optional.of(refused("exceeded quota: team")),
                                List.of(),
                                AT))
                .contains(new PodProblem("FailedCreate", "JobManager: violates PodSecurity"));
    }

    @Test
    void aContainerThatCrashesForItsMemoryIsToldAsSuchWithWhatToDo() {
        var waits = waiting("CrashLoopBackOff", "back-off", killed(AT));

        assertThat(problem(of("jobmanager", waits)))
                .contains(
                        new PodProblem(
                                "OOMKilled",
                                "pod p, container flink-main-container: ended with exit code 137,"
                                        + " OOMKilled. Raise spec.jobManager.resource.memory, or"
                                        + " leave more of it to native memory with"
                                        + " jobmanager.memory.jvm-overhead.fraction."));
        assertThat(problem(of("taskmanager", waits)).orElseThrow().message())
                .contains("spec.taskManager.resource.memory");
    }

    @Test
    void anImageThatCannotBePulledIsWhatKeepsAContainerThatWasKilledFromRunning() {
        var waits = waiting("ImagePullBackOff", "not found", killed(AT));

        assertThat(problem(of("jobmanager", waits)))
                .map(PodProblem::reason)
                .contains("ImagePullBackOff");
    }

    @Test
    void aKilledJobManagerThatDoesNotRunYetIsAProblemAndATaskManagerIsNot() {
        var ended = status(killed(AT), new ContainerState());

        assertThat(problem(of("jobmanager", ended))).map(PodProblem::reason).contains("OOMKilled");
        assertThat(problem(of("taskmanager", ended))).isEmpty();
    }

    /** Of a pod that is on its way out nobody knows when its containers end. */
    @Test
    void aJobManagerIsBrokenOnlyIfEachOfItsPodsSaysSo() {
        Pod crashing =
                of("jobmanager", waiting("CrashLoopBackOff", "back-off", new ContainerState()));
        Pod unready = of("jobmanager", status(new ContainerState(), new ContainerState()));
        Pod taskManager =
                of("taskmanager", waiting("ImagePullBackOff", "not found", new ContainerState()));
        var standing = Optional.of(new Deployment());

        assertThat(PodProblems.isJobManagerBroken(standing, List.of(crashing))).isTrue();
        assertThat(PodProblems.isJobManagerBroken(standing, List.of(crashing, unready))).isFalse();
        assertThat(PodProblems.isJobManagerBroken(standing, List.of(unready, taskManager)))
                .isFalse();
        assertThat(PodProblems.isJobManagerBroken(standing, List.of(taskManager))).isFalse();
        assertThat(
                        PodProblems.isJobManagerBroken(
                                Optional.of(refused("exceeded quota: team")), List.of()))
                .isTrue();
    }

    @Test
    void aContainerThatWasKilledAndRunsAgainIsNoProblemAndTold() {
        var running = new ContainerStateBuilder().withNewRunning().endRunning().build();
        var again = status(running, killed(AT));

        assertThat(problem(of("taskmanager", again))).isEmpty();
        assertThat(kills(of("taskmanager", again)))
                .singleElement()
                .satisfies(
                        kill -> {
                            assertThat(kill.at()).isEqualTo(AT);
                            assertThat(kill.where()).startsWith("pod p, container");
                            assertThat(kill.remedy()).contains("spec.taskManager.resource.memory");
                        });
        assertThat(kills(of("taskmanager", again)))
                .as("before and after it was started again")
                .isEqualTo(kills(of("taskmanager", status(killed(AT), new ContainerState()))));
    }

    @Test
    void aSidecarThatWasKilledIsGivenMemoryInThePodTemplate() {
        var sidecar =
                new ContainerStatusBuilder(status(killed(AT), new ContainerState()))
                        .withName("logs")
                        .build();

        assertThat(kills(of("taskmanager", sidecar)))
                .singleElement()
                .satisfies(kill -> assertThat(kill.remedy()).contains("podTemplate"));
    }

    @Test
    void whatCameToAnotherEndSinceWasNotKilled() {
        var ended =
                new ContainerStateBuilder()
                        .withNewTerminated()
                        .withExitCode(0)
                        .withReason("Completed")
                        .withFinishedAt(AT.toString())
                        .endTerminated()
                        .build();

        assertThat(kills(of("taskmanager", status(ended, killed(AT))))).isEmpty();
        assertThat(problem(of("jobmanager", status(ended, killed(AT))))).isEmpty();
    }

    @Test
    void anImageThatCannotBePulledIsToldInTheKubeletsWords() {
        assertThat(problem(waiting("ImagePullBackOff", "Back-off pulling image \"x:1\"", LOG)))
                .map(PodProblem::message)
                .hasValueSatisfying(
                        message ->
                                assertThat(message)
                                        .contains("Back-off pulling image \"x:1\" (before that"));
    }

    @Test
    void anImageThatCannotBePulledIsOneProblemWhetherItIsTriedOrWaitedFor() {
        String said = "failed to pull image \"x:1\": not found";

        assertThat(
                        problem(
                                waiting(
                                        "ImagePullBackOff",
                                        "Back-off pulling image \"x:1\": ErrImagePull: " + said,
                                        LOG)))
                .isPresent()
                .isEqualTo(problem(waiting("ErrImagePull", said, LOG)));
    }

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
    void aPodThatFindsNoNodeRunsNoProcessHoweverShortItHasWaited() {
        Pod pod = unschedulableSince(AT, "jobmanager");

        assertThat(PodProblems.isJobManagerBroken(Optional.of(new Deployment()), List.of(pod)))
                .isTrue();
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
            Pod pod = of("jobmanager", waiting(reason, "why", new ContainerState()));

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
                startedAt(AT, of("jobmanager", status(new ContainerState(), new ContainerState())));
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

    private static Pod unschedulableSince(Instant since, String component) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .addToLabels("component", component)
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason("Unschedulable")
                .withMessage("0/3 nodes are available")
                .withLastTransitionTime(since.toString())
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
        return PodProblems.problem(
                Optional.empty(), Optional.empty(), List.of(Trimmed.pod(pod)), now);
    }

    private static boolean waitingForVolumes(Pod pod, Instant now) {
        return PodProblems.waitingForVolumes(List.of(Trimmed.pod(pod)), now).isPresent();
    }

    private static Pod startedAt(Instant created, Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .withCreationTimestamp(created.toString())
                .addToLabels("component", "jobmanager")
                .endMetadata()
                .build();
    }

    private static Optional<PodProblem> problem(Pod pod) {
        return PodProblems.problem(
                Optional.empty(), Optional.empty(), List.of(Trimmed.pod(pod)), AT);
    }

    private static List<Kill> kills(Pod pod) {
        return PodProblems.kills(List.of(Trimmed.pod(pod)));
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

    private static ContainerState killed(Instant at) {
        return new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(137)
                .withReason("OOMKilled")
                .withFinishedAt(at.toString())
                .endTerminated()
                .build();
    }

    private static ContainerStatus waiting(String reason, String message, ContainerState last) {
        return status(new ContainerStateBuilder().withNewWaiting(message, reason).build(), last);
    }

    private static ContainerStatus status(ContainerState now, ContainerState last) {
        return new ContainerStatusBuilder()
                .withName("flink-main-container")
                .withState(now)
                .withLastState(last)
                .build();
    }

    private static Pod of(String component, ContainerStatus status) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .addToLabels("component", component)
                .endMetadata()
                .withNewStatus()
                .withContainerStatuses(status)
                .endStatus()
                .build();
    }

    private static Pod waiting(String reason, String message, String logOfTheLast) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .endMetadata()
                .withNewStatus()
                .addNewContainerStatus()
                .withName("flink-main-container")
                .withNewState()
                .withNewWaiting()
                .withReason(reason)
                .withMessage(message)
                .endWaiting()
                .endState()
                .withNewLastState()
                .withNewTerminated()
                .withExitCode(1)
                .withReason("Error")
                .withMessage(logOfTheLast)
                .endTerminated()
                .endLastState()
                .endContainerStatus()
                .endStatus()
                .build();
    }
}
