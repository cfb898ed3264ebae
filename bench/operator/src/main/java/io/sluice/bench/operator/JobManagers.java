// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;

/**
 * JobManagers by the thousand: one server at every loopback address, where each address is another
 * JobManager with one job. They answer what the operator asks of a job that runs, stop it with a
 * savepoint, and cancel it; or they accept and never answer.
 */
final class JobManagers implements AutoCloseable {
    private static final Pattern SAVEPOINT = Pattern.compile("/jobs/\\w+/savepoints/\\w+");

    private final HttpServer server;
    private final Map<String, VirtualJob> jobs = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> asked = new ConcurrentHashMap<>();
    private final Map<String, Long> firstChange = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> silent = new ConcurrentHashMap<>();
    private final LongAdder requests = new LongAdder();
    private final LongAdder changes = new LongAdder();

    private JobManagers(HttpServer server) {
        this.server = server;
    }

    static JobManagers start() throws IOException {
        var server = HttpServer.create(new InetSocketAddress(0), 4096);
        var all = new JobManagers(server);
        server.createContext("/", all::handle);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return all;
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** The JobManager {@code name} is up now; a job that it runs already goes on. */
    void run(String name, VirtualJob job) {
        jobs.merge(name, job, (former, next) -> former.id().equals(next.id()) ? former : next);
    }

    /** The JobManager {@code name} is up now, and has a job like that of {@code model}. */
    void runAlike(String name, String model) {
        jobs.put(name, Objects.requireNonNull(jobs.get(model), model).alike());
    }

    /** From now on {@code name} accepts and never answers. */
    void silence(String name) {
        silent.put(name, new CountDownLatch(1));
    }

    /** From now on {@code name} answers again; what it was asked meanwhile it never does. */
    void answer(String name) {
        Optional.ofNullable(silent.remove(name)).ifPresent(CountDownLatch::countDown);
    }

    /** The job of {@code name}, if it has one, fails for good. */
    void fail(String name) {
        Optional.ofNullable(jobs.get(name)).ifPresent(job -> job.end("FAILED"));
    }

    /** There is no {@code name} any more. */
    void forget(String name) {
        answer(name);
        jobs.remove(name);
        asked.remove(name);
        firstChange.remove(name);
    }

    /** All requests so far, and those of them that would change something. */
    long requests() {
        return requests.sum();
    }

    long changes() {
        return changes.sum();
    }

    /** When (by {@link System#nanoTime}) the job of {@code name} was first told to change. */
    Optional<Long> firstChange(String name) {
        return Optional.ofNullable(firstChange.get(name));
    }

    /** From now on it is counted anew who was asked. */
    void forgetWhoWasAsked() {
        asked.clear();
    }

    int howManyWereAsked() {
        return asked.size();
    }

    /** Their names. */
    Set<String> whoWasAsked() {
        return Set.copyOf(asked.keySet());
    }

    @Override
    public void close() {
        silent.values().forEach(CountDownLatch::countDown);
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String name = Names.at(exchange.getLocalAddress().getAddress());
            requests.increment();
            asked.computeIfAbsent(name, _ -> new LongAdder()).increment();
            if (!exchange.getRequestMethod().equals("GET")) {
                changes.increment();
                firstChange.putIfAbsent(name, System.nanoTime());
            }
            Optional<CountDownLatch> silence = Optional.ofNullable(silent.get(name));
            if (silence.isPresent()) {
                silence.get().await();
                return;
            }
            answer(exchange, Optional.ofNullable(jobs.get(name)));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange, Optional<VirtualJob> job) throws IOException {
        exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().getPath();
        Optional<String> body =
                job.flatMap(
                        it ->
                                exchange.getRequestMethod().equals("GET")
                                        ? read(path, it)
                                        : change(path, it));
        byte[] bytes = body.orElse("{\"errors\":[\"Not found.\"]}").getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json; charset=UTF-8");
        int found = exchange.getRequestMethod().equals("GET") ? 200 : 202;
        exchange.sendResponseHeaders(body.isPresent() ? found : 404, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static Optional<String> read(String path, VirtualJob job) {
        if (SAVEPOINT.matcher(path).matches()) {
            return Optional.of(job.savepoint());
        }
        return switch (path.replace("/" + job.id(), "/:id")) {
            case "/jobs/overview" -> Optional.of(job.overview());
            case "/savepoint-disposal/0" ->
                    Optional.of("{\"status\":{\"id\":\"COMPLETED\"},\"operation\":{}}");
            case "/config" ->
                    Optional.of("{\"flink-version\":\"1.20.5\",\"flink-revision\":\"e1d9c1e\"}");
            case "/taskmanagers" -> Optional.of("{\"taskmanagers\":[{},{}]}");
            case "/jobs/:id/exceptions" ->
                    Optional.of("{\"exceptionHistory\":{\"entries\":[],\"truncated\":false}}");
            case "/jobs/:id/checkpoints" -> Optional.of(job.checkpoints());
            default -> Optional.empty();
        };
    }

    private static Optional<String> change(String path, VirtualJob job) {
        return switch (path.replace("/" + job.id(), "/:id")) {
            case "/jobs/:id/stop" -> {
                job.end("FINISHED");
                yield Optional.of("{\"request-id\":\"0\"}");
            }
            case "/jobs/:id/savepoints", "/savepoint-disposal" ->
                    Optional.of("{\"request-id\":\"0\"}");
            case "/jobs/:id" -> {
                job.end("CANCELED");
                yield Optional.of("{}");
            }
            default -> Optional.empty();
        };
    }
}
