// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.flink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The replies of a real JobManager (Flink 1.20.5; a source that reports what waits, and a vertex
 * that works) with rates a test turns. The engine carries copies of Flink classes, so that no
 * MiniCluster runs on its class path.
 */
public final class FlinkReplies implements AutoCloseable {
    public static final String JOB = "10d9052756f126669d8b26c22957956b";
    public static final String LOAD = "66250f48866f30912ce75923ebd1ef85";
    public static final String WORK = "674df9b0384c0348e0b9d1034a44c46c";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final long started = System.nanoTime();
    private final HttpServer server;
    private volatile int parallelism = 1;
    private volatile double rate = 100;
    private volatile double busy = 500;
    private volatile boolean silent;
    private volatile boolean withoutMetrics;
    private volatile Map<String, String> configuration = Map.of();
    private volatile ObjectNode requirements = JSON.createObjectNode();

    public FlinkReplies() {
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    public URI at() {
        return URI.create("http://localhost:" + server.getAddress().getPort());
    }

    /**
     * The job takes in {@code recordsPerSecond}, and each of its working subtasks is busy that many
     * milliseconds of a second.
     */
    public void load(double recordsPerSecond, double busyMillis) {
        rate = recordsPerSecond;
        busy = busyMillis;
    }

    public void runsWith(int workParallelism) {
        parallelism = workParallelism;
    }

    public void goSilent() {
        silent = true;
    }

    /** No vertex tells how busy it is any more. */
    public void hideBusyTime() {
        withoutMetrics = true;
    }

    /** What {@code /jobs/:id/jobmanager/config} answers. */
    public void configuredWith(Map<String, String> entries) {
        configuration = Map.copyOf(entries);
    }

    /** The resource requirements that were last set; empty if none were. */
    public JsonNode requirements() {
        return requirements;
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (silent) {
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            byte[] body = JSON.writeValueAsBytes(body(exchange));
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Object body(HttpExchange exchange) throws IOException {
        URI request = exchange.getRequestURI();
        String path = request.getPath();
        if (path.endsWith("/jobs/overview")) {
            return overview();
        }
        if (path.endsWith("/jobmanager/config")) {
            return configuration();
        }
        if (path.endsWith("/resource-requirements")) {
            return exchange.getRequestMethod().equals("PUT") ? require(exchange) : requirements;
        }
        if (path.endsWith("/metrics")) {
            Map<String, Double> metrics =
                    path.contains(LOAD)
                            ? sourceMetrics()
                            : path.contains(WORK) ? workMetrics() : processMetrics();
            if (withoutMetrics) {
                metrics.remove("busyTimeMsPerSecond");
            }
            return request.getQuery() == null ? names(metrics) : values(metrics, request);
        }
        return job();
    }

    private ObjectNode overview() throws IOException {
        ObjectNode overview = JSON.createObjectNode();
        ObjectNode job = overview.putArray("jobs").addObject();
        job.put("jid", JOB).put("name", "Orders by hour").put("state", "RUNNING");
        job.put("start-time", 1).put("end-time", -1).put("duration", 1);
        job.put("last-modification", 1).putObject("tasks").put("total", 2).put("running", 2);
        return overview;
    }

    private ArrayNode configuration() {
        ArrayNode entries = JSON.createArrayNode();
        configuration.forEach(
                (key, value) -> entries.addObject().put("key", key).put("value", value));
        return entries;
    }

    private ObjectNode require(HttpExchange exchange) throws IOException {
        requirements = (ObjectNode) JSON.readTree(exchange.getRequestBody());
        return JSON.createObjectNode();
    }

    private ObjectNode job() throws IOException {
        ObjectNode job =
                (ObjectNode)
                        JSON.readTree(FlinkReplies.class.getResourceAsStream("/rest/job.json"));
        ObjectNode load = (ObjectNode) job.at("/vertices/0");
        ObjectNode work = (ObjectNode) job.at("/vertices/1");
        long records = (long) (seconds() * rate);
        ((ObjectNode) load.path("metrics")).put("write-records", records);
        ((ObjectNode) work.path("metrics")).put("read-records", records);
        work.put("parallelism", parallelism);
        ((ObjectNode) job.at("/plan/nodes/1")).put("parallelism", parallelism);
        return job;
    }

    private Map<String, Double> sourceMetrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("busyTimeMsPerSecond", 1.0);
        metrics.put("backPressuredTimeMsPerSecond", 0.0);
        metrics.put("Source__load.numRecordsInPerSecond", rate);
        metrics.put("Source__load.numRecordsIn", seconds() * rate);
        metrics.put("Source__load.numRecordsOut", seconds() * rate);
        metrics.put("Source__load.pendingRecords", 0.0);
        return metrics;
    }

    private Map<String, Double> workMetrics() {
        return new LinkedHashMap<>(
                Map.of("busyTimeMsPerSecond", busy, "numRecordsInPerSecond", rate));
    }

    private static Map<String, Double> processMetrics() {
        return new LinkedHashMap<>(
                Map.of(
                        "taskSlotsTotal", 12.0,
                        "taskSlotsAvailable", 11.0,
                        "Status.JVM.Memory.Heap.Max", 1e9,
                        "Status.JVM.Memory.Heap.Used", 1e8,
                        "Status.JVM.Memory.Metaspace.Used", 5e7,
                        "Status.Flink.Memory.Managed.Used", 0.0,
                        "Status.JVM.GarbageCollector.All.TimeMsPerSecond", 1.0));
    }

    private static ArrayNode names(Map<String, Double> metrics) {
        ArrayNode names = JSON.createArrayNode();
        metrics.keySet().forEach(name -> names.addObject().put("id", name));
        return names;
    }

    /** The JobManager's metrics are plain, all others come aggregated. */
    private static ArrayNode values(Map<String, Double> metrics, URI request) {
        boolean plain = request.getPath().contains("/jobmanager/");
        ArrayNode values = JSON.createArrayNode();
        for (String name : named(request.getQuery())) {
            double value = metrics.getOrDefault(name, Double.NaN);
            ObjectNode entry = values.addObject().put("id", name);
            if (plain) {
                entry.put("value", Double.toString(value));
            } else {
                entry.put("min", value).put("max", value).put("avg", value).put("sum", value);
            }
        }
        return values;
    }

    private static List<String> named(String query) {
        return Arrays.stream(query.split("&"))
                .filter(part -> part.startsWith("get="))
                .flatMap(part -> Arrays.stream(part.substring("get=".length()).split(",")))
                .toList();
    }

    private double seconds() {
        return (System.nanoTime() - started) / 1e9;
    }
}
