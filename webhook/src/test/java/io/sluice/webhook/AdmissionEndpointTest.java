// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class AdmissionEndpointTest {
    private final WebhookMetrics metrics = new WebhookMetrics();

    @Test
    void sendsAwayWhatItCannotWorkOnNow() throws Exception {
        var response = post(_ -> Verdict.allowed(), new Gate(0));

        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.headers().firstValue("Retry-After")).contains("1");
        assertThat(faults("busy")).isEqualTo(1);
    }

    @Test
    void tellsNothingOfItsInsidesWhenItFails() throws Exception {
        var gate = new Gate(1);
        var response =
                post(
                        _ -> {
                            throw new IllegalStateException("secret detail");
                        },
                        gate);

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body())
                .contains("\"id\"")
                .doesNotContain("secret", "IllegalState", "io.sluice");
        assertThat(gate.drain(Duration.ZERO)).as("the slot is free again").isTrue();
        assertThat(faults("internal")).isEqualTo(1);
    }

    private double faults(String reason) {
        return metrics.registry()
                .getSampleValue(
                        "sluice_admission_faults_total",
                        new String[] {"reason"},
                        new String[] {reason});
    }

    private HttpResponse<String> post(Function<AdmissionRequest, Verdict> decide, Gate gate)
            throws Exception {
        var endpoint = new AdmissionEndpoint("/validate", decide, metrics, gate);
        var server =
                Javalin.create(
                                config -> {
                                    config.startup.showJavalinBanner = false;
                                    config.routes.post("/validate", endpoint);
                                })
                        .start(0);
        try (var client = HttpClient.newHttpClient()) {
            var body = Reviews.create(Reviews.yaml(Reviews.VALID)).toString();
            var request =
                    HttpRequest.newBuilder(
                                    URI.create("http://localhost:" + server.port() + "/validate"))
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build();
            return client.send(request, BodyHandlers.ofString());
        } finally {
            server.stop();
        }
    }
}
