// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.certs.CertMaterial;
import io.sluice.webhook.Reviews;
import io.sluice.webhook.TestCertificates;
import io.sluice.webhook.admission.AdmissionRequest;
import io.sluice.webhook.admission.AdmissionVerdict;
import io.sluice.webhook.admission.ReviewReader;
import io.sluice.webhook.admission.Verdict;
import io.sluice.webhook.certificates.TlsIdentity;
import io.sluice.webhook.metric.WebhookMetrics;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** What becomes of requests that get no verdict, at the real server with small limits. */
class AdmissionEndpointTest {
    private static final CertMaterial CERTIFICATE = TestCertificates.issue();
    private static final String REVIEW = Reviews.create(Reviews.yaml(Reviews.VALID)).toString();
    private static final Limits SMALL =
            new Limits(Limits.PORT, 4096, 8192, 2048, 2048, 16, Duration.ofMillis(1500));

    private final WebhookMetrics metrics = new WebhookMetrics();

    @Test
    void tellsNothingOfItsInsidesWhenItFails() throws Exception {
        try (var server =
                        start(
                                _ -> {
                                    throw new IllegalStateException("secret detail");
                                });
                var client = client()) {
            var response = post(client, server, REVIEW);

            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.body())
                    .contains("\"id\"")
                    .doesNotContain("secret", "IllegalState", "io.sluice");
            assertThat(faults("internal")).isEqualTo(1);
        }
    }

    @Test
    void sendsAwayWhatDoesNotGetItsTurn() throws Exception {
        var hold = new CountDownLatch(1);
        try (var server = start(limits(8192, 1), _ -> waiting(hold));
                var client = client()) {
            List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                calls.add(postLater(client, server, REVIEW));
            }
            await().untilAsserted(() -> assertThat(faults("busy")).isPositive());
            hold.countDown();

            assertThat(calls.stream().map(call -> call.join().statusCode()))
                    .contains(200, 429)
                    .containsOnly(200, 429);
            assertThat(post(client, server, REVIEW).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aSlowSenderIsToldSoAndHoldsNobodyUp() throws Exception {
        try (var server = start(_ -> Verdict.allowed());
                var client = client()) {
            List<SSLSocket> slow = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                slow.add(beginPost(server));
            }

            assertThat(post(client, server, REVIEW).statusCode()).isEqualTo(200);
            for (SSLSocket each : slow) {
                var answer = new String(each.getInputStream().readAllBytes(), US_ASCII);
                assertThat(answer).startsWith("HTTP/1.1 408").contains("did not arrive in time");
                each.close();
            }
            assertThat(faults("slow")).isEqualTo(30);
        }
    }

    @Test
    void finishesWhatIsInFlightBeforeItStops() throws Exception {
        var hold = new CountDownLatch(1);
        var server = start(_ -> waiting(hold));
        try (var client = client()) {
            var call = postLater(client, server, REVIEW);
            await().until(() -> hold.getCount() == 1 && !call.isDone());
            var closed = CompletableFuture.runAsync(server::close);
            hold.countDown();

            assertThat(call.join().statusCode()).isEqualTo(200);
            closed.join();
        }
    }

    @Test
    void doesNothingForACallerThatGaveUpWhileItWaitedForAThread() throws Exception {
        whoGivesUpIsNotServed(limits(8192, 16), 4);
    }

    @Test
    void doesNothingForACallerThatGaveUpWhileALargeBodyWasWorkedOn() throws Exception {
        whoGivesUpIsNotServed(limits(16, 16), 1);
    }

    private void whoGivesUpIsNotServed(Limits limits, int atOnce) throws Exception {
        var hold = new CountDownLatch(1);
        var judged = new AtomicInteger();
        try (var server =
                        start(
                                limits,
                                _ -> {
                                    judged.incrementAndGet();
                                    return waiting(hold);
                                });
                var client = client()) {
            List<CompletableFuture<HttpResponse<String>>> first = new ArrayList<>();
            for (int i = 0; i < atOnce; i++) {
                first.add(
                        client.sendAsync(
                                request(server, "?timeout=30s", REVIEW), BodyHandlers.ofString()));
            }
            await().until(() -> judged.get() == atOnce);

            var late =
                    client.sendAsync(
                            request(server, "?timeout=300ms", REVIEW), BodyHandlers.ofString());
            await().pollDelay(Duration.ofSeconds(1)).until(() -> !late.isDone());
            hold.countDown();

            assertThat(late.join().statusCode()).isEqualTo(503);
            assertThat(first).allMatch(call -> call.join().statusCode() == 200);
            assertThat(judged).hasValue(atOnce);
            assertThat(faults("expired")).isEqualTo(1);
        }
    }

    @Test
    void anOrdinaryReviewDoesNotWaitForLargeOnes() throws Exception {
        var hold = new CountDownLatch(1);
        ObjectNode large = Reviews.yaml(Reviews.VALID);
        large.withObject("/metadata").put("name", "large");
        large.withObject("/metadata/annotations").put("note", "x".repeat(10_000));
        try (var server =
                        start(
                                limits(8192, 16),
                                request ->
                                        request.name().equals("large")
                                                ? waiting(hold)
                                                : Verdict.allowed());
                var client = client()) {
            List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                calls.add(postLater(client, server, Reviews.create(large).toString()));
            }

            try {
                for (int i = 0; i < 8; i++) {
                    assertThat(postLater(client, server, REVIEW))
                            .succeedsWithin(Duration.ofSeconds(20))
                            .extracting(HttpResponse::statusCode)
                            .isEqualTo(200);
                }
                assertThat(calls).noneMatch(CompletableFuture::isDone);
            } finally {
                hold.countDown();
            }
            assertThat(calls).allMatch(call -> call.join().statusCode() == 200);
        }
    }

    private static Limits limits(int ordinary, int waiting) {
        return new Limits(
                Limits.PORT, 32_768, 262_144, 2048, ordinary, waiting, Duration.ofSeconds(4));
    }

    private static Verdict waiting(CountDownLatch hold) {
        try {
            hold.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return Verdict.allowed();
    }

    /** Announces a body, sends a byte of it, and no more. */
    private static SSLSocket beginPost(WebhookServer server) throws Exception {
        var socket =
                (SSLSocket)
                        TestCertificates.trusting(CERTIFICATE)
                                .getSocketFactory()
                                .createSocket("localhost", server.port());
        socket.getOutputStream()
                .write(
                        "POST /validate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
                                .getBytes(US_ASCII));
        return socket;
    }

    private double faults(String reason) {
        return Optional.ofNullable(
                        metrics.registry()
                                .getSampleValue(
                                        "sluice_admission_faults_total",
                                        new String[] {"reason"},
                                        new String[] {reason}))
                .orElse(0.0);
    }

    private WebhookServer start(Function<AdmissionRequest, Verdict> decide) {
        return start(SMALL, decide);
    }

    private WebhookServer start(Limits limits, Function<AdmissionRequest, Verdict> decide) {
        Function<byte[], Optional<AdmissionVerdict>> judge =
                body ->
                        ReviewReader.read(body)
                                .map(
                                        request -> {
                                            Verdict verdict = decide.apply(request);
                                            return new AdmissionVerdict(request, verdict, verdict);
                                        });
        var tls = new TlsIdentity(TlsIdentity.Versions.TLS_1_3);
        tls.show(List.of(CERTIFICATE.leaf()), CERTIFICATE.leafKey());
        return WebhookServer.start(
                0,
                tls,
                new WebhookServer.Routes(
                        judge, Map.of("/validate", AdmissionVerdict::validated), Map.of()),
                limits,
                metrics);
    }

    private static HttpClient client() throws Exception {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(TestCertificates.trusting(CERTIFICATE))
                .build();
    }

    private static HttpResponse<String> post(HttpClient client, WebhookServer server, String body)
            throws Exception {
        return client.send(request(server, body), BodyHandlers.ofString());
    }

    private static CompletableFuture<HttpResponse<String>> postLater(
            HttpClient client, WebhookServer server, String body) {
        return client.sendAsync(request(server, body), BodyHandlers.ofString());
    }

    private static HttpRequest request(WebhookServer server, String body) {
        return request(server, "", body);
    }

    private static HttpRequest request(WebhookServer server, String query, String body) {
        return HttpRequest.newBuilder(
                        URI.create("https://localhost:" + server.port() + "/validate" + query))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }
}
