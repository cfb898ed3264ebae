// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.testkit.ApiServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A HorizontalPodAutoscaler reads the subresource {@code scale} and puts it back with its number.
 */
class ScaleIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private InstalledWebhook installed;
    private Webhook webhook;

    @BeforeEach
    void install() throws Exception {
        installed = new InstalledWebhook(API);
        webhook = installed.startReady();
    }

    @AfterEach
    void remove() throws Exception {
        installed.remove();
    }

    @Test
    void refusesToScaleAJobThatIsAutoscaledUntilItsAutoscalerIsSwitchedOff() {
        create("true");

        var refusal = catchThrowableOfType(KubernetesClientException.class, () -> scale(3));

        assertThat(refusal.getCode()).isEqualTo(422);
        assertThat(refusal.getStatus().getMessage())
                .contains("denied the request: Scale 'orders' has 1 problem:")
                .contains("one-scaler-per-job  spec.replicas: '3' can't be set")
                .contains("job.autoscaler.enabled is 'true'")
                .contains("set job.autoscaler.enabled: \"false\" in spec.flinkConfiguration of");
        assertThat(refusal.getStatus().getDetails().getCauses())
                .extracting(StatusCause::getField)
                .containsExactly("spec.replicas");
        assertThat(replicas()).isEqualTo(1);

        API.client()
                .genericKubernetesResources("flink.apache.org/v1beta1", "FlinkDeployment")
                .inNamespace(installed.namespace())
                .withName("orders")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"flinkConfiguration\":{\"job.autoscaler.enabled\":\"false\"}}}");
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptionsInstanceOf(KubernetesClientException.class)
                .untilAsserted(() -> scale(3));
        assertThat(replicas()).isEqualTo(3);
    }

    @Test
    void isAskedOnlyAboutAnotherNumberOfReplicas() throws Exception {
        create("false");

        scale(1);
        assertThat(metrics()).doesNotContain("kind=\"Scale\"");

        scale(2);
        assertThat(metrics())
                .contains(
                        "sluice_admission_requests_total{path=\"/validate\",kind=\"Scale\","
                                + "operation=\"UPDATE\",verdict=\"allowed\",} 1.0");
        assertThat(replicas()).isEqualTo(2);
    }

    private void create(String autoscaled) {
        ObjectNode orders = Reviews.yaml(Reviews.VALID);
        orders.withObject("/spec/taskManager").put("replicas", 1);
        orders.withObject("/spec")
                .withObjectProperty("flinkConfiguration")
                .put("job.autoscaler.enabled", autoscaled);
        installed.create(orders.toString());
    }

    private void scale(int replicas) {
        ObjectNode scale = Reviews.yaml(API.client().raw(path()));
        scale.withObject("/spec").put("replicas", replicas);
        API.client().raw(path(), "PUT", scale);
    }

    private int replicas() {
        return Reviews.yaml(API.client().raw(path())).at("/spec/replicas").asInt();
    }

    private String path() {
        return "/apis/flink.apache.org/v1beta1/namespaces/%s/flinkdeployments/orders/scale"
                .formatted(installed.namespace());
    }

    private String metrics() throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            var uri = URI.create("http://localhost:" + webhook.httpPort() + "/metrics");
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
        }
    }
}
