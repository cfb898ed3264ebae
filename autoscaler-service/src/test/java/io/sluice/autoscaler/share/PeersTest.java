// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.sluice.autoscaler.collect.JobManagerLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Another replica, or whoever has its address, that answers anything. */
class PeersTest {
    private final AtomicReference<String> answer = new AtomicReference<>("{}");
    private final Peers peers = new Peers(Optional::empty, JobManagerLimits.DEFAULT.answers());
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/explain",
                exchange -> {
                    byte[] body = answer.get().getBytes(UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void readsWhatAnotherReplicaExplains() {
        assertThat(asked("{\"name\":\"orders\"}").orElseThrow().path("name").asText())
                .isEqualTo("orders");
    }

    @Test
    void usesNoAnswerWithMoreValuesThanAJobManagersMayHave() {
        int most = JobManagerLimits.DEFAULT.answers().tokens() / 4;

        assertThat(asked("[" + "{},".repeat(most / 2 - 10) + "{}]")).isPresent();
        assertThat(asked("[" + "{},".repeat(most / 2) + "{}]")).isEmpty();
    }

    @Test
    void usesNoAnswerThatIsNestedDeeperOrLongerThanAJobManagersMayBe() {
        assertThat(asked("[".repeat(60) + "]".repeat(60))).isEmpty();
        assertThat(asked("[\"" + "x".repeat(2 * 1024 * 1024) + "\"]")).isEmpty();
        assertThat(asked(" ".repeat(9 * 1024 * 1024) + "{}")).isEmpty();
    }

    @Test
    void usesNoAnswerThatIsNoJson() {
        assertThat(asked("{\"name\":")).isEmpty();
    }

    private Optional<JsonNode> asked(String text) {
        answer.set(text);
        URI address = URI.create("http://localhost:" + server.getAddress().getPort());
        return peers.ask(new Member("other", Optional.of(address)), "/explain");
    }
}
