// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.Dashboard;
import io.sluice.testkit.Prometheus;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every query of the dashboard gives series from a real Prometheus that scrapes the webhook, while
 * an API server asks it. {@code local/prometheus} has one.
 */
@EnabledIfEnvironmentVariable(named = Prometheus.BINARY, matches = ".+")
class DashboardsIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    @TempDir private Path folder;
    private InstalledWebhook installed;

    @BeforeEach
    void install() {
        installed = new InstalledWebhook(API);
    }

    @AfterEach
    void remove() throws Exception {
        installed.remove();
    }

    @Test
    void everyPanelShowsSomething() throws Exception {
        var webhook = installed.startReady();
        var board = Dashboard.read("admission");
        try (var prometheus =
                Prometheus.start(folder, webhook.httpPort(), Dashboard.alerts("admission"))) {
            installed.create(Reviews.VALID);
            assertThatThrownBy(
                            () ->
                                    installed.create(
                                            Reviews.INVALID.replace("Orders", "more-orders")))
                    .isInstanceOf(KubernetesClientException.class);
            assertThat(postedTo(webhook, "no review")).isEqualTo(400);

            await().atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(prometheus.unanswered(board)).isEmpty());
        }
    }

    private int postedTo(Webhook webhook, String body) throws Exception {
        var uri = URI.create("https://127.0.0.1:" + webhook.httpsPort() + "/validate");
        try (var http =
                HttpClient.newBuilder()
                        .sslContext(TestCertificates.trusting(installed.authority()))
                        .build()) {
            return http.send(
                            HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body)).build(),
                            BodyHandlers.discarding())
                    .statusCode();
        }
    }
}
