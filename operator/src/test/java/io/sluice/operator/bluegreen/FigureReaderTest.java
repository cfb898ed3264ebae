// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.sun.net.httpserver.HttpServer;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.MetricSummary;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.manifest.Room;
import io.sluice.operator.bluegreen.analysis.Figures;
import io.sluice.operator.bluegreen.analysis.Figures.Progress;
import io.sluice.operator.bluegreen.analysis.Figures.QueryAnswer;
import io.sluice.operator.bluegreen.analysis.PrometheusQueries;
import io.sluice.operator.bluegreen.decide.HalfView;
import io.sluice.operator.bluegreen.decide.PairObservedState;
import io.sluice.operator.bluegreen.decide.PairSpec;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.ObservedState.Polls;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A look at a pair whose green half is being proven. */
class FigureReaderTest {
    private static final String PREFIX = "kubernetes.operator.bluegreen.";
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final URI BLUE = URI.create("http://orders-blue-rest.shop:8081");
    private static final URI GREEN = URI.create("http://orders-green-rest.shop:8081");

    private final FakeJobManager jobManagers = new FakeJobManager();
    private final FakeCluster blue = jobManagers.start(BLUE);
    private final FakeCluster green = jobManagers.start(GREEN);
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer prometheus;

    @BeforeEach
    void start() throws IOException {
        run(blue, "b", 100);
        run(green, "c", 300);
        prometheus =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        prometheus.createContext(
                "/api/v1/query",
                exchange -> {
                    asked.add(exchange.getRequestURI().getQuery());
                    byte[] body =
                            "{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[1,\"7\"]}}"
                                    .getBytes(UTF_8);
                    try (exchange) {
                        exchange.sendResponseHeaders(200, body.length);
                        exchange.getResponseBody().write(body);
                    }
                });
        prometheus.start();
    }

    @AfterEach
    void stop() {
        prometheus.stop(0);
    }

    @Test
    void asksBothHalvesAndPrometheusForWhatTheOptionsWant() throws IOException {
        Figures figures =
                look(
                        "Proving",
                        Map.of(
                                "analysis.duration", "5 min",
                                "analysis.max-lag-ratio", "2",
                                "analysis.queries", "errors, gone"));

        assertThat(figures)
                .isEqualTo(
                        new Figures(
                                true,
                                Optional.of(0L),
                                Optional.of(0L),
                                new Progress(Optional.of(300.0), Optional.empty()),
                                new Progress(Optional.of(100.0), Optional.empty()),
                                List.of(
                                        new QueryAnswer(
                                                "errors",
                                                Optional.of(7.0),
                                                Optional.empty(),
                                                Optional.of(0.5),
                                                ""),
                                        new QueryAnswer(
                                                "gone",
                                                Optional.empty(),
                                                Optional.empty(),
                                                Optional.empty(),
                                                "the operator's configuration does not define"
                                                        + " it."))));
        assertThat(asked)
                .containsExactly(
                        "query=errors{n=\"shop\",p=\"orders\",h=\"orders-green\",x=\"orders-blue\"}");
    }

    /** A token is sent over https only, and certificates that are not there trust nobody. */
    @Test
    void goesByTheFilesThatTheOperatorsConfigurationNames() throws IOException {
        Map<String, String> queries =
                Map.of("analysis.duration", "5 min", "analysis.queries", "errors");
        Map<String, String> token =
                Map.of("kubernetes.operator.bluegreen.prometheus.token-file", "/no/such/token");
        Map<String, String> certificates =
                Map.of(
                        "kubernetes.operator.bluegreen.prometheus.address",
                        address().replace("http:", "https:"),
                        "kubernetes.operator.bluegreen.prometheus.ca-file",
                        "/no/such/ca.crt");

        for (Map<String, String> platform : List.of(token, certificates)) {
            assertThat(look("Proving", queries, platform).queries())
                    .extracting(QueryAnswer::why)
                    .containsExactly("The operator can't ask Prometheus; its log says why.");
        }
        assertThat(asked).isEmpty();
    }

    /** It says where Prometheus is, and what to ask it: nobody reads that of a resource. */
    @Test
    void asksPrometheusForNothingThatAResourceSays() throws IOException {
        Figures figures =
                look(
                        "Proving",
                        Map.of(
                                "analysis.duration", "5 min",
                                "analysis.queries", "own",
                                "query.own.text", "up",
                                "query.own.max", "1",
                                "prometheus.address", address()));

        assertThat(figures.queries()).extracting(QueryAnswer::value).containsOnly(Optional.empty());
        assertThat(asked).isEmpty();
    }

