// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prometheus.client.CollectorRegistry;
import io.sluice.process.metric.Series;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With the library's own client, as what it tells an interceptor is not written down. */
class ClientMetricsTest {
    private static final Duration A_LOOK_AT_THE_CLOCK = Duration.ofSeconds(2);

    private final CollectorRegistry registry = new CollectorRegistry(true);
    private final AtomicLong nanos = new AtomicLong();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    try (exchange) {
                        exchange.sendResponseHeaders(404, -1);
                    }
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void countsAndTimesWhatIsAnswered() {
        try (var client = client(Duration.ofSeconds(1))) {
            assertThat(client.pods().inNamespace("shop").withName("orders").get()).isNull();
        }

        assertThat(value("sluice_operator_api_requests_total", "GET", "404")).isEqualTo(1);
        assertThat(value("sluice_operator_api_request_seconds_count", "GET")).isEqualTo(1);
        assertThat(value("sluice_operator_api_request_seconds_sum", "GET")).isEqualTo(2);
        assertThat(value("sluice_operator_api_slow_requests_total", "GET")).isEqualTo(1);
    }

    @Test
    void countsWhatNobodyAnswers() {
        server.stop(0);
        try (var client = client(Duration.ofSeconds(5))) {
            assertThatThrownBy(() -> client.pods().inNamespace("shop").withName("orders").get())
                    .isInstanceOf(KubernetesClientException.class);
        }

        assertThat(value("sluice_operator_api_requests_total", "GET", "none")).isEqualTo(1);
    }

    private KubernetesClient client(Duration isSlow) {
        var metrics =
                new ClientMetrics(
                        new Series(registry),
                        isSlow,
                        () -> nanos.addAndGet(A_LOOK_AT_THE_CLOCK.toNanos()));
        return new KubernetesClientBuilder()
                .withConfig(
                        new ConfigBuilder(Config.empty())
                                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                                .withRequestRetryBackoffLimit(1)
                                .withRequestRetryBackoffInterval(1)
                                .build())
                .withHttpClientBuilderConsumer(
                        http -> http.addOrReplaceInterceptor("metrics", metrics))
                .build();
    }

    private double value(String name, String method) {
        return registry.getSampleValue(name, new String[] {"method"}, new String[] {method});
    }

    private double value(String name, String method, String code) {
        return registry.getSampleValue(
                name, new String[] {"method", "code"}, new String[] {method, code});
    }
}
