// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the JobManagers of a few clusters answer over HTTP to a process of the operator. A savepoint
 * is complete once it was asked about for some time.
 */
final class HttpJobManagers implements AutoCloseable {
    /** How often a savepoint is asked about before it is complete. */
    private static final int LOOKS = 12;

    private record Job(String id, Instant start) {}

    private final Map<String, Job> jobs = new ConcurrentHashMap<>();
    private final Map<String, Integer> looks = new ConcurrentHashMap<>();
    private final HttpServer server;

    HttpJobManagers() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Where the operator finds them, as {@code SLUICE_REST_TEMPLATE}. */
    String template() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/{name}";
    }

    /** The job of a cluster runs, with all its tasks. */
    void run(String cluster, String jobId) {
        jobs.put(cluster, new Job(jobId, Instant.now()));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String[] path = exchange.getRequestURI().getPath().split("/", 3);
        byte[] body =
                answer(exchange.getRequestMethod(), path[1], "/" + path[2], exchange)
                        .getBytes(UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(body.length == 0 ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private String answer(String method, String cluster, String path, HttpExchange exchange)
            throws IOException {
        if (!jobs.containsKey(cluster)) {
            return "";
        }
        Job job = jobs.get(cluster);
        return switch (path.replace("/jobs/" + job.id(), "/job")) {
            case "/config" -> "{\"flink-version\":\"1.20.5\",\"flink-revision\":\"e1d9c1e\"}";
            case "/taskmanagers" -> "{\"taskmanagers\":[{},{}]}";
            case "/jobs/overview" -> overview(job);
            case "/job/checkpoints" -> checkpoints();
            case "/job/metrics" ->
                    """
                    [{"id":"numRestarts","value":"0"},{"id":"numberOfCompletedCheckpoints","value":"7"}]
                    """;
            case "/job/savepoints" -> asked(method, exchange);
            case String savepoint when savepoint.startsWith("/job/savepoints/") ->
                    progress(savepoint);
            default -> "";
        };
    }

    private static String overview(Job job) {
        return """
        {"jobs":[{"jid":"%s","name":"orders","start-time":%d,"end-time":-1,"duration":1000,
        "state":"RUNNING","last-modification":%d,"tasks":{"running":1,"canceling":0,"canceled":0,
        "total":1,"created":0,"scheduled":0,"deploying":0,"reconciling":0,"finished":0,"initializing":0,
        "failed":0}}]}
        """
                .formatted(job.id(), job.start().toEpochMilli(), job.start().toEpochMilli());
    }

    private static String checkpoints() {
        return """
               {"latest":{"completed":{"id":7,"external_path":"file:/c/chk-7","latest_ack_timestamp":1772366460000,
               "discarded":false,"state_size":1024}},
               "history":[{"status":"IN_PROGRESS","is_savepoint":true,"trigger_timestamp":1772366460000,
               "num_subtasks":4,"num_acknowledged_subtasks":1}]}
               """;
    }

    private static String asked(String method, HttpExchange exchange) throws IOException {
        if (!method.equals("POST")) {
            return "";
        }
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        return "{\"request-id\":\""
                + body.replaceFirst(".*\"triggerId\":\"([0-9a-f]{32})\".*", "$1")
                + "\"}";
    }

    private String progress(String savepoint) {
        return looks.merge(savepoint, 1, Integer::sum) < LOOKS
                ? "{\"status\":{\"id\":\"IN_PROGRESS\"}}"
                : "{\"status\":{\"id\":\"COMPLETED\"},\"operation\":{\"location\":\"file:/s"
                        + savepoint.substring(savepoint.lastIndexOf('/'))
                        + "\"}}";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
