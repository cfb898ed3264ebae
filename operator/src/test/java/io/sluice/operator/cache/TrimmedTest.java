// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.operator.pace.Spread;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TrimmedTest {
    @Test
    void aDeploymentKeepsWhatTellsItsAttemptAndItsState() {
        Deployment whole =
                new DeploymentBuilder()
                        .withNewMetadata()
                        .withName("orders")
                        .withUid("u1")
                        .addToLabels("app", "orders")
                        .addToLabels("team", "shop")
                        .addToAnnotations("flinkdeployment.flink.apache.org/attempt", "a1")
                        .addToAnnotations("example.org/note", "long")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(2)
                        .withNewTemplate()
                        .endTemplate()
                        .endSpec()
                        .withNewStatus()
                        .withAvailableReplicas(1)
                        .endStatus()
                        .build();

        Deployment kept = Trimmed.deployment(whole);

        assertThat(kept.getMetadata().getUid()).isEqualTo("u1");
        assertThat(kept.getMetadata().getLabels()).containsOnlyKeys("app");
        assertThat(kept.getMetadata().getAnnotations())
                .containsOnlyKeys("flinkdeployment.flink.apache.org/attempt");
        assertThat(kept.getSpec().getReplicas()).isEqualTo(2);
        assertThat(kept.getSpec().getTemplate()).isNull();
        assertThat(kept.getStatus().getAvailableReplicas()).isEqualTo(1);
    }

    @Test
    void whatIsToGoKeepsWhatMayHoldItBack() {
        Pod running =
                new PodBuilder()
                        .withNewMetadata()
                        .withName("orders-1")
                        .addToFinalizers("example.com/held")
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName("n1")
                        .withHostname("orders")
                        .endSpec()
                        .build();
        Pod ending =
                new PodBuilder(running)
                        .editMetadata()
                        .withDeletionTimestamp("2026-01-01T00:00:00Z")
                        .endMetadata()
                        .build();

        assertThat(Trimmed.pod(running).getSpec()).isNull();
        assertThat(Trimmed.pod(running).getMetadata().getFinalizers()).isEmpty();
        assertThat(Trimmed.pod(ending).getSpec().getNodeName()).isEqualTo("n1");
        assertThat(Trimmed.pod(ending).getSpec().getHostname()).isNull();
        assertThat(Trimmed.pod(ending).getMetadata().getFinalizers())
                .containsExactly("example.com/held");
    }

    /** Anyone who may edit ConfigMaps of a namespace can write as many as its quota allows. */
    @Test
    void aConfigMapOfTheAutoscalerKeepsNothingThatIsTooLongToBeRead() {
        ConfigMap whole =
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("autoscaler-orders")
                        .endMetadata()
                        .addToData("parallelismOverrides", "a:1,".repeat(100_000))
                        .addToData("configOverrides", "overrides: {}")
                        .addToData("collectedMetrics", "H4sI")
                        .build();

        assertThat(Trimmed.overrides(whole).getData())
                .isEqualTo(Map.of("configOverrides", "overrides: {}"));
    }

    @Test
    void aPodKeepsItsTroublesAndNothingElse() {
        Pod whole =
                new PodBuilder()
                        .withNewMetadata()
                        .withName("orders-1")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("main")
                        .endContainer()
                        .endSpec()
                        .withNewStatus()
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("False")
                        .endCondition()
                        .addNewCondition()
                        .withType("PodScheduled")
                        .withStatus("False")
                        .endCondition()
                        .addNewContainerStatus()
                        .withName("main")
                        .withNewState()
                        .withNewWaiting("no such image", "ErrImagePull")
                        .endState()
                        .endContainerStatus()
                        .addNewContainerStatus()
                        .withName("sidecar")
                        .endContainerStatus()
                        .endStatus()
                        .build();

        Pod kept = Trimmed.pod(whole);

        assertThat(kept.getSpec()).isNull();
        assertThat(kept.getStatus().getConditions())
                .singleElement()
                .satisfies(it -> assertThat(it.getType()).isEqualTo("PodScheduled"));
        assertThat(kept.getStatus().getContainerStatuses())
                .singleElement()
                .satisfies(it -> assertThat(it.getName()).isEqualTo("main"));
    }

    @Test
    void ofAContainerThatWasKilledForItsMemoryAPodKeepsWhenAndNoMore() {
        Pod whole =
                new PodBuilder()
                        .withNewMetadata()
                        .endMetadata()
                        .withNewStatus()
                        .addNewContainerStatus()
                        .withName("main")
                        .withImage("flink")
                        .withNewState()
                        .withNewRunning()
                        .endRunning()
                        .endState()
                        .withNewLastState()
                        .withNewTerminated()
                        .withExitCode(137)
                        .withReason("OOMKilled")
                        .withFinishedAt("2026-01-01T00:00:00Z")
                        .withMessage("log")
                        .endTerminated()
                        .endLastState()
                        .endContainerStatus()
                        .addNewContainerStatus()
                        .withName("sidecar")
                        .withNewLastState()
                        .withNewTerminated()
                        .withReason("Error")
                        .endTerminated()
                        .endLastState()
                        .endContainerStatus()
                        .endStatus()
                        .build();

        assertThat(Trimmed.pod(whole).getStatus().getContainerStatuses())
                .singleElement()
                .satisfies(
                        it -> {
                            assertThat(it.getName()).isEqualTo("main");
                            assertThat(it.getImage()).isNull();
                            var end = it.getLastState().getTerminated();
                            assertThat(end.getReason()).isEqualTo("OOMKilled");
                            assertThat(end.getFinishedAt()).isEqualTo("2026-01-01T00:00:00Z");
                            assertThat(end.getMessage()).isNull();
                        });
    }

    @Test
    void aNextLookIsSpreadByATenthAndAShortWaitStays() {
        Spread spread = new Spread(new Random(1));

        assertThat(spread.around(Duration.ofSeconds(60)))
                .isBetween(Duration.ofSeconds(54), Duration.ofSeconds(66))
                .isNotEqualTo(spread.around(Duration.ofSeconds(60)));
        assertThat(spread.around(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1));
    }
}
