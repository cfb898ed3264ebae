// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.testkit.ApiRequests;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code spec.ingress} where the operator's configuration names a Gateway. */
class RouteIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final String NAME = "orders";
    private static final Map<String, String> GATEWAY =
            Map.of("kubernetes.operator.ingress.gateway", "edge/public#https");

    private final KubernetesClient client = API.client();
    private String namespace;

    @BeforeAll
    static void teachIt() throws IOException {
        try (var file = RouteIT.class.getResourceAsStream("/gateway/httproutes.yaml")) {
            API.client().apiextensions().v1().customResourceDefinitions().load(file).create();
        }
        await().atMost(ofSeconds(30))
                .ignoreExceptions()
                .until(
                        () ->
                                API.client()
                                        .resources(HTTPRoute.class)
                                        .inAnyNamespace()
                                        .list()
                                        .getItems()
                                        .isEmpty());
    }

    @BeforeEach
    void nameIt() {
        namespace = API.newNamespace();
    }

    @Test
    void aRouteFollowsTheSpecWithoutARestartAndGoesWhenItIsRemoved() {
        try (var _ = new RunningOperator(client, namespace, GATEWAY)) {
            create("{{name}}.example.org/{{namespace}}");
            soon(() -> assertThat(hosts()).contains("orders.example.org"));
            var route = route().orElseThrow();
            assertThat(route.getSpec().getParentRefs())
                    .singleElement()
                    .satisfies(
                            to -> {
                                assertThat(to.getNamespace()).isEqualTo("edge");
                                assertThat(to.getName()).isEqualTo("public");
                                assertThat(to.getSectionName()).isEqualTo("https");
                            });
            soon(() -> assertThat(cluster()).isPresent());
            String cluster = cluster().orElseThrow();

            edit(spec -> spec.withObject("/ingress").put("template", "{{name}}.example.com"));
            soon(() -> assertThat(hosts()).contains("orders.example.com"));

            client.resource(route().orElseThrow()).delete();
            soon(
                    () ->
                            assertThat(route())
                                    .hasValueSatisfying(
                                            found ->
                                                    assertThat(found.getMetadata().getUid())
                                                            .isNotEqualTo(
                                                                    route.getMetadata().getUid())));

            edit(spec -> spec.remove("ingress"));
            soon(() -> assertThat(route()).isEmpty());
            assertThat(cluster()).contains(cluster);
        }
    }

    @Test
    void aRouteThatStandsAsItIsToBeIsNotWrittenAgainHoweverManyPassesThereAre() {
        try (var _ = new RunningOperator(client, namespace, GATEWAY)) {
            create("{{name}}.example.org/path");
            soon(() -> assertThat(route()).isPresent());
            soon(() -> assertThat(cluster()).isPresent());
            ApiRequests before = ApiRequests.of(client);

            await().during(ofSeconds(2))
                    .atMost(ofSeconds(20))
                    .untilAsserted(
                            () ->
                                    assertThat(ApiRequests.of(client).since(before).byKind())
                                            .doesNotContainKey("APPLY httproutes")
                                            .doesNotContainKey("PATCH httproutes"));
        }
    }

    @Test
    void aRouteTakesThePlaceOfAnIngress() {
        try (var _ = new RunningOperator(client, namespace)) {
            create("{{name}}.example.org");
            soon(() -> assertThat(ingress()).isPresent());
        }

        try (var _ = new RunningOperator(client, namespace, GATEWAY)) {
            soon(() -> assertThat(hosts()).contains("orders.example.org"));
            soon(() -> assertThat(ingress()).isEmpty());
        }
    }

    @Test
    void aPathThatIsAPatternIsRefusedAndSaid() {
        try (var _ = new RunningOperator(client, namespace, GATEWAY)) {
            create("/{{name}}(/|$)(.*)");

            soon(
                    () ->
                            assertThat(
                                            client.v1()
                                                    .events()
                                                    .inNamespace(namespace)
                                                    .list()
                                                    .getItems())
                                    .filteredOn(
                                            event -> event.getReason().equals("IngressManagement"))
                                    .extracting(Event::getMessage)
                                    .anyMatch(
                                            text ->
                                                    text.startsWith(
                                                            "The HTTPRoute of spec.ingress is"
                                                                    + " refused: ")));
        }
    }

    private void create(String template) {
        var resource = new FlinkDeployment();
        resource.getMetadata().setName(NAME);
        resource.getMetadata().setNamespace(namespace);
        ObjectNode spec = Specs.application("flink:1.20", "stateless");
        spec.withObject("/ingress").put("template", template);
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

    private Optional<HTTPRoute> route() {
        return Optional.ofNullable(
                client.resources(HTTPRoute.class).inNamespace(namespace).withName(NAME).get());
    }

    private Optional<Ingress> ingress() {
        return Optional.ofNullable(
                client.network().v1().ingresses().inNamespace(namespace).withName(NAME).get());
    }

    private List<String> hosts() {
        return route().map(found -> found.getSpec().getHostnames()).orElseGet(List::of);
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
