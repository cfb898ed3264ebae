// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import static io.sluice.testkit.Soon.soon;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.system.Kubectl;
import io.sluice.operator.system.OperatorAccount;
import io.sluice.testkit.ApiServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pairs as a real API server stores them and their halves. */
class BlueGreenIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private final KubernetesClient client = API.client();
    private final String namespace = API.newNamespace();
    @RegisterExtension final ServedPair pair = new ServedPair(client, namespace);

    /** With another process of the operator for each step, or with the same one. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void goesOverToTheOtherHalfAndRemovesTheFormerOne(boolean isKilled) {
        pair.create();
        pair.run("orders-blue");
        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        FlinkDeployment blue = pair.half("blue").orElseThrow();
        assertThat(blue.getMetadata().getLabels())
                .containsEntry("flink/blue-green-deployment-type", "BLUE");
        assertThat(blue.getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getController()).isTrue())
                .satisfies(owner -> assertThat(owner.getBlockOwnerDeletion()).isFalse());
        pair.restart(isKilled);

        pair.edit(spec -> spec.put("image", "flink:1.20-2"));
        soon(() -> assertThat(pair.half("green")).isPresent());
        pair.restart(isKilled);
        String path =
                pair.status()
                        .transition()
                        .orElseThrow()
                        .savepoint()
                        .orElseThrow()
                        .path()
                        .orElseThrow();
        assertThat(
                        pair.half("green")
                                .orElseThrow()
                                .getSpec()
                                .at("/job/initialSavepointPath")
                                .asText())
                .isEqualTo(path.startsWith("file:") ? path.substring("file:".length()) : path);
        assertThat(pair.half("blue").orElseThrow().getSpec()).isEqualTo(blue.getSpec());

        pair.run("orders-green");
        soon(() -> assertThat(pair.isLeaving("blue")).isTrue());
        pair.restart(isKilled);
        pair.gone("blue");
        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_GREEN RUNNING JobRunning"));
        assertThat(pair.messages("Promoted")).isNotEmpty();
        pair.staysAsItIs();
    }

    @Test
    void abortsAHalfThatDoesNotComeUpAndMakesItAnewForTheNextSpec() {
        pair.create();
        pair.run("orders-blue");
        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        pair.edit(spec -> spec.put("image", "flink:none"));
        soon(() -> assertThat(pair.half("green")).isPresent());
        String aborted = pair.half("green").orElseThrow().getMetadata().getUid();

        pair.passes(Duration.ofMinutes(11));

        soon(
                () ->
                        assertThat(
                                        pair.half("green")
                                                .orElseThrow()
                                                .getSpec()
                                                .at("/job/state")
                                                .asText())
                                .isEqualTo("suspended"));
        pair.finish("orders-green");
        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_BLUE FAILING TransitionFailed"));
        assertThat(pair.half("blue").orElseThrow().getSpec().at("/job/state").asText())
                .isEqualTo("running");

        pair.edit(spec -> spec.put("image", "flink:1.20-2"));
        pair.gone("green", aborted);
        soon(() -> assertThat(pair.half("green")).isPresent());
        pair.run("orders-green");
        soon(() -> assertThat(pair.isLeaving("blue")).isTrue());
    }

    /** The next process repeats what the status says, with no more rights than the chart gives. */
    @Test
    void makesTheHalfThatIsOnRecordThoughTheOperatorEndedBeforeItWasMade() {
        pair.create();
        pair.run("orders-blue");
        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        pair.edit(spec -> spec.put("image", "flink:1.20-2"));
        soon(() -> assertThat(pair.half("green")).isPresent());
        pair.endOperator();
        pair.remove("green");
        soon(() -> assertThat(pair.half("green")).isEmpty());

        try (KubernetesClient role =
                        OperatorAccount.in(API, namespace).serving(namespace).client();
                var _ = pair.operatorOf(role)) {
            soon(() -> assertThat(pair.half("green")).isPresent());
        }
    }

    /** No controller counts here, so that the test says what it would have counted. */
    @Test
    void beginsNoTransitionThatTheQuotaOfTheNamespaceHasNoRoomFor() {
        ResourceQuota quota = counted("team", "3", "2");
        pair.create();
        pair.run("orders-blue");
        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        ObjectNode before = pair.half("blue").orElseThrow().getSpec();

        pair.edit(spec -> spec.put("image", "flink:1.20-2"));

        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_BLUE RUNNING NoRoomForBoth"));
        assertThat(pair.status().condition("Stalled").orElseThrow().message())
                .contains("ResourceQuota 'team' leaves 1 of pods, and a second half takes 2.");
        soon(() -> assertThat(pair.messages("NoRoomForBoth")).hasSize(1));
        assertThat(pair.messages("TransitionStarted")).isEmpty();
        assertThat(pair.half("green")).isEmpty();
        assertThat(pair.half("blue").orElseThrow().getSpec()).isEqualTo(before);
        pair.staysAsItIs();

        client.resource(withStatus(quota, "4", "2")).updateStatus();
        soon(() -> assertThat(pair.half("green")).isPresent());
        pair.run("orders-green");
        soon(() -> assertThat(pair.isLeaving("blue")).isTrue());
        pair.gone("blue");
        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_GREEN RUNNING JobRunning"));
    }

    private ResourceQuota counted(String name, String hard, String used) {
        ResourceQuota created =
                client.resource(
                                new ResourceQuotaBuilder()
                                        .withNewMetadata()
                                        .withName(name)
                                        .withNamespace(namespace)
                                        .endMetadata()
                                        .withNewSpec()
                                        .addToHard("pods", new Quantity(hard))
                                        .endSpec()
                                        .build())
                        .create();
        return client.resource(withStatus(created, hard, used)).updateStatus();
    }

    private static ResourceQuota withStatus(ResourceQuota quota, String hard, String used) {
        return new ResourceQuotaBuilder(quota)
                .withNewStatus()
                .addToHard("pods", new Quantity(hard))
                .addToUsed("pods", new Quantity(used))
                .endStatus()
                .build();
    }

    @Test
    void leavesAFlinkDeploymentOfSomebodyElseAlone() {
        var foreign = new FlinkDeployment();
        foreign.getMetadata().setNamespace(namespace);
        foreign.getMetadata().setName("orders-blue");
        foreign.setSpec(Specs.saving(Specs.application("flink:1.20", "stateless")));
        client.resource(foreign).create();

        pair.create();

        soon(() -> assertThat(pair.reason()).isEqualTo("NameOccupied"));
        assertThat(pair.half("blue").orElseThrow().getMetadata().getOwnerReferences()).isEmpty();
    }

    @Test
    void suspendsAndResumesInPlace() {
        pair.create();
        pair.run("orders-blue");
        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        String uid = pair.half("blue").orElseThrow().getMetadata().getUid();

        pair.edit(spec -> spec.withObject("/job").put("state", "suspended"));

        pair.finish("orders-blue");
        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_BLUE SUSPENDED Suspended"));
        assertThat(pair.half("green")).isEmpty();
        pair.edit(spec -> spec.withObject("/job").put("state", "running"));
        pair.run("orders-blue");
        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        assertThat(pair.half("blue").orElseThrow().getMetadata().getUid()).isEqualTo(uid);
    }

    @Test
    void letsADeletedPairGoAtOnceAndMakesNoHalfAgain() {
        pair.create();
        soon(() -> assertThat(pair.half("blue")).isPresent());

        new Kubectl(client, namespace).delete(FlinkBlueGreenDeployment.class, "orders");

        soon(() -> assertThat(pair.resource()).isEmpty());
        client.resource(pair.half("blue").orElseThrow()).delete();
        pair.finish("orders-blue");
        pair.gone("blue");
        await().during(ofSeconds(1))
                .atMost(ofSeconds(20))
                .untilAsserted(() -> assertThat(pair.half("blue")).isEmpty());
    }
}
