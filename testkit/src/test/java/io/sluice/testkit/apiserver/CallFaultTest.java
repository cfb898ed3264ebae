// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.testkit.TestCluster;
import io.sluice.testkit.apiserver.ApiCall.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One fault a call, and hooks that refuse. */
class CallFaultTest implements ApiServerContract {
    private final InMemoryApiServer server = new InMemoryApiServer(1, InMemoryApiServerTest.CLOCK);

    @Override
    public TestCluster cluster() {
        return server;
    }

    @BeforeEach
    void start() {
        server.createNamespace("shop");
    }

    private void create() {
        client().resource(map("shop", "a", Map.of())).create();
    }

    private ConfigMap found() {
        server.faults(_ -> CallFault.NONE);
        return now(map("shop", "a", Map.of()));
    }

    @Test
    void aRequestThatIsLostDoesNothing() {
        server.faults(_ -> new CallFault.RequestLost());

        assertThatThrownBy(this::create).isInstanceOf(KubernetesClientException.class);

        assertThat(found()).isNull();
    }

    @Test
    void aReplyThatIsLostLeavesWhatWasDone() {
        server.faults(_ -> new CallFault.ReplyLost());

        assertThatThrownBy(this::create).isInstanceOf(KubernetesClientException.class);

        assertThat(found()).isNotNull();
    }

    @Test
    void aLateCallIsCarriedOutWhenNobodyWaitsForItAnyMore() {
        server.faults(_ -> new CallFault.Late());
        assertThatThrownBy(this::create).isInstanceOf(KubernetesClientException.class);
        assertThat(found()).isNull();

        server.carryOutLateCalls();

        assertThat(found()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void anAnswerWithAnErrorDoesNothingAndIsNotRepeated(int code) {
        List<String> calls = new ArrayList<>();
        server.faults(
                call -> {
                    calls.add(call.toString());
                    return new CallFault.Answer(code);
                });

        refusal(this::create, code);

        assertThat(calls).containsExactly("CREATE configmaps shop/");
        assertThat(found()).isNull();
    }

    @Test
    void aQuotaRefusesWhatIsTooMuch() {
        server.admit(
                (call, object) -> {
                    if (call.verb() == Verb.CREATE) {
                        throw ApiRefusal.forbidden(
                                call, object.at("/metadata/name").asText(), "exceeded quota: maps");
                    }
                });

        KubernetesClientException refused = refusal(this::create, 403);

        assertThat(refused.getMessage()).contains("exceeded quota");
        assertThat(found()).isNull();
    }

    @Test
    void anAdmissionMayChangeWhatIsStored() {
        server.admit((_, object) -> object.withObject("/metadata/labels").put("by", "admission"));

        create();

        assertThat(found().getMetadata().getLabels()).containsEntry("by", "admission");
    }

    @Test
    void callsAreCountedAsTheRealServerCountsThem() {
        create();
        now(map("shop", "a", Map.of()));

        assertThat(client().raw("/metrics"))
                .contains(
                        "apiserver_request_total{verb=\"POST\",resource=\"configmaps\",subresource=\"\"} 1",
                        "apiserver_request_total{verb=\"GET\",resource=\"configmaps\",subresource=\"\"} 1");
    }
}
