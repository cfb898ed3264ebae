// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.config.Namespaces;
import io.sluice.operator.config.Watched;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.ApiServer;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class NamespacesIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private KubernetesClient client;
    private String old;
    private String other;
    private RunningOperator operator;

    @BeforeEach
    void start() {
        client = API.client();
        old = API.newNamespace();
        other = API.newNamespace();
        operator = new RunningOperator(client, new Watched(Set.of(old), true));
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void takesUpWhatWasThereBeforeItCame() {
        create(other, "orders");
        create(old, "orders");
        soon(() -> assertThat(kubelet(old).deployment("orders")).isPresent());
        assertThat(kubelet(other).deployment("orders")).isEmpty();

        try (var namespaces = new Namespaces(Set.of(old), operator::watch)) {
            namespaces.change(Set.of(old, other));

            soon(() -> assertThat(kubelet(other).deployment("orders")).isPresent());
            create(other, "more");
            soon(() -> assertThat(kubelet(other).deployment("more")).isPresent());
            client.resource(kubelet(other).deployment("orders").orElseThrow()).delete();
            soon(() -> assertThat(kubelet(other).deployment("orders")).isPresent());

            namespaces.change(Set.of(other));
            create(old, "late");
            soon(() -> assertThat(kubelet(old).deployment("late")).isPresent());
        }
    }

    @Test
    void followsALabel() {
        create(other, "orders");
        try (var namespaces = new Namespaces(Set.of(old), operator::watch)) {
            namespaces.select(client, "sluice-test=" + other);

            client.namespaces()
                    .withName(other)
                    .edit(
                            found ->
                                    new NamespaceBuilder(found)
                                            .editMetadata()
                                            .addToLabels("sluice-test", other)
                                            .endMetadata()
                                            .build());

            soon(() -> assertThat(kubelet(other).deployment("orders")).isPresent());
        }
    }

    private Kubelet kubelet(String namespace) {
        return new Kubelet(client, namespace);
    }

    private void create(String namespace, String name) {
        var resource = new FlinkDeployment();
        resource.getMetadata().setName(name);
        resource.getMetadata().setNamespace(namespace);
        resource.setSpec(Specs.application("flink:1.20", "stateless"));
        client.resource(resource).create();
    }
}
