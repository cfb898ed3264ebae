// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prometheus.client.CollectorRegistry;
import io.sluice.certs.CertMaterial;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.webhook.Reviews;
import io.sluice.webhook.TestCertificates;
import io.sluice.webhook.admission.Admission;
import io.sluice.webhook.admission.AdmissionVerdict;
import io.sluice.webhook.admission.BodyParts;
import io.sluice.webhook.certificates.TlsIdentity;
import io.sluice.webhook.metric.WebhookMetrics;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

public class WebhookServerTest {
    private static final Path GOLDEN = Path.of("src/test/resources/denial.txt");
    private static final CertMaterial FIRST = TestCertificates.issue();

    private final WebhookMetrics metrics = new WebhookMetrics();
    private final TlsIdentity tls = new TlsIdentity(TlsIdentity.Versions.TLS_1_3);
    private WebhookServer server;
    private HttpClient client;

    @BeforeEach
    void start() throws Exception {
        server = WebhookServer.start(0, tls, routes(), Limits.USUAL, metrics);
        show(FIRST);
        client = client(FIRST);
    }

    /** As the process serves them, without anything that resources could refer to. */
    public static WebhookServer.Routes routes() {
        var admission = new Admission(DefaultConfiguration.NONE);
        return new WebhookServer.Routes(
                admission::judge,
                Map.of(
                        "/validate",
                        AdmissionVerdict::validated,
                        "/mutate",
                        AdmissionVerdict::mutated),
                Map.of());
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void echoesTheUidOfWhatItAllows() throws Exception {
        var review =
                json(post("/validate", Reviews.create(Reviews.yaml(Reviews.VALID)).toString()));

        assertThat(review.path("apiVersion").textValue()).isEqualTo("admission.k8s.io/v1");
        assertThat(review.path("kind").textValue()).isEqualTo("AdmissionReview");
        assertThat(review.at("/response/uid").textValue())
                .isEqualTo("705ab4f5-6393-11e8-b7cc-42010a800002");
        assertThat(review.at("/response/allowed").booleanValue()).isTrue();
        assertThat(count("sluice_admission_requests_total", "allowed")).isEqualTo(1);
    }

    @Test
    void refusesWithEveryProblemInTheMessageAndAsACause() throws Exception {
        var review =
                json(post("/validate", Reviews.create(Reviews.yaml(Reviews.INVALID)).toString()));

        var status = review.at("/response/status");
        String message = status.path("message").textValue() + "\n";
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(GOLDEN, message);
        }
        assertThat(message).isEqualTo(Files.readString(GOLDEN));
        assertThat(status.path("code").intValue()).isEqualTo(422);
        assertThat(status.at("/details/causes")).hasSize(11);
        assertThat(status.at("/details/causes/0/field").textValue()).isEqualTo("metadata.name");
        assertThat(status.at("/details/causes/0/message").textValue())
                .startsWith("'Orders' must")
                .endsWith("[name-format]");
        assertThat(
                        metrics.registry()
                                .getSampleValue(
                                        "sluice_admission_rule_hits_total",
                                        new String[] {"rule"},
                                        new String[] {"name-format"}))
                .isEqualTo(1);
    }

    @Test
    void sendsDefaultsAsAPatch() throws Exception {
        var review = json(post("/mutate", Reviews.create(Reviews.yaml(Reviews.VALID)).toString()));

        assertThat(review.at("/response/patchType").textValue()).isEqualTo("JSONPatch");
        var patch =
                new String(
                        Base64.getDecoder().decode(review.at("/response/patch").textValue()),
                        UTF_8);
        assertThat(patch)
                .contains("\"path\":\"/spec/job/state\"")
                .contains("\"path\":\"/spec/job/upgradeMode\"");
    }

    @Test
    void tellsLittleAboutWhatItCannotRead() throws Exception {
        for (String body : new String[] {"", "{", "[1]", "{\"secret\":1}", "\"x\"", "null"}) {
            var response = post("/validate", body);
            assertThat(response.statusCode()).as(body).isEqualTo(400);
            assertThat(response.body()).contains("\"id\"").doesNotContain("secret", "Exception");
        }
    }

