// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe.pod;

import static io.sluice.operator.observe.pod.FlinkPods.killed;
import static io.sluice.operator.observe.pod.FlinkPods.pod;
import static io.sluice.operator.observe.pod.FlinkPods.status;
import static io.sluice.operator.observe.pod.FlinkPods.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.operator.cache.Trimmed;
import io.sluice.operator.model.ClusterView.Kill;
import io.sluice.operator.model.ClusterView.PodProblem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContainerProblemsTest {
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
                                "pod p, container flink-main-container: ended with exit code 1,"
                                        + " Error: java.io.IOException: JAR file does not exist"
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
    void aContainerThatCrashesForItsMemoryIsToldAsSuchWithWhatToDo() {
        var waits = waiting("CrashLoopBackOff", "back-off", killed(AT));

        assertThat(problem(pod("jobmanager", waits)))
                .contains(
                        new PodProblem(
                                "OOMKilled",
                                "pod p, container flink-main-container: ended with exit code 137,"
                                        + " OOMKilled. Raise spec.jobManager.resource.memory, or"
                                        + " leave more of it to native memory with"
                                        + " jobmanager.memory.jvm-overhead.fraction."));
        assertThat(problem(pod("taskmanager", waits)).orElseThrow().message())
                .contains("spec.taskManager.resource.memory");
    }

    @Test
    void anImageThatCannotBePulledIsWhatKeepsAContainerThatWasKilledFromRunning() {
        var waits = waiting("ImagePullBackOff", "not found", killed(AT));

        assertThat(problem(pod("jobmanager", waits)))
                .map(PodProblem::reason)
                .contains("ImagePullBackOff");
    }

    @Test
    void aKilledJobManagerThatDoesNotRunYetIsAProblemAndATaskManagerIsNot() {
        var ended = status(killed(AT), new ContainerState());

        assertThat(problem(pod("jobmanager", ended))).map(PodProblem::reason).contains("OOMKilled");
        assertThat(problem(pod("taskmanager", ended))).isEmpty();
    }

    @Test
    void aContainerThatWasKilledAndRunsAgainIsNoProblemAndTold() {
        var running = new ContainerStateBuilder().withNewRunning().endRunning().build();
        var again = status(running, killed(AT));

        assertThat(problem(pod("taskmanager", again))).isEmpty();
        assertThat(kills(pod("taskmanager", again)))
                .singleElement()
                .satisfies(
                        kill -> {
                            assertThat(kill.at()).isEqualTo(AT);
                            assertThat(kill.where()).startsWith("pod p, container");
                            assertThat(kill.remedy()).contains("spec.taskManager.resource.memory");
                        });
        assertThat(kills(pod("taskmanager", again)))
                .as("before and after it was started again")
                .isEqualTo(kills(pod("taskmanager", status(killed(AT), new ContainerState()))));
    }

    @Test
    void aSidecarThatWasKilledIsGivenMemoryInThePodTemplate() {
        var sidecar =
                new ContainerStatusBuilder(status(killed(AT), new ContainerState()))
                        .withName("logs")
                        .build();

        assertThat(kills(pod("taskmanager", sidecar)))
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

        assertThat(kills(pod("taskmanager", status(ended, killed(AT))))).isEmpty();
        assertThat(problem(pod("jobmanager", status(ended, killed(AT))))).isEmpty();
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

    private static Optional<PodProblem> problem(Pod pod) {
        return PodProblems.problems(List.of(Trimmed.pod(pod)), AT).findFirst();
    }

    private static List<Kill> kills(Pod pod) {
        return PodProblems.kills(List.of(Trimmed.pod(pod)));
    }
}
