// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.ingress;

import static io.sluice.testkit.Soon.soon;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.operator.system.ExposedJob;
import io.sluice.operator.system.RunningOperator;
import io.sluice.testkit.ApiRequests;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code spec.ingress} where the operator's configuration names a Gateway. */
class RouteIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final Map<String, String> GATEWAY =
            Map.of("kubernetes.operator.ingress.gateway", "edge/public#https");

    private final KubernetesClient client = API.client();
    private String namespace;
    private ExposedJob job;

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
        job = new ExposedJob(client, namespace);
    }

    @Test
    void aRouteFollowsTheSpecWithoutARestartAndGoesWhenItIsRemoved() {
        try (var _ = new RunningOperator(client, namespace, GATEWAY)) {
            job.create("{{name}}.example.org/{{namespace}}");
            soon(() -> assertThat(hosts()).contains("orders.example.org"));
            var route = job.route().orElseThrow();
            assertThat(route.getSpec().getParentRefs())
                    .singleElement()
                    .satisfies(
                            to -> {
                                assertThat(to.getNamespace()).isEqualTo("edge");
                                assertThat(to.getName()).isEqualTo("public");
                                assertThat(to.getSectionName()).isEqualTo("https");
                            });
            soon(() -> assertThat(job.cluster()).isPresent());
            String cluster = job.cluster().orElseThrow();

            job.edit(spec -> spec.withObject("/ingress").put("template", "{{name}}.example.com"));
            soon(() -> assertThat(hosts()).contains("orders.example.com"));

            client.resource(job.route().orElseThrow()).delete();
            soon(
                    () ->
                            assertThat(job.route())
                                    .hasValueSatisfying(
                                            found ->
                                                    assertThat(found.getMetadata().getUid())
                                                            .isNotEqualTo(
                                                                    route.getMetadata().getUid())));

            job.edit(spec -> spec.remove("ingress"));
            soon(() -> assertThat(job.route()).isEmpty());
            assertThat(job.cluster()).contains(cluster);
        }
    }

    @Test
    void aRouteThatStandsAsItIsToBeIsNotWrittenAgainHoweverManyPassesThereAre() {
        try (var _ = new RunningOperator(client, namespace, GATEWAY)) {
            job.create("{{name}}.example.org/path");
            soon(() -> assertThat(job.route()).isPresent());
            soon(() -> assertThat(job.cluster()).isPresent());
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
            job.create("{{name}}.example.org");
            soon(() -> assertThat(job.ingress()).isPresent());
        }

        try (var _ = new RunningOperator(client, namespace, GATEWAY)) {
            soon(() -> assertThat(hosts()).contains("orders.example.org"));
            soon(() -> assertThat(job.ingress()).isEmpty());
        }
    }

    @Test
    void aPathThatIsAPatternIsRefusedAndSaid() {
        try (var _ = new RunningOperator(client, namespace, GATEWAY)) {
            job.create("/{{name}}(/|$)(.*)");

            soon(
                    () ->
                            assertThat(job.told())
                                    .anyMatch(
                                            text ->
                                                    text.startsWith(
                                                            "The HTTPRoute of spec.ingress is"
                                                                    + " refused: ")));
        }
    }

    private List<String> hosts() {
        return job.route().map(found -> found.getSpec().getHostnames()).orElseGet(List::of);
    }
}
