// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.analysis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.operator.bluegreen.analysis.PrometheusAnswer.Known;
import io.sluice.operator.bluegreen.analysis.PrometheusAnswer.Unknown;
import io.sluice.rules.config.AnalysisQueries;
import io.sluice.testkit.Prometheus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** What a real Prometheus answers to queries. {@code local/prometheus} has one. */
@EnabledIfEnvironmentVariable(named = Prometheus.BINARY, matches = ".+")
class PrometheusIT {
    private static final String SERIES =
            """
            errors{namespace="shop",half="orders-green"} 0.25
            errors{namespace="shop",half="orders-blue"} 4
            nothing{namespace="shop"} NaN
            """;

    @TempDir private Path folder;

    @Test
    void answersWithOneValueOrSaysWhyThereIsNone() throws IOException {
        HttpServer scraped =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        scraped.createContext(
                "/metrics",
                exchange -> {
                    try (exchange) {
                        exchange.getResponseHeaders().set("Content-Type", "text/plain");
                        exchange.sendResponseHeaders(200, SERIES.length());
                        exchange.getResponseBody().write(SERIES.getBytes(UTF_8));
                    }
                });
        scraped.start();
        Path rules = Files.writeString(folder.resolve("rules.yml"), "groups: []\n");
        try (var prometheus = Prometheus.start(folder, scraped.getAddress().getPort(), rules);
                var queries = new PrometheusQueries(Waiting.direct())) {
            var place =
                    new PrometheusQueries.Place(
                            prometheus.address(), Optional.empty(), Optional.empty());
            await().atMost(ofSeconds(30)).until(() -> prometheus.series("errors") == 2);

            Map<String, PrometheusAnswer> answers =
                    Map.of(
                            "errors{namespace=\"{{namespace}}\",half=\"{{half}}\"}",
                            new Known(0.25),
                            "scalar(errors{half=\"{{active}}\"})",
                            new Known(4),
                            "errors",
                            new Unknown("The query gives 2 values; it has to give one."),
                            "errors{half=\"{{name}}\"}",
                            new Unknown("The query gives no value."),
                            "nothing",
                            new Unknown("The value of the query is no finite number."),
                            "1 / 0",
                            new Unknown("The value of the query is no finite number."),
                            "errors[1m]",
                            new Unknown("The query gives no single value."),
                            "errors{",
                            new Unknown("Prometheus answers with HTTP 400."));
            answers.forEach(
                    (text, answer) ->
                            assertThat(queries.ask(place, filled(text)))
                                    .as(text)
                                    .isEqualTo(answer));
        } finally {
            scraped.stop(0);
        }
    }

    private static String filled(String text) {
        return new AnalysisQueries.Query(text, Optional.empty(), Optional.of(1.0))
                .about(new AnalysisQueries.Names("shop", "orders", "orders-green", "orders-blue"))
                .orElseThrow();
    }
}