    @Test
    void survivesDeeplyNestedInput() throws Exception {
        assertThat(post("/validate", "[".repeat(5_000)).statusCode()).isEqualTo(400);
    }

    @Test
    void refusesWhatItDoesNotReadByTheFieldThatIsToBeMadeSmaller() throws Exception {
        ObjectNode deep = Reviews.nestedBelow("/spec/podTemplate");
        ObjectNode wide = Reviews.withOptions(BodyParts.MOST);

        for (String path : new String[] {"/mutate", "/validate"}) {
            assertThat(post(path, Reviews.create(deep).toString()).body())
                    .contains("\"allowed\":false", "spec.podTemplate.a.a");
            assertThat(post(path, Reviews.create(wide).toString()).body())
                    .contains("\"allowed\":false", "spec.flinkConfiguration");
        }
    }

    @Test
    void refusesBodiesAboveThreeMebibytesHoweverTheyAreSent() throws Exception {
        String large = "x".repeat(Limits.USUAL.body() + 1);
        var chunked =
                HttpRequest.newBuilder(uri("/validate"))
                        .POST(
                                HttpRequest.BodyPublishers.fromPublisher(
                                        HttpRequest.BodyPublishers.ofString(large)))
                        .build();

        assertThat(post("/validate", large).statusCode()).isEqualTo(413);
        assertThat(post("/validate", "[" + "{},".repeat(BodyParts.MOST)).statusCode())
                .isEqualTo(413);
        assertThat(client.send(chunked, BodyHandlers.ofString()).statusCode()).isEqualTo(413);
    }

    @Test
    void namesItsPathsToWhoeverAsksForAnother() throws Exception {
        var response = post("/other", "{}");
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body()).contains("/validate").contains("/mutate");
    }

    @Test
    void showsANewCertificateWithoutARestart() throws Exception {
        var second = TestCertificates.issue();
        assertThat(show(second)).isTrue();
        assertThat(show(second)).isFalse();

        try (var trustingSecond = client(second);
                var trustingFirst = client(FIRST)) {
            assertThat(post(trustingSecond, "/validate", "").statusCode()).isEqualTo(400);
            assertThatThrownBy(() -> post(trustingFirst, "/validate", ""))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void speaksTls13Only() throws Exception {
        var old =
                new SSLParameters(
                        new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"},
                        new String[] {"TLSv1.2"});
        try (var client =
                HttpClient.newBuilder()
                        .sslContext(TestCertificates.trusting(FIRST))
                        .sslParameters(old)
                        .build()) {
            assertThatThrownBy(() -> post(client, "/validate", ""))
                    .isInstanceOf(java.io.IOException.class);
        }
        assertThat(post("/validate", "").sslSession().orElseThrow().getProtocol())
                .isEqualTo("TLSv1.3");
    }

    @Test
    void asksCallersToMoveOnceItLeaves() throws Exception {
        server.leave();
        var response = post("/validate", Reviews.create(Reviews.yaml(Reviews.VALID)).toString());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Connection")).contains("close");
    }

    private boolean show(CertMaterial material) {
        return tls.show(List.of(material.leaf()), material.leafKey());
    }

    private double count(String name, String verdict) {
        CollectorRegistry registry = metrics.registry();
        return registry.getSampleValue(
                name,
                new String[] {"path", "kind", "operation", "verdict"},
                new String[] {"/validate", "FlinkDeployment", "CREATE", verdict});
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return post(client, path, body);
    }

    private HttpResponse<String> post(HttpClient by, String path, String body) throws Exception {
        var request =
                HttpRequest.newBuilder(uri(path))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
        return by.send(request, BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("https://localhost:" + server.port() + path);
    }

    private static JsonNode json(HttpResponse<String> response) throws Exception {
        assertThat(response.statusCode()).isEqualTo(200);
        return new ObjectMapper().readTree(response.body());
    }

    private static HttpClient client(CertMaterial trusted) throws Exception {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(TestCertificates.trusting(trusted))
                .build();
    }
}
