// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.testkit.ApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A CRD from before Sluice stays where Helm finds it: it drops what it does not know. */
class OlderCrdIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private final KubernetesClient client = API.client();
    private final String namespace = API.newNamespace();

    @Test
    void nothingIsDoneWhileTheStatusIsNotKept() {
        forgetUnknownStatusFields();
        ObjectNode probe = JsonNodeFactory.instance.objectNode().put("unheard-of", 1);
        create("probe");
        await().atMost(ofSeconds(60))
                .untilAsserted(
                        () ->
                                assertThat(StatusStore.compare(probe, stored("probe", probe)))
                                        .isEqualTo(StatusStore.Saved.CUT));
        client.resources(FlinkDeployment.class).inNamespace(namespace).withName("probe").delete();

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

    private void forgetUnknownStatusFields() {
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("flinkdeployments.flink.apache.org")
                .edit(
                        crd -> {
                            crd.getSpec()
                                    .getVersions()
                                    .getFirst()
                                    .getSchema()
                                    .getOpenAPIV3Schema()
                                    .getProperties()
                                    .get("status")
                                    .setXKubernetesPreserveUnknownFields(false);
                            return crd;
                        });
    }

    private ObjectNode stored(String name, ObjectNode status) {
        return client.resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName(name)
                .editStatus(
                        resource -> {
                            resource.setStatus(status.deepCopy());
                            return resource;
                        })
                .getStatus();
    }

    private void create(String name) {
        FlinkDeployment resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace(namespace).build());
        resource.setSpec(Specs.application("flink:1.20", "stateless"));
        client.resource(resource).create();
    }
}
