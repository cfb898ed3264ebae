// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.sluice.flink.rest.Accepted;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.http.AnswerLimits;
import io.sluice.flink.rest.http.HttpJobManagerRest;
import io.sluice.flink.rest.http.HttpLimits;
import io.sluice.flink.rest.http.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JobManager whose REST API uses TLS, asked and told by both of the JDK's clients. */
class RestTlsTest {
    private static final String JOB = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    private static final AnswerLimits ANSWERS =
            new AnswerLimits(
                    8 << 20, 1 << 20, 32 << 20, 10_000, 10_000, 100, 32 << 10, 10_000, 10_000,
                    10_000, 1_000_000, 1 << 20);

    @TempDir private static Path shared;
    private static Stores jobManager;
    private static Stores impostor;
    private static Stores other;
    private static Stores shown;

    @TempDir private Path folder;
    private final List<HttpsServer> servers = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private Stores operator;

    @BeforeAll
    static void issue() throws Exception {
        jobManager = Stores.in(shared.resolve("jobmanager")).identified("localhost");
        impostor = Stores.in(shared.resolve("impostor")).identified("localhost");
        other = Stores.in(shared.resolve("other")).identified("orders-rest.shop.svc");
        shown = Stores.in(shared.resolve("shown")).identified("sluice-operator");
        for (Stores server : List.of(jobManager, impostor, other)) {
            server.trusting(shown);
        }
    }

    @BeforeEach
    void trust() throws Exception {
        operator = Stores.in(folder.resolve("operator")).trusting(jobManager);
    }

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
    }

    @Test
    void aHostWhoseCertificateIsTrustedIsAskedAndTold() throws Exception {
        try (var rest = rest(true)) {
            URI at = jobManager(jobManager, false);

            assertThat(rest.taskManagers(at)).isEqualTo(new Reply.Ok<>(0));
            assertThat(rest.cancel(at, JOB)).isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));
        }
    }

    @Test
    void aHostThatNobodyVouchesForIsRefusedWhateverItIsCalled() throws Exception {
        URI at = jobManager(impostor, false);

        for (boolean verifiesHosts : List.of(true, false)) {
            try (var rest = rest(verifiesHosts)) {
                assertThat(why(rest.taskManagers(at))).contains("PKIX path");
                assertThat(why(rest.cancel(at, JOB))).contains("PKIX path");
            }
        }
    }

    @Test
    void aCertificateForAnotherHostIsEnoughOnlyWhereHostsAreNotVerified() throws Exception {
        operator.trusting(other);
        URI at = jobManager(other, false);

        try (var rest = rest(true)) {
            assertThat(why(rest.taskManagers(at))).contains("localhost");
            assertThat(why(rest.cancel(at, JOB))).contains("localhost");
        }
        try (var rest = rest(false)) {
            assertThat(rest.taskManagers(at)).isEqualTo(new Reply.Ok<>(0));
            assertThat(rest.cancel(at, JOB)).isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));
        }
    }

    @Test
    void aHostThatAsksForACertificateIsShownOne() throws Exception {
        URI at = jobManager(jobManager, true);

        try (var rest = rest(true)) {
            assertThat(rest.taskManagers(at)).isInstanceOf(Reply.Unreachable.class);
            assertThat(rest.cancel(at, JOB)).isInstanceOf(Reply.Unreachable.class);
            operator.showing(shown);

            assertThat(rest.taskManagers(at)).isEqualTo(new Reply.Ok<>(0));
            assertThat(rest.cancel(at, JOB)).isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));
        }
    }

    @Test
    void newStoresTakeEffectWithoutARestart() throws Exception {
        URI at = jobManager(impostor, false);

        try (var rest = rest(true)) {
            assertThat(why(rest.taskManagers(at))).contains("PKIX path");
            assertThat(why(rest.cancel(at, JOB))).contains("PKIX path");
            operator.trusting(jobManager, impostor);

            assertThat(rest.taskManagers(at)).isEqualTo(new Reply.Ok<>(0));
            assertThat(rest.cancel(at, JOB)).isEqualTo(new Reply.Ok<>(Accepted.ACCEPTED));
        }
        assertThat(warnings).isEmpty();
    }

    @Test
    void storesThatCannotBeReadLeaveTheFormerOnesInUse() throws Exception {
        URI at = jobManager(jobManager, false);

        try (var rest = rest(true)) {
            assertThat(rest.taskManagers(at)).isEqualTo(new Reply.Ok<>(0));
            Files.writeString(operator.truststore(), "cut");

            assertThat(rest.taskManagers(at)).isEqualTo(new Reply.Ok<>(0));
            assertThat(rest.taskManagers(at)).isEqualTo(new Reply.Ok<>(0));
        }
        assertThat(warnings)
                .singleElement()
                .asString()
                .startsWith("certificates for JobManagers cannot be read: truststore.p12: ")
                .endsWith("; the former ones stay in use");
    }

    @Test
    void whatIsMissingIsNamed() throws Exception {
        var tls = tls(true);
        Files.writeString(operator.password(), "another");
        assertThatThrownBy(tls::terms)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("truststore.p12: keystore password was incorrect");

        Files.delete(operator.password());
        assertThatThrownBy(tls::terms).hasMessageContaining("password");

        Stores.in(operator.folder());
        Files.delete(operator.truststore());
        assertThatThrownBy(tls::terms).hasMessageContaining("no truststore.p12 or truststore.jks");

        operator.trusting(jobManager);
        assertThat(tls.terms().verifiesHosts()).isTrue();
        assertThat(warnings).isEmpty();
    }

    private static String why(Reply<?> reply) {
        assertThat(reply).isInstanceOf(Reply.Unreachable.class);
        return reply.toString();
    }

    private HttpJobManagerRest rest(boolean verifiesHosts) {
        return new HttpJobManagerRest(HttpLimits.of(ANSWERS), Waiting.direct(), tls(verifiesHosts));
    }

    private RestTls tls(boolean verifiesHosts) {
        return new RestTlsFolder(operator.folder(), verifiesHosts, Duration.ZERO, warnings::add);
    }

    /** Answers everything, as a cluster without TaskManagers would. */
    private URI jobManager(Stores stores, boolean asksForCertificates) throws IOException {
        var context =
                RestTls.of(Optional.of(stores.folder()), true, warnings::add).terms().context();
        var server =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(
                new HttpsConfigurator(context) {
                    @Override
                    public void configure(HttpsParameters parameters) {
                        SSLParameters asked = context.getDefaultSSLParameters();
                        asked.setNeedClientAuth(asksForCertificates);
                        parameters.setSSLParameters(asked);
                    }
                });
        server.createContext("/", RestTlsTest::answer);
        server.start();
        servers.add(server);
        return URI.create("https://localhost:" + server.getAddress().getPort());
    }

    private static void answer(HttpExchange exchange) throws IOException {
        byte[] body = "{\"taskmanagers\":[]}".getBytes(UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
