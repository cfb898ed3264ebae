// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PlainServerTest {
    /** Fewer than the half requests, so that the port is full of them. */
    private static final PortLimits LIMITS =
            new PortLimits(
                    64, 1000, Duration.ofSeconds(1), Duration.ofMinutes(2), Duration.ofSeconds(1));

    private static final int HALF = Integer.getInteger("siege.half", 1_000);
    private static final String POD = "127.0.0.2";
    private static final String KUBELET = "127.0.0.1";
    private static final int LONG = 64 * 1024 * 1024;

    private final List<Cut> cuts = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new ArrayList<>();
    private final CountDownLatch hold = new CountDownLatch(1);
    private final AtomicInteger made = new AtomicInteger();
    private PlainServer server;

    @BeforeEach
    void start() throws IOException {
        server =
                PlainServer.start(
                        0,
                        Map.of(
                                "/healthz",
                                new Page.Probe(() -> Response.plain(200, "ok\n")),
                                "/failing",
                                new Page.Probe(
                                        () -> {
                                            throw new IllegalStateException("secret");
                                        }),
                                "/slow",
                                new Page.Listing(_ -> held()),
                                "/long",
                                new Page.Shared(
                                        _ -> {},
                                        () -> {
                                            made.incrementAndGet();
                                            return Response.plain(200, "x".repeat(LONG));
                                        })),
                        new Connections(LIMITS, cuts::add, System::nanoTime));
    }

    @AfterEach
    void stop() throws IOException {
        hold.countDown();
        for (Socket each : sockets) {
            each.close();
        }
        server.close();
    }

    @Test
    void answersItsPagesAndNothingElse() throws IOException {
        assertThat(get("/healthz")).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\nok\n");
        assertThat(get("/healthz?verbose")).startsWith("HTTP/1.1 200");
        assertThat(get("/other")).startsWith("HTTP/1.1 404").contains("/healthz");
        assertThat(ask(KUBELET, "POST /healthz HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 405");
        assertThat(ask(KUBELET, "\r\n\r\n")).startsWith("HTTP/1.1 405");
        assertThat(get("/failing")).startsWith("HTTP/1.1 500").doesNotContain("secret");
        assertThat(ask(KUBELET, "GET /" + "x".repeat(8 * 1024))).startsWith("HTTP/1.1 431");
    }

    @Test
    void probesAreAnsweredWhileAnotherPeerSendsHalfRequests() throws IOException {
        for (int each = 0; each < HALF; each++) {
            half();
            if (each % 50 == 0) {
                assertThat(get("/healthz")).startsWith("HTTP/1.1 200");
            }
        }

        assertThat(get("/healthz")).startsWith("HTTP/1.1 200");
        assertThat(cuts).contains(Cut.FULL);
    }

    @Test
    void probesAreAnsweredWhileAListTakesLong() throws IOException {
        send(POD, "GET /slow HTTP/1.1\r\n\r\n");

        assertThat(get("/healthz")).startsWith("HTTP/1.1 200");
    }

    @Test
    void halfRequestsAndUnreadAnswersEndInTime() throws IOException {
        half();
        send(POD, "GET /long HTTP/1.1\r\n\r\n");

        await().untilAsserted(
                        () -> assertThat(cuts).containsExactlyInAnyOrder(Cut.REQUEST, Cut.ANSWER));
    }

    @Test
    void callersThatDoNotReadALongAnswerShareAFewCopiesOfIt() throws IOException {
        for (int each = 0; each < 40; each++) {
            send(POD, "GET /long HTTP/1.1\r\n\r\n");
        }

        await().untilAsserted(() -> assertThat(cuts).contains(Cut.ANSWER));
        assertThat(made).hasValueLessThanOrEqualTo(SharedResponse.MOST);
        Socket another = send(KUBELET, "GET /long HTTP/1.1\r\n\r\n");
        assertThat(another.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 200");
    }

    @Test
    void oneCallerGetsFewAnswersAtATimeThatNobodyShares() throws IOException {
        for (int each = 0; each < 8; each++) {
            send(POD, "GET /slow HTTP/1.1\r\n\r\n");
        }

        assertThat(ask(POD, "GET /slow HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 429");
        assertThat(get("/healthz")).startsWith("HTTP/1.1 200");
        hold.countDown();
        await().untilAsserted(
                        () ->
                                assertThat(ask(POD, "GET /slow HTTP/1.1\r\n\r\n"))
                                        .startsWith("HTTP/1.1 200"));
    }

    private Response held() {
        try {
            hold.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return Response.plain(200, "late\n");
    }

    /** A server that has closed it already is as good as one that will. */
    private void half() throws IOException {
        Socket socket = new Socket("127.0.0.1", server.port(), InetAddress.getByName(POD), 0);
        sockets.add(socket);
        try {
            socket.getOutputStream().write("GET /healthz HTTP/1.1\r\nHost:".getBytes(US_ASCII));
        } catch (IOException closed) {
            socket.close();
        }
    }

    private String get(String path) throws IOException {
        return ask(KUBELET, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    private String ask(String from, String request) throws IOException {
        return new String(send(from, request).getInputStream().readAllBytes(), US_ASCII);
    }

    private Socket send(String from, String request) throws IOException {
        Socket socket = new Socket("127.0.0.1", server.port(), InetAddress.getByName(from), 0);
        sockets.add(socket);
        socket.setReceiveBufferSize(4096);
        socket.getOutputStream().write(request.getBytes(US_ASCII));
        return socket;
    }
}
