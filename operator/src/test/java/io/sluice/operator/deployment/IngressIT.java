// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.testkit.ApiServer;
import java.util.Optional;
import java.util.function.Consumer;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class IngressIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final String NAME = "orders";

    private KubernetesClient client;
    private String namespace;
    private RunningOperator operator;

    @BeforeEach
    void start() {
        client = API.client();
        namespace = API.newNamespace();
        operator = new RunningOperator(client, namespace);
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void followsTheSpecWithoutARestartAndGoesWhenItIsRemoved() {
        create(spec -> spec.withObject("/ingress").put("template", "{{name}}.example.org"));
        soon(() -> assertThat(host()).contains("orders.example.org"));
        soon(() -> assertThat(cluster()).isPresent());
        String cluster = cluster().orElseThrow();

        edit(spec -> spec.withObject("/ingress").put("template", "{{name}}.example.com"));

        soon(() -> assertThat(host()).contains("orders.example.com"));
        edit(spec -> spec.withObject("/ingress").putObject("annotations").put("a.example/b", "c"));
        soon(
                () ->
                        assertThat(ingress().orElseThrow().getMetadata().getAnnotations())
                                .containsEntry("a.example/b", "c"));
        edit(spec -> ((ObjectNode) spec.path("ingress")).remove("annotations"));
        soon(
                () ->
                        assertThat(ingress().orElseThrow().getMetadata().getAnnotations())
                                .doesNotContainKey("a.example/b"));
        edit(spec -> spec.remove("ingress"));
        soon(() -> assertThat(ingress()).isEmpty());
        assertThat(cluster()).contains(cluster);
    }

    @Test
    void isMadeAnewWhenSomebodyDeletedOrChangedIt() {
        create(spec -> spec.withObject("/ingress").put("template", "{{name}}.example.org"));
        soon(() -> assertThat(ingress()).isPresent());
        String uid = ingress().orElseThrow().getMetadata().getUid();

        client.resource(ingress().orElseThrow()).delete();

        soon(
                () ->
                        assertThat(ingress())
                                .hasValueSatisfying(
                                        found ->
                                                assertThat(found.getMetadata().getUid())
                                                        .isNotEqualTo(uid)));
        client.resource(ingress().orElseThrow())
                .edit(
                        found -> {
                            found.getSpec().getRules().getFirst().setHost("else.example.org");
                            return found;
                        });
        soon(() -> assertThat(host()).contains("orders.example.org"));
    }

    @Test
    void leavesAnIngressOfSomebodyElseAloneAndSaysSo() {
        client.resource(
                        new IngressBuilder()
                                .withNewMetadata()
                                .withName(NAME)
                                .withNamespace(namespace)
                                .endMetadata()
                                .withNewSpec()
                                .addNewRule()
                                .withHost("theirs.example.org")
                                .endRule()
                                .endSpec()
                                .build())
                .create();

        create(spec -> spec.withObject("/ingress").put("template", "{{name}}.example.org"));

        soon(
                () ->
                        assertThat(client.v1().events().inNamespace(namespace).list().getItems())
                                .extracting(Event::getReason)
                                .contains("IngressManagement"));
        assertThat(host()).contains("theirs.example.org");
    }

    private void create(Consumer<ObjectNode> more) {
        var resource = new FlinkDeployment();
        resource.getMetadata().setName(NAME);
        resource.getMetadata().setNamespace(namespace);
        ObjectNode spec = Specs.application("flink:1.20", "stateless");
        more.accept(spec);
        resource.setSpec(spec);
        client.resource(resource).create();
    }

    private void edit(Consumer<ObjectNode> change) {
        new Kubectl(client, namespace)
                .edit(
                        FlinkDeployment.class,
                        NAME,
                        spec -> {
                            change.accept(spec);
                            return spec;
                        });
    }

    private Optional<Ingress> ingress() {
        return Optional.ofNullable(
                client.network().v1().ingresses().inNamespace(namespace).withName(NAME).get());
    }

    private Optional<String> host() {
        return ingress().map(found -> found.getSpec().getRules().getFirst().getHost());
    }

    private Optional<String> cluster() {
        return new Kubelet(client, namespace)
                .deployment(NAME)
                .map(found -> found.getMetadata().getUid());
    }

    private static void soon(ThrowingRunnable assertion) {
        await().atMost(ofSeconds(30)).untilAsserted(assertion);
    }
}
