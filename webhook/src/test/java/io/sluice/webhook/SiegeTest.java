// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sluice.certs.CertMaterial;
import io.sluice.process.port.PortLimits;
import io.sluice.webhook.certificates.TlsIdentity;
import io.sluice.webhook.http.Limits;
import io.sluice.webhook.http.WebhookServer;
import io.sluice.webhook.http.WebhookServerTest;
import io.sluice.webhook.metric.WebhookMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * A pod does to the webhook what it can while an API server has resources reviewed, which must all
 * get their verdict. The pod is 127.0.0.2, the API server 127.0.0.1. {@code -Dsiege.connections}
 * makes it longer.
 */
class SiegeTest {
    private static final int CONNECTIONS = Integer.getInteger("siege.connections", 2_000);
    private static final int REVIEWS = 40;
    private static final PortLimits CROWDED =
            Limits.PORT.with().connections(64).newPerSecond(1_000).build();
    private static final String POD = "127.0.0.2";
    private static final CertMaterial CERTIFICATE = TestCertificates.issue();
    private static final String REVIEW = Reviews.create(Reviews.yaml(Reviews.VALID)).toString();

    private final Logger log = (Logger) LoggerFactory.getLogger("io.sluice.webhook");
    private final Level level = log.getEffectiveLevel();
    private final WebhookMetrics metrics = new WebhookMetrics();
    private final List<Socket> sockets = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger closedByServer = new AtomicInteger();
    private SSLContext trust;
    private WebhookServer server;

