// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Gauge;
import io.sluice.process.access.Access;
import io.sluice.process.access.Caller;
import io.sluice.process.access.Permission;
import io.sluice.process.metric.Series;
import io.sluice.process.port.RefusedException;
import io.sluice.process.port.Request;
import io.sluice.process.port.Response;
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
    private final CollectorRegistry registry = new CollectorRegistry();

    /** Lets in who sends any header. */
    private static final class HeaderAccess implements Access {
        @Override
        public Caller caller(Request request) {
            if (request.authorization().isEmpty()) {
                throw new RefusedException(Response.error(401, "who are you"));
            }
            return new Caller.Anybody();
        }

        @Override
        public Caller replica(Request request) {
            return caller(request);
        }

        @Override
        public boolean allows(Caller caller, Permission permission) {
            return permission.equals(new Permission.Path("/metrics"));
        }
    }

    @Test
    void saysHowItIs() throws Exception {
        Gauge.build("gauge", "of the test").register(registry);
        try (var server = start(Access.OPEN)) {
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
            assertThat(get(server, "/readyz").statusCode()).isEqualTo(503);
            assertThat(get(server, "/readyz").body()).isEqualTo("one\ntwo\n");
            wrong.add("stuck");
            missing.clear();
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(503);
            assertThat(get(server, "/healthz").body()).isEqualTo("stuck\n");
            assertThat(get(server, "/readyz").statusCode()).isEqualTo(200);
            assertThat(get(server, "/metrics").body()).contains("gauge 0.0");
            assertThat(get(server, "/metrics").headers().firstValue("Cache-Control"))
                    .contains("no-store");
        }
    }

    @Test
    void probesAreAnsweredToEverybodyAndMetricsOnlyToWhoMayReadThem() throws Exception {
        try (var server = start(new HeaderAccess())) {
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
            assertThat(get(server, "/readyz").statusCode()).isEqualTo(503);
            assertThat(get(server, "/metrics").statusCode()).isEqualTo(401);
            assertThat(get(server, "/metrics", "Authorization", "x").statusCode()).isEqualTo(200);
        }
    }

    private ManagementServer start(Access access) throws Exception {
        return ManagementServer.start(
                0,
                new ManagementServer.Health(() -> List.copyOf(wrong), () -> List.copyOf(missing)),
                ManagementServer.Shown.of(registry),
                access,
                PortMetrics.of(new Series(registry)));
    }

    private static HttpResponse<String> get(ManagementServer server, String path, String... headers)
            throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request =
                    HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }
}
