// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExplainTest {
    private static final String JOB =
            """
            {"kind":"FlinkDeployment","namespace":"shop","name":"orders",
             "decision":{"outcome":"held","why":"the last rescale is too recent",
              "next":"decided anew with each cycle","proposed":{"01":4}},
             "counts":{"rescalesOfTheDay":3,"rescalesPerDay":20,"holds":{"COOLING_DOWN":2}},
             "ignoredOptions":[],"slots":{"used":12,"needed":8},"costPerHour":{"used":0.3},"lagSeconds":41.7,
             "vertices":[{"id":"01","name":"work","parallelism":2,
              "metrics":{"load":0.91,"true_processing_rate":1200.4,"target_data_rate":2000}}]}""";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        answer("orders", JOB);
        server.start();
    }

    private void answer(String name, String text) {
        server.createContext(
                "/explain/shop/" + name,
                exchange -> {
                    byte[] body = text.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void tellsWhatWasDecidedAndWhy() {
        assertThat(explain("orders", "-n", "shop")).isZero();
        assertThat(out.toString())
                .contains("held", "too recent", "3 of 20", "COOLING_DOWN")
                .containsPattern("slots +12, needed 8")
                .containsPattern("cost +0.30 an hour\n")
                .containsPattern("lag +42 s")
                .containsPattern("work +2 -> 4 +0.91 +1200 +2000 +-");
    }

    @Test
    void writesTheServicesOwnWordsAsJson() {
        assertThat(explain("orders", "-n", "shop", "-o", "json")).isZero();
        assertThat(out.toString()).contains("\"outcome\" : \"held\"");
    }

    @Test
    void namesTheJobThatIsNotThere() {
        assertThat(explain("orders")).isEqualTo(1);
        assertThat(err.toString()).contains("'orders' in namespace 'default'");
    }

    @Test
    void saysHowToReachAServiceThatDoesNotAnswer() {
        server.stop(0);

        assertThat(explain("orders", "-n", "shop")).isEqualTo(2);
        assertThat(err.toString()).contains("kubectl port-forward");
    }

    @Test
    void readsNoAnswerThatIsLargerThanAnExplanationCanBe() {
        answer("many", "[" + "{},".repeat(200_000) + "{}]");
        answer("deep", "[".repeat(100));
        answer("long", " ".repeat(9 * 1024 * 1024) + "{}");

        assertThat(explain("many", "-n", "shop")).isEqualTo(2);
        assertThat(explain("deep", "-n", "shop")).isEqualTo(2);
        assertThat(explain("long", "-n", "shop")).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(3).allMatch(each -> each.contains("can't be"));
    }

    private int explain(String... arguments) {
        String[] all = new String[arguments.length + 4];
        all[0] = "autoscaler";
        all[1] = "explain";
        all[2] = "--service";
        all[3] = "http://localhost:" + server.getAddress().getPort();
        System.arraycopy(arguments, 0, all, 4, arguments.length);
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all);
    }
}
