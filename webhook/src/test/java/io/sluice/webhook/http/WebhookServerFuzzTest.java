// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sluice.certs.CertMaterial;
import io.sluice.webhook.Mutation;
import io.sluice.webhook.ReviewFuzzTest;
import io.sluice.webhook.TestCertificates;
import io.sluice.webhook.certificates.TlsIdentity;
import io.sluice.webhook.metric.WebhookMetrics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * What {@link ReviewFuzzTest} makes up, over TLS and HTTP: whatever arrives is answered, with no
 * fault of the server's own and nothing of its insides.
 */
class WebhookServerFuzzTest {
    /** A tenth of what is decided without a server. */
    private static final int CASES = Integer.getInteger("fuzz.cases", 20_000) / 10;

    private static final long SEED = Long.getLong("fuzz.seed", 1);
    private static final CertMaterial MATERIAL = TestCertificates.issue();
    private static final int HUGE = 50 * 1024 * 1024;

    private final Logger log = (Logger) LoggerFactory.getLogger("io.sluice.webhook");
    private final Level level = log.getEffectiveLevel();
    private WebhookServer server;
    private SSLContext trust;

    @BeforeEach
    void start() throws Exception {
        log.setLevel(Level.ERROR); // a line for each refusal would be all that is seen
        var tls = new TlsIdentity(TlsIdentity.Versions.TLS_1_3);
        tls.show(List.of(MATERIAL.leaf()), MATERIAL.leafKey());
        trust = TestCertificates.trusting(MATERIAL);
        server =
                WebhookServer.start(
                        0, tls, WebhookServerTest.routes(), Limits.USUAL, new WebhookMetrics());
    }

    @AfterEach
    void stop() {
        server.close();
        log.setLevel(level);
    }

    @Test
    void answersWhateverBytesArrive() throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(trust)
                        .build()) {
            for (long seed = SEED; seed < SEED + CASES; seed++) {
                var mutation = new Mutation(new Random(seed));
                byte[] body =
                        mutation.bytes(ReviewFuzzTest.review(mutation).toString().getBytes(UTF_8));
                HttpResponse<String> answer =
                        client.send(
                                HttpRequest.newBuilder(uri(seed % 2 == 0 ? "/validate" : "/mutate"))
                                        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                                        .build(),
                                BodyHandlers.ofString());
                assertThat(answer.statusCode()).as("seed %d", seed).isIn(200, 400, 413);
                assertThat(answer.body())
                        .as("seed %d", seed)
                        .doesNotContain("Exception", "\\tat ", "io.sluice");
            }
        }
    }

    @Test
    void refusesFiftyMebibytesBeforeTheyAreSent() throws Exception {
        try (SSLSocket socket = connect()) {
            socket.getOutputStream().write(head(HUGE));
            assertThat(statusLine(socket)).startsWith("HTTP/1.1 413");
        }
    }

    private SSLSocket connect() throws IOException {
        return (SSLSocket) trust.getSocketFactory().createSocket("localhost", server.port());
    }

    private static byte[] head(int length) {
        return "POST /validate HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                .formatted(length)
                .getBytes(UTF_8);
    }

    private static String statusLine(SSLSocket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes(12), UTF_8);
    }

    private URI uri(String path) {
        return URI.create("https://localhost:" + server.port() + path);
    }
}
