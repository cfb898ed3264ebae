// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.deployment;

import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.ApiServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A running job whose image is changed, and a kubelet, played by the test, that pulls it first. */
class ImagePullIT {
    private static final Duration LATER = Duration.ofMinutes(1);

    @RegisterExtension static final ApiServer API = new ApiServer();

    private OperatedDeployment orders;

    @BeforeEach
    void start() {
        orders = new OperatedDeployment(API.client(), API.newNamespace(), "orders");
    }

    @AfterEach
    void stop() {
        orders.close();
    }

    private void runJob() {
        ObjectNode spec = Specs.application("flink:1.20", "stateless");
        spec.withObject("/flinkConfiguration")
                .put("kubernetes.operator.deployment.pull-image-first", "true");
        orders.create(spec);
        orders.runJob();
    }

    private List<Pod> pulls() {
        return orders.client
                .pods()
                .inNamespace(orders.namespace)
                .withLabel("type", "flink-image-pull")
                .list()
                .getItems();
    }

    private Pod pullOf(String image) {
        soon(
                () ->
                        assertThat(pulls())
                                .extracting(
                                        pod -> pod.getSpec().getContainers().getFirst().getImage())
                                .containsExactly(image));
        return pulls().getFirst();
    }

    private void answer(Pod pod, ContainerState state) {
        pod.setStatus(
                new PodStatusBuilder()
                        .withPhase("Pending")
                        .addNewCondition()
                        .withType("PodScheduled")
                        .withStatus("True")
                        .endCondition()
                        .addNewContainerStatus()
                        .withName("job-manager")
                        .withImage(pod.getSpec().getContainers().getFirst().getImage())
                        .withImageID("")
                        .withReady(false)
                        .withRestartCount(0)
                        .withState(state)
                        .endContainerStatus()
                        .build());
        orders.client.resource(pod).updateStatus();
    }

    private static ContainerState waiting(String reason, String message) {
        return new ContainerStateBuilder().withNewWaiting(message, reason).build();
    }

    private void becomesReady() {
        soon(() -> assertThat(orders.condition("Ready")).isEqualTo("True JobRunning"));
    }

    @Test
    void leavesAJobRunningAsLongAsTheImageCannotBePulledAndGoesOnOnceItIsMended() {
        runJob();
        String attempt = orders.attempt();
        String job = orders.jobId();

        orders.edit(spec -> spec.put("image", "flink:typo"));
        Pod bad = pullOf("flink:typo");
        assertThat(orders.condition("Reconciling")).isEqualTo("True PullingImage");
        answer(bad, waiting("ImagePullBackOff", "flink:typo: not found"));

        soon(() -> assertThat(orders.condition("Stalled")).isEqualTo("True ImageNotPulled"));
        assertThat(orders.message("Stalled"))
                .contains("ImagePullBackOff of flink:typo: flink:typo: not found", "spec.image");
        soon(() -> assertThat(orders.told("ImageNotPulled")).contains("flink:typo"));
        orders.restartOperator(Duration.ofDays(2));
        soon(() -> assertThat(orders.condition("Stalled")).isEqualTo("True ImageNotPulled"));
        assertThat(orders.jobStates()).containsExactly("RUNNING");
        assertThat(orders.attempt()).isEqualTo(attempt);
        assertThat(orders.jobId()).isEqualTo(job);
        orders.restartOperator();

        orders.edit(spec -> spec.put("image", "flink:mended"));
        answer(pullOf("flink:mended"), waiting("CreateContainerError", "no such command"));

        orders.replacedBy(attempt);
        soon(() -> assertThat(pulls()).isEmpty());
    }

    @Test
    void forgetsTheImageOfAnEditThatIsTakenBack() {
        runJob();
        String attempt = orders.attempt();
        orders.edit(spec -> spec.put("image", "flink:typo"));
        answer(pullOf("flink:typo"), waiting("InvalidImageName", "no such name"));
        soon(() -> assertThat(orders.condition("Stalled")).isEqualTo("True ImageNotPulled"));

        orders.edit(spec -> spec.put("image", "flink:1.20"));

        becomesReady();
        soon(() -> assertThat(pulls()).isEmpty());
        assertThat(orders.attempt()).isEqualTo(attempt);
        assertThat(orders.jobStates()).containsExactly("RUNNING");
    }

    @Test
    void pullsAgainWhereSomebodyDeletesThePod() {
        runJob();
        orders.edit(spec -> spec.put("image", "flink:typo"));
        Pod first = pullOf("flink:typo");
        answer(first, waiting("ErrImagePull", "unauthorized"));
        soon(() -> assertThat(orders.condition("Stalled")).isEqualTo("True ImageNotPulled"));

        orders.client.resource(first).withGracePeriod(0).delete();

        soon(
                () ->
                        assertThat(pulls())
                                .hasSize(1)
                                .noneMatch(
                                        pod ->
                                                pod.getMetadata()
                                                        .getUid()
                                                        .equals(first.getMetadata().getUid())));
        assertThat(orders.jobStates()).containsExactly("RUNNING");
    }

    @Test
    void goesOnWhereNoNodeTakesThePod() {
        runJob();
        String attempt = orders.attempt();
        orders.edit(spec -> spec.put("image", "flink:1.20-new"));
        Pod pod = pullOf("flink:1.20-new");
        assertThat(pod.getSpec().getVolumes()).isNullOrEmpty();
        assertThat(orders.jobStates()).containsExactly("RUNNING");

        orders.restartOperator(LATER);

        orders.replacedBy(attempt);
        soon(() -> assertThat(pulls()).isEmpty());
    }

    @Test
    void goesOnWhereTheApiServerRefusesThePod() {
        runJob();
        String attempt = orders.attempt();
        orders.client
                .resource(
                        new LimitRangeBuilder()
                                .withNewMetadata()
                                .withName("large")
                                .withNamespace(orders.namespace)
                                .endMetadata()
                                .withNewSpec()
                                .addNewLimit()
                                .withType("Container")
                                .withMin(Map.of("memory", new Quantity("1Gi")))
                                .endLimit()
                                .endSpec()
                                .build())
                .create();

        orders.edit(spec -> spec.put("image", "flink:1.20-new"));

        orders.replacedBy(attempt);
        assertThat(pulls()).isEmpty();
    }

    @Test
    void leavesNoPodOfADeletedResource() {
        runJob();
        orders.edit(spec -> spec.put("image", "flink:typo"));
        pullOf("flink:typo");

        orders.delete();

        soon(() -> assertThat(pulls()).isEmpty());
    }
}
