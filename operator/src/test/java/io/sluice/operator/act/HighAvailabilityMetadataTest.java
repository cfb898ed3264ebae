// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.act;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.manifest.ClusterPlan;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a JobManager of a former attempt writes after the metadata were read. */
class HighAvailabilityMetadataTest {
    private static final String NAME = "orders";
    private static final String SHARED = NAME + "-cluster-config-map";

    private final InMemoryApiServer server = new InMemoryApiServer(1, InstantSource.system());
    private final KubernetesClient client = server.client();
    private final String namespace = server.newNamespace();

    /** The JobManager would go on with the job whose graph the new ConfigMap has. */
    @Test
    void startsNothingBesideAConfigMapThatWasWrittenAnewSinceItWasRead() {
        ConfigMap read = write("jobGraph-1");
        HighAvailabilityMetadata left = HighAvailabilityMetadata.of(client, fromNothing());
        client.resource(read).delete();
        ConfigMap later = write("jobGraph-2");

        assertThatThrownBy(left::prepare)
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        fault ->
                                assertThat(fault.getCode())
                                        .isEqualTo(HttpURLConnection.HTTP_CONFLICT));
        assertThat(client.resource(later).get().getData()).containsKey("jobGraph-2");

        assertThat(HighAvailabilityMetadata.of(client, fromNothing()).prepare()).isEmpty();
        assertThat(client.configMaps().inNamespace(namespace).list().getItems()).isEmpty();
    }

    @Test
    void startsWithoutOneThatSomebodyHasDeletedSinceItWasRead() {
        ConfigMap read = write("jobGraph-1");
        HighAvailabilityMetadata left = HighAvailabilityMetadata.of(client, fromNothing());
        client.resource(read).delete();

        assertThat(left.prepare()).isEmpty();
    }

    private ConfigMap write(String key) {
        return client.resource(
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName(SHARED)
                                .withNamespace(namespace)
                                .withLabels(Map.of("app", NAME, "type", "flink-native-kubernetes"))
                                .endMetadata()
                                .withData(Map.of(key, "graph"))
                                .build())
                .create();
    }

    private ClusterPlan fromNothing() {
        return TestPlans.fromNothing(
                namespace,
                NAME,
                Specs.highlyAvailable(Specs.application("flink:1.20", "stateless")));
    }
}
