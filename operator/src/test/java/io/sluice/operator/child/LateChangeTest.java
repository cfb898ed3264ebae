// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.operator.leadership.LeadershipGuard;
import io.sluice.testkit.apiserver.ApiCall.Verb;
import io.sluice.testkit.apiserver.CallFault;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** A request of a process that has ended may be carried out after the next one has gone on. */
class LateChangeTest {
    private final InMemoryApiServer server = new InMemoryApiServer(1, InstantSource.system());
    private final KubernetesClient client = server.client();
    private final String namespace = server.newNamespace();
    private final ChildObjects former = new ChildObjects(client);

    @Test
    void changesNothingThatAnotherProcessHasWritten() {
        former.put(configuration("first"));
        server.faults(call -> call.verb() == Verb.PATCH ? new CallFault.Late() : CallFault.NONE);
        assertThatThrownBy(() -> former.put(configuration("second")))
                .isInstanceOf(KubernetesClientException.class);
        server.faults(_ -> CallFault.NONE);
        new ChildObjects(client).put(configuration("third"));

        server.carryOutLateCalls();

        assertThat(stored().getData()).isEqualTo(Map.of("config.yaml", "third"));
    }

    /** It has stood still since it found the name taken, and reads what is there by now. */
    @Test
    void changesNothingOnceAnotherProcessLeads() {
        new ChildObjects(client).put(configuration("first"));
        new ChildObjects(client).put(configuration("second"));
        var stoodStill =
                new ChildObjects(
                        client,
                        Executors::newVirtualThreadPerTaskExecutor,
                        () -> new LeadershipGuard(() -> false).check());

        assertThatThrownBy(() -> stoodStill.putAll(List.of(configuration("first"))))
                .isInstanceOf(LeadershipGuard.NotLeading.class);

        assertThat(stored().getData()).isEqualTo(Map.of("config.yaml", "second"));
    }

    @Test
    void isCarriedOutWhereNobodyHasWrittenSince() {
        former.put(configuration("first"));
        server.faults(call -> call.verb() == Verb.PATCH ? new CallFault.Late() : CallFault.NONE);
        assertThatThrownBy(() -> former.put(configuration("second")))
                .isInstanceOf(KubernetesClientException.class);
        server.faults(_ -> CallFault.NONE);

        server.carryOutLateCalls();
        assertThat(stored().getData()).isEqualTo(Map.of("config.yaml", "second"));

        former.put(configuration("third"));
        assertThat(stored().getData()).isEqualTo(Map.of("config.yaml", "third"));
    }

    private ConfigMap stored() {
        return client.resource(configuration("")).get();
    }

    private ConfigMap configuration(String content) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("flink-config-orders")
                .withOwnerReferences(
                        new OwnerReferenceBuilder()
                                .withApiVersion("flink.apache.org/v1beta1")
                                .withKind("FlinkDeployment")
                                .withName("orders")
                                .withUid("0c4b7b5e-5d5c-4b1e-9f3a-0d9d7a9f2c11")
                                .build())
                .endMetadata()
                .withData(Map.of("config.yaml", content))
                .build();
    }
}
