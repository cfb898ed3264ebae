// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe.pod;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.sluice.operator.cache.Trimmed;
import io.sluice.operator.model.image.ImagePulls.Answer;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the states of containers that need not run tell of their images. */
class ImagePullReaderTest {
    private static final String CREATED = "2026-01-01T00:00:00Z";
    private static final String STARTED = "2026-01-01T00:00:02Z";

    private final ImagePullMemory memory = new ImagePullMemory();

    private static PodBuilder pod() {
        return new PodBuilder()
                .withNewMetadata()
                .withName("orders-image-pull-1")
                .withUid("uid-1")
                .withCreationTimestamp(CREATED)
                .addToLabels("type", "flink-image-pull")
                .addToLabels("sluice.io/pulls-image-of", "orders")
                .endMetadata()
                .withNewStatus()
                .withPhase("Pending")
                .endStatus();
    }

    private static PodBuilder placed() {
        return pod().editStatus()
                .withStartTime(STARTED)
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("True")
                .endCondition()
                .endStatus();
    }

    private static PodBuilder with(PodBuilder pod, String container, ContainerState state) {
        return pod.editStatus()
                .addNewContainerStatus()
                .withName(container)
                .withImage("flink:1")
                .withState(state)
                .endContainerStatus()
                .endStatus();
    }

    private static ContainerState waiting(String reason) {
        return new ContainerStateBuilder().withNewWaiting("the cause", reason).build();
    }

    private static ContainerState ended() {
        return new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(128)
                .withReason("StartError")
                .endTerminated()
                .build();
    }

    /** As a cache has it. */
    private Answer answer(PodBuilder pod) {
        Pod cached = Trimmed.pod(pod.build());
        assertThat(ImagePullReader.pullsImages(cached)).isTrue();
        assertThat(ImagePullReader.owner(cached)).contains("orders");
        return memory.of("uid", List.of(cached)).pods().getFirst().answer();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ErrImagePull",
                "ImagePullBackOff",
                "InvalidImageName",
                "ErrImageNeverPull",
                "ImageInspectError",
                "RegistryUnavailable",
                "SignatureValidationFailed"
            })
    void anImageThatIsNotThereIsToldInTheKubeletsWords(String reason) {
        assertThat(answer(with(placed(), "job-manager", waiting(reason))))
                .isInstanceOfSatisfying(
                        Answer.NotPulled.class,
                        not -> {
                            assertThat(not.image()).isEqualTo("flink:1");
                            assertThat(not.message()).isEqualTo("the cause");
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CreateContainerError",
                "CreateContainerConfigError",
                "RunContainerError",
                "CrashLoopBackOff"
            })
    void aContainerThatWasTriedHasItsImage(String reason) {
        assertThat(answer(with(placed(), "job-manager", waiting(reason))))
                .isEqualTo(new Answer.Pulled());
    }

    @Test
    void aContainerThatRunsOrEndedHasItsImage() {
        ContainerState runs = new ContainerStateBuilder().withNewRunning(CREATED).build();

        assertThat(answer(with(placed(), "job-manager", runs))).isEqualTo(new Answer.Pulled());
        assertThat(answer(with(placed(), "job-manager", ended()))).isEqualTo(new Answer.Pulled());
    }

    @Test
    void bothImagesHaveToBeThere() {
        PodBuilder one = with(placed(), "job-manager", ended());

        assertThat(answer(with(one, "task-manager", waiting("ContainerCreating"))))
                .isEqualTo(new Answer.Pulling(Instant.parse(STARTED)));
        assertThat(answer(with(one, "task-manager", waiting("ErrImagePull"))))
                .isInstanceOf(Answer.NotPulled.class);
    }

    @Test
    void aContainerThatSomebodyInjectedDoesNotCount() {
        PodBuilder injected = with(placed(), "istio-proxy", waiting("ImagePullBackOff"));

        assertThat(answer(with(injected, "job-manager", ended()))).isEqualTo(new Answer.Pulled());
    }

    @Test
    void aPodWithoutANodeOrWithoutAWordOfItsKubeletHasNoAnswer() {
        assertThat(answer(pod())).isEqualTo(new Answer.Unscheduled(Instant.parse(CREATED)));
        assertThat(answer(placed())).isEqualTo(new Answer.Pulling(Instant.parse(STARTED)));
        assertThat(answer(with(placed(), "job-manager", waiting("PodInitializing"))))
                .isEqualTo(new Answer.Pulling(Instant.parse(STARTED)));
    }

    @Test
    void aPodThatWasEvictedIsLostAndOneThatIsDeletedEnds() {
        assertThat(answer(placed().editStatus().withPhase("Failed").endStatus()))
                .isEqualTo(new Answer.Lost());
        assertThat(answer(pod().editMetadata().withDeletionTimestamp(CREATED).endMetadata()))
                .isEqualTo(new Answer.Ending(Instant.parse(CREATED)));
    }

    @Test
    void aPodThatGoesAgainAndAgainIsGivenUpUnlessItsKubeletHasSpoken() {
        for (int i = 0; i < 3; i++) {
            memory.created("uid", "orders-image-pull-1");
        }
        assertThat(memory.of("uid", List.of()).givenUp()).isEmpty();

        answer(with(placed(), "job-manager", waiting("ErrImagePull")));
        memory.created("uid", "orders-image-pull-1");
        assertThat(memory.of("uid", List.of()).givenUp()).isEmpty();

        for (int i = 0; i < 3; i++) {
            memory.created("uid", "orders-image-pull-1");
        }
        assertThat(memory.of("uid", List.of()).givenUp()).contains("orders-image-pull-1");
        memory.created("uid", "orders-image-pull-2");
        assertThat(memory.of("uid", List.of()).givenUp()).isEmpty();
    }
}
