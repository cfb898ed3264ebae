// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.sluice.api.FlinkDeployment;
import io.sluice.autoscaler.flink.FlinkReplies;
import io.sluice.process.LiveConfiguration;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The whole process between a real API server and the replies of a real JobManager. */
class ServiceIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final FlinkReplies flink = new FlinkReplies();
    private String namespace;
    private Service service;

    @BeforeEach
    void start() {
        namespace = API.newNamespace();
        service = start(API, namespace, flink);
    }

    /** Watches one namespace, and takes a free port. */
    static Service start(ApiServer api, String namespace, FlinkReplies flink) {
        return start(
                api, namespace, flink, LiveConfiguration.start(Optional.empty(), _ -> {}, _ -> {}));
    }

    private static Service start(
            ApiServer api, String namespace, FlinkReplies flink, LiveConfiguration configuration) {
        return Service.start(
                Settings.from(
                        Map.of(
                                "SLUICE_WATCH_NAMESPACES",
                                namespace,
                                "SLUICE_HTTP_PORT",
                                "0",
                                "SLUICE_JOBMANAGER_ADDRESS",
                                flink.at().toString())),
                configuration,
                api.newClient(),
                InstantSource.system());
    }

    @AfterEach
    void stop() {
        service.close();
        flink.close();
    }

    @Test
    void scalesAJobThatCanNotKeepUpAndForgetsItWithItsResource() {
        flink.load(1000, 990);
        FlinkDeployment resource = create(ScaledJob.spec(true), "STABLE");

        soon(
                () ->
                        assertThat(configMap())
                                .get()
                                .extracting(it -> it.getData().get("parallelismOverrides"))
                                .isEqualTo(FlinkReplies.LOAD + ":1," + FlinkReplies.WORK + ":2"));
        soon(
                () ->
                        assertThat(
                                        API.client()
                                                .v1()
                                                .events()
                                                .inNamespace(namespace)
                                                .list()
                                                .getItems())
                                .extracting(event -> event.getReason())
                                .contains("ScalingReport"));
        assertThat(get("/explain/" + namespace + "/orders").body()).contains("work");
        assertThat(get("/metrics").body())
                .contains("sluice_autoscaler_scalings_total{namespace=\"" + namespace)
                .contains("sluice_autoscaler_vertex_true_processing_rate{")
                .contains("sluice_build_info{component=\"autoscaler\"")
                .contains("jvm_memory");

        API.client().resource(resource).delete();

        soon(
                () ->
                        assertThat(get("/explain/" + namespace + "/orders").statusCode())
                                .isEqualTo(404));
        assertThat(get("/metrics").body()).doesNotContain("name=\"orders\"");
    }

    @Test
    void takesUpAChangedConfigurationWhileItRuns(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("config.yaml");
        Files.writeString(file, "job.autoscaler.enabled: false");
        LiveConfiguration live = LiveConfiguration.start(Optional.of(folder), _ -> {}, _ -> {});
        service.close();
        service = start(API, namespace, flink, live);
        create(
                ScaledJob.spec(Map.of("kubernetes.operator.reconcile.interval", "500 ms")),
                "STABLE");
        soon(
                () ->
                        assertThat(get("/metrics").body())
                                .contains("sluice_autoscaler_cycle_seconds_count 1.0"));
        assertThat(get("/explain/" + namespace + "/orders").statusCode()).isEqualTo(404);
        String before = live.get().fingerprint();

        Files.writeString(file, "job.autoscaler.enabled: true");
        live.look();

        soon(
                () ->
                        assertThat(get("/explain/" + namespace + "/orders").statusCode())
                                .isEqualTo(200));
        assertThat(get("/metrics").body())
                .contains("sluice_configuration_good 1.0")
                .contains("fingerprint=\"" + live.get().fingerprint())
                .doesNotContain(before);
    }

    @Test
    void storesNothingForAJobThatDoesNotAsk() {
        create(ScaledJob.spec(false), "STABLE");
        soon(
                () ->
                        assertThat(get("/metrics").body())
                                .contains("sluice_autoscaler_cycle_seconds_count 1.0"));

        assertThat(configMap()).isEmpty();
        assertThat(get("/explain/" + namespace + "/orders").statusCode()).isEqualTo(404);
    }

    @Test
    void overridesNothingAndRemembersTheLoadWhenItIsTurnedOff() {
        flink.load(1000, 990);
        create(ScaledJob.spec(true), "STABLE");
        soon(() -> assertThat(stored()).containsKeys("parallelismOverrides", "governorRescales"));

        API.client()
                .resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName("orders")
                .edit(
                        resource -> {
                            resource.setSpec(ScaledJob.spec(false));
                            return resource;
                        });

        soon(
                () ->
                        assertThat(stored())
                                .containsKey("governorRescales")
                                .doesNotContainKeys("parallelismOverrides", "collectedMetrics"));
    }

    private Map<String, String> stored() {
        return configMap().map(ConfigMap::getData).orElseGet(Map::of);
    }

    @Test
    void saysWhatItWaitsFor() {
        create(ScaledJob.spec(true), "UPGRADING");

        soon(() -> assertThat(explained().at("/decision/why").asText()).contains("UPGRADING"));
    }

    @Test
    void saysThatAJobManagerDoesNotAnswer() {
        flink.goSilent();
        create(ScaledJob.spec(true), "DEPLOYED");

        soon(() -> assertThat(explained().at("/decision/why").asText()).contains("503"));
        assertThat(configMap()).isEmpty();
    }

    @Test
    void isHealthyAndReady() {
        soon(() -> assertThat(get("/readyz").statusCode()).isEqualTo(200));
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void onlyShowsWhatItRecommends() {
        flink.load(1000, 990);
        create(ScaledJob.spec("recommend"), "STABLE");

        soon(
                () ->
                        assertThat(explained().at("/decision/outcome").asText())
                                .isEqualTo("recommended"));
        assertThat(get("/jobs/" + namespace + "/orders").body()).contains("page.js");
        soon(() -> assertThat(get("/metrics").body()).contains("reason=\"RECOMMEND_ONLY\""));
        assertThat(
                        configMap()
                                .map(it -> it.getData().getOrDefault("parallelismOverrides", ""))
                                .orElse(""))
                .isEmpty();
    }

    private FlinkDeployment create(ObjectNode spec, String lifecycle) {
        return ScaledJob.create(API, namespace, "orders", spec, lifecycle);
    }

    private Optional<ConfigMap> configMap() {
        return Optional.ofNullable(
                API.client()
                        .configMaps()
                        .inNamespace(namespace)
                        .withName("autoscaler-orders")
                        .get());
    }

    private JsonNode explained() throws IOException {
        return JSON.readTree(get("/explain/" + namespace + "/orders").body());
    }

    private HttpResponse<String> get(String path) {
        URI uri = URI.create("http://localhost:" + service.httpPort() + path);
        try {
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new AssertionError(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }
}
