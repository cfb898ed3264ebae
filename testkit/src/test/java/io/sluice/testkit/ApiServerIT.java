// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ApiServerIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    @Test
    void servesOurResources(KubernetesClient client) {
        var deployment = new FlinkDeployment();
        deployment.getMetadata().setName("a");
        deployment.getMetadata().setNamespace(API.newNamespace());
        deployment
                .getSpec()
                .put("image", "flink:1.20")
                .put("flinkVersion", "v1_20")
                .put("serviceAccount", "flink");

        client.resource(deployment).create();

        assertThat(client.resources(FlinkDeployment.class).inAnyNamespace().list().getItems())
                .extracting(found -> found.getSpec().path("image").asText())
                .containsExactly("flink:1.20");
    }

    @Test
    void givesEveryTestANamespaceOfItsOwn() {
        assertThat(API.newNamespace()).isNotEqualTo(API.newNamespace());
    }
}
