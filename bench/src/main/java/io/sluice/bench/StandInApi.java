// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * As much of a Kubernetes API server as the webhook asks of one: single objects that are created,
 * read and replaced, FlinkDeployments listed in pages, and watches on which nothing happens. On
 * loopback and without TLS.
 */
final class StandInApi implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/";

    private final HttpServer server;
    private final Map<String, ObjectNode> objects = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final int deployments;

    private StandInApi(HttpServer server, int deployments) {
        this.server = server;
        this.deployments = deployments;
    }

    /**
     * @param deployments how many FlinkDeployments it holds
     */
    static StandInApi start(int deployments) throws IOException {
        // The head and the body of an answer are two writes: the second would wait for the first.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        var server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var api = new StandInApi(server, deployments);
        api.configuration("validating");
        api.configuration("mutating");
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", api::answer);
        server.start();
        return api;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Whom the webhook has published to be trusted, as PEM; empty until it has. */
    Optional<String> caBundle() {
        String path = CONFIGURATIONS + "validatingwebhookconfigurations/sluice-validating";
        return Optional.ofNullable(objects.get(path))
                .map(object -> object.at("/webhooks/0/clientConfig/caBundle").asText(""))
                .filter(text -> !text.isEmpty())
                .map(text -> new String(Base64.getDecoder().decode(text), UTF_8));
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
    }

    private void configuration(String word) {
        String kind = Character.toUpperCase(word.charAt(0)) + word.substring(1);
        ObjectNode object = JSON.createObjectNode();
        object.put("apiVersion", "admissionregistration.k8s.io/v1")
                .put("kind", kind + "WebhookConfiguration");
        object.putObject("metadata").put("name", "sluice-" + word).put("resourceVersion", "1");
        object.putArray("webhooks")
                .addObject()
                .put("name", word + ".flink.apache.org")
                .putObject("clientConfig")
                .put("url", "https://127.0.0.1/");
        objects.put(CONFIGURATIONS + word + "webhookconfigurations/sluice-" + word, object);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            Map<String, String> query = query(exchange);
            if (query.containsKey("watch")) {
                watch(exchange);
            } else if (path.endsWith("/flinkdeployments") || path.endsWith("/flinksessionjobs")) {
                list(exchange, path.endsWith("/flinkdeployments") ? deployments : 0, query);
            } else {
                single(exchange, path);
            }
        }
    }

    /** Open until the end; nothing ever happens. */
    private void watch(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().flush();
        try {
            closed.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void list(HttpExchange exchange, int all, Map<String, String> query)
            throws IOException {
        int from = Integer.parseInt(query.getOrDefault("continue", "0"));
        int to = Math.min(all, from + Integer.parseInt(query.getOrDefault("limit", "" + all)));
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            String next = to < all ? "\"continue\":\"" + to + "\"," : "";
            out.write(
                    ("{\"apiVersion\":\"flink.apache.org/v1beta1\",\"kind\":\"List\",\"metadata\":{"
                                    + next
                                    + "\"resourceVersion\":\"1\"},\"items\":[")
                            .getBytes(UTF_8));
            for (int i = from; i < to; i++) {
                out.write(i == from ? new byte[0] : new byte[] {','});
                out.write(Reviews.deployment("job-" + i, 1).toString().getBytes(UTF_8));
            }
            out.write("]}".getBytes(UTF_8));
        }
    }

    private void single(HttpExchange exchange, String path) throws IOException {
        switch (exchange.getRequestMethod()) {
            case "GET" -> {
                Optional<ObjectNode> found = Optional.ofNullable(objects.get(path));
                send(exchange, found.isPresent() ? 200 : 404, found.orElseGet(StandInApi::absent));
            }
            case "POST", "PUT" -> send(exchange, 200, store(exchange, path));
            default -> send(exchange, 405, absent());
        }
    }

    private ObjectNode store(HttpExchange exchange, String path) throws IOException {
        var object = (ObjectNode) JSON.readTree(exchange.getRequestBody());
        ObjectNode metadata = object.withObjectProperty("metadata");
        String name = metadata.path("name").asText();
        metadata.put("resourceVersion", "" + System.nanoTime());
        objects.put(path.endsWith("/" + name) ? path : path + "/" + name, object);
        return object;
    }

    private static ObjectNode absent() {
        return JSON.createObjectNode()
                .put("apiVersion", "v1")
                .put("kind", "Status")
                .put("code", 404)
                .put("reason", "NotFound")
                .put("message", "not here");
    }

    private static void send(HttpExchange exchange, int status, ObjectNode body)
            throws IOException {
        byte[] text = body.toString().getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, text.length);
        exchange.getResponseBody().write(text);
    }

    private static Map<String, String> query(HttpExchange exchange) {
        return Optional.ofNullable(exchange.getRequestURI().getRawQuery()).stream()
                .flatMap(text -> Arrays.stream(text.split("&", -1)))
                .map(pair -> pair.split("=", 2))
                .collect(
                        Collectors.toMap(
                                pair -> pair[0],
                                pair -> pair.length == 1 ? "" : URLDecoder.decode(pair[1], UTF_8),
                                (first, _) -> first));
    }
}
