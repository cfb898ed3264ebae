// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.bluegreen.StartOverrides;
import io.sluice.autoscaler.flink.FlinkReplies;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The halves of a blue/green pair, as the operator makes them, and the autoscaler's process. */
class PairsIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final String SCALED = FlinkReplies.LOAD + ":1," + FlinkReplies.WORK + ":2";

    private final HttpClient http = HttpClient.newHttpClient();
    private final FlinkReplies flink = new FlinkReplies();
    private String namespace;
    private Service service;
    private FlinkBlueGreenDeployment pair;

    @BeforeEach
    void start() {
        namespace = API.newNamespace();
        var made = new FlinkBlueGreenDeployment();
        made.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName("orders").build());
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("template").set("spec", ScaledJob.spec(true));
        made.setSpec(spec);
        pair = API.client().resource(made).create();
        service = ServiceIT.start(API, namespace, flink);
    }

    @AfterEach
    void stop() {
        service.close();
        flink.close();
    }

    @Test
    void handsOverWhatItKnowsBeforeTheNewHalfRunsAndRescalesNeitherHalfUntilThen() {
        flink.load(1000, 990);
        create("orders-blue", Map.of(), "STABLE");
        soon(() -> assertThat(stored("orders-blue")).containsEntry("parallelismOverrides", SCALED));
        transition("TRANSITIONING_TO_GREEN", "Starting");

        FlinkDeployment green = create("orders-green", Map.of(), "UPGRADING");

        soon(
                () ->
                        assertThat(stored("orders-green"))
                                .containsEntry("parallelismOverrides", SCALED)
                                .containsKeys("governorRescales", "governorResetNonce")
                                .doesNotContainKey("collectedMetrics"));
        assertThat(map("orders-green").orElseThrow().getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(
                        owner ->
                                assertThat(owner.getUid()).isEqualTo(green.getMetadata().getUid()));
        assertThat(stored("orders-blue"))
                .as("it goes on itself if the transition is aborted")
                .containsEntry("parallelismOverrides", SCALED);
    }

    @Test
    void rescalesAHalfOnlyOnceTheTransitionHasEnded() {
        flink.load(1000, 990);
        transition("TRANSITIONING_TO_GREEN", "Approval");
        create("orders-blue", Map.of(), "STABLE");

        soon(() -> assertThat(explained("orders-blue")).contains("PAIR_IN_TRANSITION"));
        assertThat(stored("orders-blue")).doesNotContainKey("parallelismOverrides");

        transition("ACTIVE_BLUE", "Ended");
        soon(() -> assertThat(stored("orders-blue")).containsEntry("parallelismOverrides", SCALED));
    }

    /** While no autoscaler ran, the former half went, and its ConfigMap with it. */
    @Test
    void goesOnFromTheSizeThatAHalfWasStartedWithIfTheFormerOneIsGone() {
        create(
                "orders-green",
                StartOverrides.annotations(Map.of("parallelismOverrides", SCALED)),
                "UPGRADING");
        FlinkDeployment alone = half("orders-blue", Map.of());
        alone.getMetadata().setOwnerReferences(List.of());
        alone.getMetadata()
                .setAnnotations(StartOverrides.annotations(Map.of("parallelismOverrides", SCALED)));
        create(alone, "UPGRADING");

        soon(
                () ->
                        assertThat(stored("orders-green"))
                                .containsEntry("parallelismOverrides", SCALED));
        soon(() -> assertThat(explained("orders-blue")).contains("UPGRADING"));
        assertThat(map("orders-blue")).isEmpty();
    }

    private void transition(String state, String phase) {
        ObjectNode status = JsonNodeFactory.instance.objectNode().put("blueGreenState", state);
        status.putObject("transition").put("id", "t-1").put("phase", phase).put("to", "GREEN");
        FlinkBlueGreenDeployment found = API.client().resource(pair).get();
        found.setStatus(status);
        API.client().resource(found).updateStatus();
    }

    private FlinkDeployment create(String name, Map<String, String> annotations, String lifecycle) {
        return create(half(name, annotations), lifecycle);
    }

    private static FlinkDeployment create(FlinkDeployment half, String lifecycle) {
        return ScaledJob.create(API, half, lifecycle);
    }

    private FlinkDeployment half(String name, Map<String, String> annotations) {
        var half = new FlinkDeployment();
        half.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(namespace)
                        .withName(name)
                        .withAnnotations(annotations)
                        .addNewOwnerReference()
                        .withApiVersion(pair.getApiVersion())
                        .withKind(pair.getKind())
                        .withName("orders")
                        .withUid(pair.getMetadata().getUid())
                        .withController(true)
                        .endOwnerReference()
                        .build());
        half.setSpec(ScaledJob.spec(true));
        return half;
    }

    private Optional<ConfigMap> map(String half) {
        return Optional.ofNullable(
                API.client()
                        .configMaps()
                        .inNamespace(namespace)
                        .withName("autoscaler-" + half)
                        .get());
    }

    private Map<String, String> stored(String half) {
        return map(half).map(ConfigMap::getData).orElseGet(Map::of);
    }

    private String explained(String half) throws IOException, InterruptedException {
        URI uri =
                URI.create(
                        "http://localhost:%d/explain/%s/%s"
                                .formatted(service.httpPort(), namespace, half));
        return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    }
}
