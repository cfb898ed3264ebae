// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.edge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prometheus.client.CollectorRegistry;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.JobManagerLimits;
import io.sluice.autoscaler.decide.Graph;
import io.sluice.autoscaler.decide.Measure;
import io.sluice.autoscaler.explain.Counts;
import io.sluice.autoscaler.explain.Explanation;
import io.sluice.autoscaler.explain.Explanations;
import io.sluice.autoscaler.explain.HourlyHistory;
import io.sluice.autoscaler.explain.Mark;
import io.sluice.autoscaler.explain.Timeline;
import io.sluice.autoscaler.explain.Verdict;
import io.sluice.autoscaler.explain.VertexView;
import io.sluice.autoscaler.govern.Consumption;
import io.sluice.autoscaler.govern.HoldReason;
import io.sluice.autoscaler.share.Member;
import io.sluice.autoscaler.share.Peers;
import io.sluice.autoscaler.share.Share;
import io.sluice.process.access.Access;
import io.sluice.process.management.ManagementServer;
import io.sluice.process.management.ManagementServer.Health;
import io.sluice.process.management.PortMetrics;
import io.sluice.process.metric.Series;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EdgeTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final Explanations explanations = new Explanations();
    private final HttpClient http = HttpClient.newHttpClient();
    private ManagementServer edge;

    private final List<String> wrong = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() {
        edge =
                Edge.start(
                        0,
                        new CollectorRegistry(),
                        new Responses(
                                explanations,
                                () -> Share.alone(new Member("alone", Optional.empty())),
                                new Peers(Optional::empty, JobManagerLimits.DEFAULT.answers()),
                                Access.OPEN),
                        new Health(() -> List.copyOf(wrong), List::of),
                        Access.OPEN,
                        PortMetrics.of(new Series(new CollectorRegistry())));
    }

    @AfterEach
    void stop() {
        edge.close();
        http.close();
    }

    @Test
    void saysWhatKeepsItFromWorking() throws Exception {
        assertThat(get("/healthz").statusCode()).isEqualTo(200);

        wrong.add("nothing was finished for 300 s");
        assertThat(get("/healthz").statusCode()).isEqualTo(503);
        assertThat(get("/healthz").body()).contains("nothing was finished");
    }

    @Test
    void explainsWhatWasSeenDecidedAndIsNext() throws Exception {
        explanations.put(held());

        JsonNode job = new ObjectMapper().readTree(get("/explain/shop/orders").body());

        assertThat(job.at("/decision/outcome").asText()).isEqualTo("held");
        assertThat(job.at("/decision/reason").asText()).isEqualTo("COOLING_DOWN");
        assertThat(job.at("/decision/until").asText()).isEqualTo("2026-01-01T12:01:00Z");
        assertThat(job.at("/decision/next").asText()).contains("12:01");
        assertThat(job.at("/decision/proposed/01").asInt()).isEqualTo(4);
        assertThat(job.at("/vertices/1/inputs/0/ship").asText()).isEqualTo("HASH");
        assertThat(job.at("/timeline/times")).hasSize(2);
        assertThat(job.at("/timeline/vertices/01/load/1").asDouble()).isEqualTo(0.5);
        assertThat(job.at("/timeline/vertices/02/lag/0").isNull()).isTrue();
        assertThat(job.at("/timeline/vertices/01/parallelism/0").asInt()).isEqualTo(2);
        assertThat(job.at("/timeline/vertices/01/wanted/0").isNull()).isTrue();
        assertThat(job.at("/timeline/vertices/01/wanted/1").asInt()).isEqualTo(4);
        assertThat(job.at("/timeline/marks/0/why").asText()).isEqualTo("too many");
    }

    @Test
    void listsAllJobsWithWhatTheyTakeAndNeed() throws Exception {
        explanations.put(held());

        JsonNode job = new ObjectMapper().readTree(get("/explain").body()).path(0);

        assertThat(job.path("name").asText()).isEqualTo("orders");
        assertThat(job.path("outcome").asText()).isEqualTo("held");
        assertThat(job.path("rescalesOfTheDay").asInt()).isOne();
        assertThat(job.path("rescalesPerDay").asInt()).isEqualTo(20);
        assertThat(job.at("/slots/used").asInt()).isEqualTo(4);
        assertThat(job.at("/slots/needed").asInt()).isEqualTo(3);
        assertThat(job.at("/costPerHour/used").asDouble()).isEqualTo(0.5);
        assertThat(job.at("/costPerHour").has("needed")).isFalse();
        assertThat(job.path("lagSeconds").asDouble()).isEqualTo(30);
        assertThat(job.path("rates")).hasSize(2);
        assertThat(job.at("/rates/1").asDouble()).isEqualTo(100);
    }

    @Test
    void servesThePageUnderAStrictPolicy() throws Exception {
        for (String path : List.of("/", "/jobs/shop/orders", "/page/page.css", "/page/page.js")) {
            HttpResponse<String> page = get(path);

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Security-Policy"))
                    .hasValueSatisfying(
                            policy ->
                                    assertThat(policy)
                                            .contains("default-src 'none'")
                                            .doesNotContain("unsafe"));
        }
        assertThat(get("/").body()).doesNotContain("http://", "https://", "style=", "onclick");
    }

    @Test
    void saysThatNobodyAskedForAJob() throws Exception {
        assertThat(get("/explain/shop/none").statusCode()).isEqualTo(404);
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://localhost:" + edge.port() + path);
        return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private static Explanation held() {
        List<VertexView> vertices =
                List.of(
                        new VertexView(
                                "01",
                                "work",
                                2,
                                128,
                                Optional.of(2),
                                new TreeMap<>(
                                        Map.of(
                                                "load",
                                                new Measure(0.9, 0.5),
                                                "target_data_rate",
                                                new Measure(100, 100),
                                                "lag",
                                                new Measure(3000, Double.NaN)))),
                        new VertexView(
                                "02",
                                "sink",
                                2,
                                128,
                                Optional.of(2),
                                new TreeMap<>(Map.of("target_data_rate", new Measure(70, 70)))));
        Timeline timeline = new Timeline();
        timeline.add(NOON.minusSeconds(120), vertices, Map.of());
        timeline.add(NOON.minusSeconds(60), vertices, Map.of());
        timeline.add(NOON, vertices, Map.of("01", 4));
        timeline.mark(new Mark(NOON, "held", "too many"));
        return new Explanation(
                new JobKey("shop", "orders", "u-1"),
                NOON,
                vertices,
                new Graph(Map.of("02", List.of(new Graph.Input("01", "HASH"))), Map.of()),
                new Verdict.Held(
                        HoldReason.COOLING_DOWN,
                        Optional.of(NOON.plusSeconds(60)),
                        new TreeMap<>(Map.of("01", 4))),
                new Counts(1, 0, 0, Map.of(HoldReason.COOLING_DOWN, 1L), Map.of(), 1, 20),
                Optional.of(Duration.ofSeconds(2)),
                Optional.of(new Consumption(4, Optional.of(3), Optional.of(0.5), Optional.empty())),
                Optional.empty(),
                List.of(),
                timeline,
                new HourlyHistory());
    }
}
