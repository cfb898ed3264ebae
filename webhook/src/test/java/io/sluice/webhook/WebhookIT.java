// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.testkit.ApiServer;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WebhookIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private InstalledWebhook installed;
    private KubernetesClient client;

    @BeforeEach
    void install() {
        installed = new InstalledWebhook(API);
        client = API.client();
    }

    @AfterEach
    void remove() throws Exception {
        installed.remove();
    }

    @Test
    void refusesAnInvalidDeploymentWithAllItsProblems() throws Exception {
        installed.startReady();

        var refusal =
                catchThrowableOfType(
                        KubernetesClientException.class,
                        () -> installed.create(Reviews.INVALID.replace("Orders", "orders")));

        assertThat(refusal.getCode()).isEqualTo(422);
        assertThat(refusal.getStatus().getMessage())
                .contains("denied the request: FlinkDeployment 'orders' has 10 problems:")
                .contains("1. service-account-required  spec.serviceAccount: is missing");
        assertThat(refusal.getStatus().getDetails().getCauses())
                .hasSize(10)
                .extracting(StatusCause::getField)
                .contains("spec.job.parallelism", "spec.taskManager.resources.requests.memory");
    }

    @Test
    void refusesWhatIsTooDeepOrTooWideToBeReadByItsField() throws Exception {
        installed.startReady();
        ObjectNode deep = Reviews.nestedBelow("/spec/podTemplate/spec");
        ObjectNode wide = Reviews.withOptions(15_000);

        assertThatThrownBy(() -> installed.create(deep.toString()))
                .hasMessageContaining("spec.podTemplate.spec.a")
                .hasMessageContaining("deeper than 200 levels");
        assertThatThrownBy(() -> installed.create(wide.toString()))
                .hasMessageContaining("spec.flinkConfiguration")
                .hasMessageContaining("of which there may be 3000");
    }

    /** What the API server stores gets a version: only what is being created has none. */
    @Test
    void refusesAStatefulJobOfABackupWithoutItsStateAndLetsAStoredOneBeEdited() throws Exception {
        installed.startReady();
        ObjectNode restored = Reviews.yaml(Reviews.VALID);
        restored.withArray("/metadata/finalizers")
                .add("flinkdeployments.flink.apache.org/finalizer");
        ObjectNode job = restored.withObject("/spec/job").put("upgradeMode", "last-state");
        restored.withObject("/spec/flinkConfiguration")
                .put("execution.checkpointing.dir", "s3://orders/checkpoints");

        assertThatThrownBy(() -> installed.create(restored.toString()))
                .hasMessageContaining("restored-job-needs-state  spec.job.initialSavepointPath");

        job.put("initialSavepointPath", "s3://orders/savepoints/savepoint-1a2b3c");
        installed.create(restored.toString());
        orders().patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"job\":{\"initialSavepointPath\":null,\"parallelism\":3}}}");
        orders().patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"finalizers\":null}}");
    }

    @Test
    void storesAValidDeploymentWithItsDefaults() throws Exception {
        installed.startReady();

        var stored = installed.create(Reviews.VALID);

        assertThat(stored.<String>get("spec", "job", "state")).isEqualTo("running");
        assertThat(stored.<String>get("spec", "job", "upgradeMode")).isEqualTo("stateless");
        assertThat(stored.getMetadata().getGeneration()).isEqualTo(1);
    }

    /** It is asked again until the cache of FlinkDeployments holds the first one. */
    @Test
    void refusesANameWhoseServiceAnotherDeploymentHas() throws Exception {
        installed.startReady();
        installed.create(Reviews.VALID);

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () ->
                                assertThatThrownBy(() -> dryRun("orders-rest"))
                                        .hasMessageContaining("name-collision")
                                        .hasMessageContaining(
                                                "needs the Service 'orders-rest', which"
                                                        + " FlinkDeployment 'orders'"));
        assertThat(dryRun("orders-restored").getMetadata().getName()).isEqualTo("orders-restored");
    }

    private GenericKubernetesResource dryRun(String name) {
        String resource = installed.deployment(Reviews.VALID.replace("orders", name)).toString();
        return client.resource(
                        client.getKubernetesSerialization()
                                .unmarshal(resource, GenericKubernetesResource.class))
                .dryRun()
                .create();
    }

    @Test
    void judgesAnUpdateOnceThoughItIsAskedTwice() throws Exception {
        var webhook = installed.startReady();
        installed.create(Reviews.VALID);

        orders().patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"job\":{\"parallelism\":3}}}");

        assertThat(answer(webhook, "/metrics").body())
                .contains("sluice_admission_remembered_total{path=\"/validate\",} 1.0");
    }

    @Test
    void isAskedAboutAnEditedScheduleAndNotAboutOtherAnnotationsOrAStatus() throws Exception {
        // Given
        var webhook = installed.startReady();
        installed.create(Reviews.VALID);
        annotate("job.execute.cron", "30 2 * * *");
        var asked = requests(webhook);
        // When
        annotate("example.org/team", "orders");
        orders().patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"finalizers\":[\"sluice.io/test\"]}}");
        orders().editStatus(
                        old -> {
                            old.setAdditionalProperty("status", Map.of("error", "none"));
                            return old;
                        });
        orders().patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":[]}}");
        // Then
        assertThat(requests(webhook)).isEqualTo(asked);
        assertThatThrownBy(() -> annotate("job.execute.cron", "every night"))
                .hasMessageContaining("cron-expression");
        assertThatThrownBy(() -> annotate("job.execute.cron.time-zone", "Berlin"))
                .hasMessageContaining("cron-options");
        assertThat(orders().get().getMetadata().getAnnotations())
                .containsEntry("job.execute.cron", "30 2 * * *")
                .containsEntry("example.org/team", "orders")
                .hasSize(2);
    }

    @Test
    void isAskedAboutTheLabelOfACanaryThatComesOrGoes() throws Exception {
        // Given
        installed.create(
                Reviews.VALID.replace(
                                "namespace: default",
                                "namespace: default, labels: {flink.apache.org/canary: \"true\"}")
                        + "  flinkConfiguration: {kubernetes.cluster-id: another}\n");
        installed.startReady();
        // Then
        assertThatThrownBy(() -> label("null")).hasMessageContaining("forbidden-config-key");
        // When
        orders().delete();
        installed.create(Reviews.VALID);
        // Then
        assertThatThrownBy(() -> label("\"true\"")).hasMessageContaining("canary-configured");
        label("\"no\"");
    }

    private void label(String value) {
        orders().patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"labels\":{\"flink.apache.org/canary\":%s}}}"
                                .formatted(value));
    }

    private void annotate(String annotation, String value) {
        orders().patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}"
                                .formatted(annotation, value));
    }

    private static List<String> requests(Webhook webhook) throws Exception {
        return answer(webhook, "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("sluice_admission_requests_total"))
                .toList();
    }

    @Test
    void letsAResourceStoredBeforeTheWebhookBeLabelledAndDeletedButNotChanged() throws Exception {
        // Given
        installed.create(
                Reviews.VALID + "  flinkConfiguration: {kubernetes.cluster-id: another}\n");
        installed.startReady();
        var orders = orders();
        // When
        var labelled =
                orders.edit(
                        old -> {
                            old.getMetadata().setFinalizers(List.of("sluice.io/test"));
                            return old;
                        });
        // Then
        assertThat(labelled.getMetadata().getGeneration()).isEqualTo(1);
        assertThatThrownBy(
                        () ->
                                orders.edit(
                                        old -> {
                                            old.setAdditionalProperty("spec", Map.of("image", "x"));
                                            return old;
                                        }))
                .hasMessageContaining("service-account-required");
        orders.edit(
                old -> {
                    old.getMetadata().setFinalizers(List.of());
                    return old;
                });
        orders.delete();
        await().untilAsserted(() -> assertThat(orders.get()).isNull());
    }

    @Test
    void twoReplicasAgreeOnOneCertificateUnderTheirRole() throws Exception {
        installed.grantRole();
        var first = installed.startReplica();
        var second = installed.startReplica();
        installed.register(first.httpsPort());
        installed.awaitReady(first);
        installed.awaitReady(second);

        var secret =
                client.secrets()
                        .inNamespace(installed.namespace())
                        .withName(installed.secret())
                        .get();
        assertThat(secret.getType()).isEqualTo("Opaque");
        assertThat(secret.getData()).containsKeys("tls.crt", "tls.key", "ca.crt");
        assertThat(installed.caBundle()).isEqualTo(secret.getData().get("ca.crt"));
        installed.register(second.httpsPort());
        installed.create(Reviews.VALID);
    }

    @Test
    void theRoleAllowsNothingElse() throws Exception {
        installed.grantRole();
        try (var role = installed.clientOfTheRole()) {
            var secrets = role.secrets().inNamespace(installed.namespace());
            assertForbidden(() -> secrets.list());
            assertForbidden(() -> secrets.withName("other").get());
            assertForbidden(() -> role.pods().inNamespace(installed.namespace()).list());
            assertForbidden(
                    () ->
                            role.admissionRegistration()
                                    .v1()
                                    .validatingWebhookConfigurations()
                                    .withName("other")
                                    .get());
        }
    }

    @Test
    void waitsForItsRightsAndConfigurationsAndRecoversByItself() throws Exception {
        var webhook = installed.startReplica();
        assertThat(get(webhook, "/healthz")).isEqualTo(200);
        assertThat(get(webhook, "/readyz")).isEqualTo(503);
        installed.grantRole();
        installed.register(webhook.httpsPort());
        installed.awaitReady(webhook);
    }

    @Test
    void publishesAgainWhenTheBundleIsTakenAway() throws Exception {
        var webhook = installed.startReady();
        var bundle = installed.caBundle();

        client.admissionRegistration()
                .v1()
                .validatingWebhookConfigurations()
                .withName(installed.configuration("validating"))
                .edit(
                        old -> {
                            old.getWebhooks()
                                    .forEach(each -> each.getClientConfig().setCaBundle(""));
                            return old;
                        });

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(installed.caBundle()).isEqualTo(bundle));
        assertThat(get(webhook, "/readyz")).isEqualTo(200);
    }

    @Test
    void issuesAnewWhenTheSecretIsCorruptedAndGoesOnAnswering() throws Exception {
        installed.startReady();
        var before = installed.caBundle();

        client.secrets()
                .inNamespace(installed.namespace())
                .withName(installed.secret())
                .edit(
                        old -> {
                            old.getData()
                                    .put(
                                            "tls.key",
                                            Base64.getEncoder().encodeToString(new byte[] {1}));
                            return old;
                        });

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(installed.caBundle()).isNotEqualTo(before));
        await().untilAsserted(() -> installed.create(Reviews.VALID));
    }

    private Resource<GenericKubernetesResource> orders() {
        return client.genericKubernetesResources("flink.apache.org/v1beta1", "FlinkDeployment")
                .inNamespace(installed.namespace())
                .withName("orders");
    }

    private static void assertForbidden(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        refused ->
                                assertThat(refused.getCode())
                                        .isEqualTo(HttpURLConnection.HTTP_FORBIDDEN));
    }

    private static int get(Webhook webhook, String path) throws Exception {
        return answer(webhook, path).statusCode();
    }

    private static HttpResponse<String> answer(Webhook webhook, String path) throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            var uri = URI.create("http://localhost:" + webhook.httpPort() + path);
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        }
    }
}