    @BeforeEach
    void start() throws Exception {
        log.setLevel(Level.ERROR); // a line for each refusal would be all that is seen
        trust = TestCertificates.trusting(CERTIFICATE);
        var tls = new TlsIdentity(TlsIdentity.Versions.TLS_1_3);
        tls.show(List.of(CERTIFICATE.leaf()), CERTIFICATE.leafKey());
        server =
                WebhookServer.start(
                        0,
                        tls,
                        WebhookServerTest.routes(),
                        Limits.USUAL.scaledToPort(CROWDED),
                        metrics);
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket each : List.copyOf(sockets)) {
            each.close();
        }
        server.close();
        log.setLevel(level);
    }

    @Test
    void idleConnectionsOfAPodKeepNoReviewOut() throws Exception {
        assertThat(
                        during(
                                () -> {
                                    for (int each = 0; each < CONNECTIONS; each++) {
                                        open();
                                    }
                                }))
                .containsOnly(200);
        assertThat(cuts("full") + cuts("rate")).isPositive();
    }

    @Test
    void connectionsWithoutAHandshakeKeepNoReviewOut() throws Exception {
        assertThat(
                        during(
                                () -> {
                                    for (int each = 0; each < CONNECTIONS; each++) {
                                        sockets.add(plain());
                                    }
                                }))
                .containsOnly(200);
        assertThat(cuts("full") + cuts("rate")).isPositive();
    }

    @Test
    void bodiesThatFillTheBudgetKeepNoReviewOut() throws Exception {
        int many = Limits.USUAL.held() / Limits.USUAL.body() + 1;
        assertThat(during(() -> Stream.generate(() -> 0).limit(many).forEach(_ -> half())))
                .containsOnly(200);
    }

    @Test
    void manySmallBodiesThatNeverEndKeepNoReviewOut() throws Exception {
        assertThat(
                        during(
                                () -> {
                                    for (int each = 0; each < 200; each++) {
                                        body(200_000, 100_000);
                                    }
                                }))
                .containsOnly(200);
    }

    @Test
    void answersThatNobodyReadsKeepNoReviewOut() throws Exception {
        String long404 = "POST /none HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
        String refused =
                Reviews.create(
                                Reviews.yaml(
                                        Reviews.VALID.replace(
                                                "job: {",
                                                "flinkConfiguration: {"
                                                        + "taskmanager.numberOfTaskSlots: "
                                                        + "m".repeat(60_000)
                                                        + "}\n  job: {")))
                        .toString();
        String request =
                "POST /validate HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(refused.length(), refused);
        assertThat(
                        during(
                                () -> {
                                    for (int each = 0; each < 8; each++) {
                                        unread((long404 + request).repeat(40));
                                    }
                                }))
                .containsOnly(200);
    }

    @Test
    void aHandshakeThatDoesNotComeEndsInTime() throws Exception {
        server.close();
        var tls = new TlsIdentity(TlsIdentity.Versions.TLS_1_3);
        tls.show(List.of(CERTIFICATE.leaf()), CERTIFICATE.leafKey());
        server =
                WebhookServer.start(
                        0,
                        tls,
                        WebhookServerTest.routes(),
                        Limits.USUAL.scaledToPort(Limits.PORT.withRequest(Duration.ofMillis(500))),
                        new WebhookMetrics());
        Socket silent = plain();
        Socket trickling = plain();
        sockets.addAll(List.of(silent, trickling));
        var stop = new AtomicBoolean();
        Thread.ofVirtual()
                .start(
                        () -> {
                            while (!stop.get() && write(trickling, new byte[] {22})) {
                                Thread.onSpinWait();
                            }
                        });

        assertThat(silent.getInputStream().read()).isNegative();
        stop.set(true);
    }

    private interface Attack {
        void run() throws Exception;
    }

    /** The statuses of reviews that are asked for while and after the attack is under way. */
    private List<Integer> during(Attack attack) throws Exception {
        var over = new AtomicBoolean();
        var failure = new AtomicReference<Optional<Exception>>(Optional.empty());
        Thread attacker =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        attack.run();
                                    } catch (Exception failed) {
                                        failure.set(Optional.of(failed));
                                    } finally {
                                        over.set(true);
                                    }
                                });
        List<Integer> statuses = new ArrayList<>();
        while (!over.get() || statuses.size() < REVIEWS) {
            // By a new connection each, as those that are open already are easier to keep.
            try (HttpClient client =
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .sslContext(trust)
                            .build()) {
                statuses.add(
                        client.send(
                                        HttpRequest.newBuilder(
                                                        URI.create(
                                                                "https://localhost:"
                                                                        + server.port()
                                                                        + "/validate"))
                                                .timeout(Duration.ofSeconds(10))
                                                .POST(HttpRequest.BodyPublishers.ofString(REVIEW))
                                                .build(),
                                        BodyHandlers.ofString())
                                .statusCode());
            }
        }
        attacker.join();
        assertThat(failure.get()).isEmpty();
        return statuses;
    }

    private Socket plain() throws IOException {
        return new Socket("127.0.0.1", server.port(), InetAddress.getByName(POD), 0);
    }

    /** Empty if the server has closed it already. */
    private Optional<SSLSocket> open() throws IOException {
        Socket plain = plain();
        sockets.add(plain);
        try {
            var socket =
                    (SSLSocket)
                            trust.getSocketFactory()
                                    .createSocket(plain, "localhost", server.port(), true);
            socket.startHandshake();
            return Optional.of(socket);
        } catch (IOException closed) {
            return Optional.empty();
        }
    }

    private void half() {
        body(Limits.USUAL.body(), Limits.USUAL.body() - 1);
    }

    private void body(int announced, int sent) {
        try {
            Optional<SSLSocket> socket = open();
            if (socket.isPresent()) {
                var out = socket.get().getOutputStream();
                out.write(
                        "POST /validate HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                                .formatted(announced)
                                .getBytes(US_ASCII));
                out.write(new byte[sent]);
                out.flush();
            }
        } catch (IOException closed) {
            closedByServer.incrementAndGet();
        }
    }

    private void unread(String requests) {
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                Optional<SSLSocket> socket = open();
                                if (socket.isPresent()) {
                                    socket.get().setReceiveBufferSize(1024);
                                    socket.get()
                                            .getOutputStream()
                                            .write(requests.getBytes(US_ASCII));
                                }
                            } catch (IOException closed) {
                                closedByServer.incrementAndGet();
                            }
                        });
    }

    private static boolean write(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    private double cuts(String reason) {
        return Optional.ofNullable(
                        metrics.registry()
                                .getSampleValue(
                                        "sluice_connections_cut_total",
                                        new String[] {"port", "reason"},
                                        new String[] {"https", reason}))
                .orElse(0.0);
    }
}
