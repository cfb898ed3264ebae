// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.testkit.TestCluster;
import io.sluice.testkit.apiserver.ApiCall.Verb;
import io.sluice.testkit.apiserver.CallFault;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link DeleteByUid} deletes the object that was read, and no other one of its name. */
class DeleteByUidTest {
    private KubernetesClient client;
    private String namespace;

    TestCluster cluster() {
        return new InMemoryApiServer(1, InstantSource.system());
    }

    @BeforeEach
    void start() {
        TestCluster cluster = cluster();
        client = cluster.client();
        namespace = cluster.newNamespace();
    }

    @Test
    void doesNothingIfTheObjectIsGone() {
        ConfigMap found = client.resource(map()).create();
        client.resource(found).delete();

        assertThatCode(() -> new DeleteByUid(client).delete(found)).doesNotThrowAnyException();
        assertThatCode(() -> new DeleteByUid(client).freeName(found)).doesNotThrowAnyException();
    }

    @Test
    void leavesALaterObjectOfTheNameAndSaysSoIfTheNameWasToBeFree() {
        ConfigMap found = client.resource(map()).create();
        client.resource(found).delete();
        ConfigMap later = client.resource(map()).create();

        new DeleteByUid(client).delete(found);

        assertThat(client.resource(map()).get().getMetadata().getUid())
                .isEqualTo(later.getMetadata().getUid());
        assertThatThrownBy(() -> new DeleteByUid(client).freeName(found))
                .isInstanceOf(KubernetesClientException.class);
    }

    /** A proxy says so where it does not know to whom to hand the request. */
    @Test
    void takesNoObjectForGoneBecauseAnythingElseAnswersWith404() {
        InMemoryApiServer server = new InMemoryApiServer(1, InstantSource.system());
        namespace = server.newNamespace();
        ConfigMap found = server.client().resource(map()).create();
        server.faults(
                call -> call.verb() == Verb.DELETE ? new CallFault.Answer(404) : CallFault.NONE);

        assertThatThrownBy(() -> new DeleteByUid(server.client()).freeName(found))
                .isInstanceOf(KubernetesClientException.class);
        assertThatThrownBy(() -> new DeleteByUid(server.client()).delete(found))
                .isInstanceOf(KubernetesClientException.class);
    }

    private ConfigMap map() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("orders-cluster-config-map")
                .endMetadata()
                .build();
    }
}
