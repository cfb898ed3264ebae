// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.testkit.ApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A CRD from before Sluice stays where Helm finds it: it drops what it does not know. */
class OlderCrdIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final String UNKNOWN_STATUS_FIELDS =
            "/spec/versions/0/schema/openAPIV3Schema/properties/status/x-kubernetes-preserve-unknown-fields";
    private static final ObjectNode PROBE =
            JsonNodeFactory.instance.objectNode().put("unheard-of", 1);

    private final KubernetesClient client = API.client();
    private final String namespace = API.newNamespace();

    @BeforeEach
    void forgetWhatIsNotInTheSchema() {
        create("probe");
        schema("[{'op':'remove','path':'%s'}]".replace('\'', '"'));
        awaitThatTheProbeIs(StatusStore.Saved.CUT);
    }

    /** The server is shared with other tests. */
    @AfterEach
    void rememberAgain() {
        schema("[{'op':'add','path':'%s','value':true}]".replace('\'', '"'));
        awaitThatTheProbeIs(StatusStore.Saved.KEPT);
    }

    @Test
    void nothingIsDoneWhileTheStatusIsNotKept() {
        try (var _ = new RunningOperator(client, namespace)) {
            create("orders");

            await().atMost(ofSeconds(30))
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    client.v1()
                                                            .events()
                                                            .inNamespace(namespace)
                                                            .list()
                                                            .getItems())
                                            .anySatisfy(
                                                    event ->
                                                            assertThat(event.getReason())
                                                                    .isEqualTo("StatusNotKept")));
            await().during(ofSeconds(3))
                    .atMost(ofSeconds(10))
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    client.apps()
                                                            .deployments()
                                                            .inNamespace(namespace)
                                                            .list()
                                                            .getItems())
                                            .isEmpty());
        }
    }

    private void schema(String patch) {
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("flinkdeployments.flink.apache.org")
                .patch(PatchContext.of(PatchType.JSON), patch.formatted(UNKNOWN_STATUS_FIELDS));
    }

    private void awaitThatTheProbeIs(StatusStore.Saved saved) {
        await().atMost(ofSeconds(60))
                .untilAsserted(
                        () ->
                                assertThat(StatusStore.compare(PROBE, stored("probe", PROBE)))
                                        .isEqualTo(saved));
    }

    private ObjectNode stored(String name, ObjectNode status) {
        FlinkDeployment resource =
                client.resources(FlinkDeployment.class).inNamespace(namespace).withName(name).get();
        resource.setStatus(status.deepCopy());
        return client.resource(resource).updateStatus().getStatus();
    }

    private void create(String name) {
        FlinkDeployment resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace(namespace).build());
        resource.setSpec(Specs.application("flink:1.20", "stateless"));
        client.resource(resource).create();
    }
}