    @Test
    void asksTheOtherHalfAloneWhereNothingIsCompared() throws IOException {
        look("Proving", Map.of("analysis.duration", "5 min"));

        assertThat(green.calls()).isEqualTo(1);
        assertThat(blue.calls()).isZero();
        assertThat(asked).isEmpty();
    }

    @Test
    void asksNobodyUnlessALookIsDue() throws IOException {
        Map<String, String> all =
                Map.of(
                        "analysis.duration", "5 min",
                        "analysis.max-lag-ratio", "2",
                        "analysis.max-watermark-delay", "1 min",
                        "analysis.queries", "errors");
        Map<String, String> off =
                Map.of("analysis.max-lag-ratio", "2", "analysis.queries", "errors");

        for (String phase : List.of("Preparing", "Saving", "Starting", "Retiring", "Ended")) {
            assertThat(look(phase, all)).as(phase).isEqualTo(Figures.NOT_ASKED);
        }
        assertThat(look("Proving", off)).isEqualTo(Figures.NOT_ASKED);
        assertThat(look("Proving, checkedAt: '2026-03-01T11:59:46Z'", all))
                .isEqualTo(Figures.NOT_ASKED);
        assertThat(green.calls() + blue.calls()).isZero();
        assertThat(asked).isEmpty();

        assertThat(look("Proving, checkedAt: '2026-03-01T11:59:45Z'", all).isAsked()).isTrue();
    }

    private Figures look(String phase, Map<String, String> configuration) throws IOException {
        return look(phase, configuration, Map.of());
    }

    private Figures look(String phase, Map<String, String> configuration, Map<String, String> more)
            throws IOException {
        Map<String, String> entries =
                new HashMap<>(
                        Map.of(
                                PREFIX + "prometheus.address",
                                address(),
                                PREFIX + "query.errors.text",
                                "errors{n=\"{{namespace}}\",p=\"{{name}}\",h=\"{{half}}\",x=\"{{active}}\"}",
                                PREFIX + "query.errors.max",
                                "0.5"));
        entries.putAll(more);
        var platform = new DefaultConfiguration(new FlinkConfiguration(entries));
        try (var queries = new PrometheusQueries(Waiting.direct())) {
            return new FigureReader(jobManagers, queries, () -> platform, InstantSource.fixed(NOW))
                    .looked(observed(phase, configuration))
                    .figures();
        }
    }

    private static PairObservedState observed(String phase, Map<String, String> configuration)
            throws IOException {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        configuration.forEach(
                (key, value) -> spec.withObject("/configuration").put(PREFIX + key, value));
        spec.withObject("/template/spec/job").put("upgradeMode", "stateless");
        var status =
                FlinkBlueGreenDeploymentStatus.of(
                        (ObjectNode)
                                new YAMLMapper()
                                        .readTree(
                                                """
                                                blueGreenState: TRANSITIONING_TO_GREEN
                                                conditions: [{type: Ready, status: 'False', reason: ProvingOtherHalf}]
                                                transition: {id: t, from: BLUE, to: GREEN, handover: overlap, since: '2026-03-01T11:59:00Z', phase: %s}
                                                """
                                                        .formatted(phase)));
        return new PairObservedState(
                new PairObservedState.Identity("shop", "orders", "uid", 1, false),
                PairSpec.of(spec),
                Optional.empty(),
                status,
                half("former", BLUE, "b"),
                half("t", GREEN, "c"),
                new AsyncResult.NotAsked(),
                Figures.NOT_ASKED,
                Optional.empty(),
                Room.NOT_ASKED,
                PairObservedState.SnapshotUse.NONE,
                Set.of(),
                Optional.empty(),
                new Polls(Duration.ofMinutes(1), Duration.ofSeconds(10)),
                NOW);
    }

    private static HalfView half(String mark, URI at, String job) {
        return new HalfView.Half(
                "uid-" + mark,
                HalfView.Condition.STEADY,
                "",
                Optional.of(mark),
                true,
                true,
                Optional.of(job),
                Optional.of(at),
                Optional.empty(),
                JsonNodeFactory.instance.objectNode());
    }

    private static void run(FakeCluster cluster, String job, double pending) {
        cluster.run(
                        job,
                        "orders",
                        new JobVertex("1", "Source: orders", 1, 4, "RUNNING"),
                        new JobVertex("2", "sink", 1, 4, "RUNNING"))
                .measures(
                        "1",
                        "Source__orders.pendingRecords",
                        new MetricSummary(pending, pending, pending));
    }

    private String address() {
        return "http://127.0.0.1:" + prometheus.getAddress().getPort();
    }
}
