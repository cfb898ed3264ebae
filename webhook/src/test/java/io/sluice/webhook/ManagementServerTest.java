// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ManagementServerTest {
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final List<String> missing = new CopyOnWriteArrayList<>(List.of("one", "two"));

    @Test
    void saysHowItIs() throws Exception {
        try (var server =
                ManagementServer.start(
                        0,
                        () -> List.copyOf(wrong),
                        () -> List.copyOf(missing),
                        new WebhookMetrics())) {
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
            assertThat(get(server, "/readyz").statusCode()).isEqualTo(503);
            assertThat(get(server, "/readyz").body()).isEqualTo("one\ntwo\n");
            wrong.add("stuck");
            missing.clear();
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(500);
            assertThat(get(server, "/healthz").body()).isEqualTo("stuck\n");
            assertThat(get(server, "/readyz").statusCode()).isEqualTo(200);
            assertThat(get(server, "/metrics").body())
                    .contains("jvm_memory_bytes_used")
                    .contains("sluice_certificate_expiry_seconds")
                    .contains("sluice_build_info{component=\"webhook\"");
        }
    }

    private static HttpResponse<String> get(ManagementServer server, String path) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var uri = URI.create("http://localhost:" + server.port() + path);
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        }
    }
}
