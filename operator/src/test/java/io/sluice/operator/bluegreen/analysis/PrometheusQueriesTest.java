// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.analysis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.operator.bluegreen.analysis.PrometheusAnswer.Known;
import io.sluice.operator.bluegreen.analysis.PrometheusAnswer.Unknown;
import io.sluice.operator.bluegreen.analysis.PrometheusQueries.Place;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrometheusQueriesTest {
    private static final String ONE =
            """
            {"status":"success","data":{"resultType":"scalar","result":[1,"1"]}}\
            """;
    private static final char[] PASSWORD = "not-a-secret".toCharArray();

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final PrometheusQueries queries =
            new PrometheusQueries(Waiting.direct(), Duration.ofSeconds(2));
    @TempDir private Path folder;
    private Optional<HttpServer> running = Optional.empty();

    @FunctionalInterface
    private interface Answering {
        void answer(HttpExchange exchange) throws IOException;
    }

    @AfterEach
    void stop() {
        ended.countDown();
        queries.close();
        running.ifPresent(server -> server.stop(0));
    }

    @Test
    void asksForTheValueOfAQueryAtOnePath() throws IOException {
        Place place = plain(exchange -> reply(exchange, 200, ONE));

        assertThat(queries.ask(place, "sum(up{a=\"b\"}) + 1")).isEqualTo(new Known(1));
        assertThat(asked)
                .containsExactly("GET /api/v1/query?query=sum%28up%7Ba%3D%22b%22%7D%29+%2B+1 null");
        var withPath = new Place(URI.create(place.address() + "/prometheus/"), none(), none());
        assertThat(queries.ask(withPath, "up")).isEqualTo(new Known(1));
        assertThat(asked.getLast()).startsWith("GET /prometheus/api/v1/query?query=up ");
    }

    @Test
    void whatIsNoAnswerIsUnknown() throws IOException {
        for (int status : List.of(301, 307, 400, 401, 422, 500, 503)) {
            Place place =
                    plain(
                            exchange -> {
                                exchange.getResponseHeaders()
                                        .set("Location", "http://" + host(exchange) + "/other");
                                reply(exchange, status, ONE);
                            });
            assertThat(queries.ask(place, "up"))
                    .isEqualTo(new Unknown("Prometheus answers with HTTP " + status + "."));
            running.ifPresent(server -> server.stop(0));
        }
        assertThat(asked).as("no redirect is followed").noneMatch(it -> it.contains("/other"));
        assertThat(queries.ask(new Place(URI.create("http://127.0.0.1:1"), none(), none()), "up"))
                .isInstanceOf(Unknown.class);
    }

    @Test
    void readsNoMoreThanAnAnswerMayHave() throws IOException {
        Place place =
                plain(
                        exchange -> {
                            exchange.sendResponseHeaders(200, 0);
                            byte[] some = " ".repeat(8192).getBytes(UTF_8);
                            for (int i = 0; i < 10_000; i++) {
                                exchange.getResponseBody().write(some);
                            }
                        });

        assertThat(queries.ask(place, "up"))
                .isEqualTo(new Unknown("Prometheus does not answer, or with too much."));
    }

    @Test
    void waitsNoLongerForABodyThatNeverEnds() throws IOException {
        Place place =
                plain(
                        exchange -> {
                            exchange.sendResponseHeaders(200, 0);
                            exchange.getResponseBody().write('{');
                            exchange.getResponseBody().flush();
                            await();
                        });

        assertThat(queries.ask(place, "up"))
                .isEqualTo(new Unknown("Prometheus does not answer in time."));
    }

    @Test
    void sendsATokenOverHttpsOnly() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "abc\n");
        Place plain = plain(exchange -> reply(exchange, 200, ONE));
        assertThat(queries.ask(new Place(plain.address(), Optional.of(token), none()), "up"))
                .isInstanceOf(Unknown.class);
        assertThat(asked).isEmpty();

        Place place = encrypted("TLSv1.3");
        var withToken = new Place(place.address(), Optional.of(token), place.caFile());
        assertThat(queries.ask(withToken, "up")).isEqualTo(new Known(1));
        assertThat(asked).containsExactly("GET /api/v1/query?query=up Bearer abc");

        Files.writeString(token, "a\nb");
        assertThat(queries.ask(withToken, "up")).isInstanceOf(Unknown.class);
        Files.delete(token);
        assertThat(queries.ask(withToken, "up")).isInstanceOf(Unknown.class);
        assertThat(asked).hasSize(1);
    }

    @Test
    void trustsTheCertificatesOfTheFileAndNobodyElse() throws Exception {
        Place place = encrypted("TLSv1.3");
        assertThat(queries.ask(new Place(place.address(), none(), none()), "up"))
                .as("the JDK does not trust it")
                .isInstanceOf(Unknown.class);
        assertThat(queries.ask(place, "up")).isEqualTo(new Known(1));

        Files.writeString(place.caFile().orElseThrow(), "nothing");
        assertThat(queries.ask(place, "up")).as("it is read again").isInstanceOf(Unknown.class);
    }

    @Test
    void speaksNothingOlderThanTls13() throws Exception {
        assertThat(queries.ask(encrypted("TLSv1.2"), "up")).isInstanceOf(Unknown.class);
        assertThat(asked).isEmpty();
    }

    private Place plain(Answering answering) throws IOException {
        HttpServer server = HttpServer.create(loopback(), 0);
        return serving(server, "http://127.0.0.1:", answering, none());
    }

    private Place encrypted(String version) throws Exception {
        running.ifPresent(server -> server.stop(0));
        Path store = folder.resolve(version + ".p12");
        keytool(
                "-genkeypair",
                store,
                "-keyalg",
                "EC",
                "-dname",
                "CN=p",
                "-ext",
                "SAN=ip:127.0.0.1");
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(loopback(), 0);
        server.setHttpsConfigurator(
                new HttpsConfigurator(context) {
                    @Override
                    public void configure(HttpsParameters parameters) {
                        SSLParameters own = context.getDefaultSSLParameters();
                        own.setProtocols(new String[] {version});
                        parameters.setSSLParameters(own);
                    }
                });
        Path ca = folder.resolve(version + ".pem");
        Files.writeString(
                ca,
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(keys.getCertificate("own").getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
        return serving(
                server,
                "https://127.0.0.1:",
                exchange -> reply(exchange, 200, ONE),
                Optional.of(ca));
    }

    private Place serving(
            HttpServer server, String address, Answering answering, Optional<Path> ca) {
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(
                "/",
                exchange -> {
                    asked.add(
                            exchange.getRequestMethod()
                                    + " "
                                    + exchange.getRequestURI()
                                    + " "
                                    + exchange.getRequestHeaders().getFirst("Authorization"));
                    try (exchange) {
                        answering.answer(exchange);
                    }
                });
        server.start();
        running = Optional.of(server);
        return new Place(URI.create(address + server.getAddress().getPort()), none(), ca);
    }

    private static void keytool(String command, Path store, String... more) throws Exception {
        List<String> line =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                command,
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                String.valueOf(PASSWORD),
                                "-alias",
                                "own"));
        line.addAll(List.of(more));
        Process keytool = new ProcessBuilder(line).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
    }

    private void await() {
        try {
            assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static String host(HttpExchange exchange) {
        return exchange.getRequestHeaders().getFirst("Host");
    }

    private static void reply(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static Optional<Path> none() {
        return Optional.empty();
    }
}
