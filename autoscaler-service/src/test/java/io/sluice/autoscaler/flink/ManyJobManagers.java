// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.flink;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/**
 * One JobManager for each first part of the path, all in one server: each with a job that is a
 * chain of {@link #VERTICES}. Notes when it was asked for the job.
 */
public final class ManyJobManagers implements AutoCloseable {
    public static final int VERTICES = 10;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double RATE = 1000;
    private static final double BUSY = 650;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch end = new CountDownLatch(1);
    private final long started = System.nanoTime();
    private final Map<String, List<Long>> asked = new ConcurrentHashMap<>();
    private volatile Predicate<String> silent = _ -> false;
    private volatile Predicate<String> doubled = _ -> false;
    private volatile double doubledSince;

    public ManyJobManagers() throws IOException {
        server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4096);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** From now on those never answer. */
    public void silence(Predicate<String> names) {
        silent = names;
    }

    /** From now on twice as much comes in for those, and half of it waits. */
    public void doubleLoad(Predicate<String> names) {
        doubledSince = seconds();
        doubled = names;
    }

    /** Nanoseconds at which each job was asked for, by name, since {@link #forget}. */
    public Map<String, List<Long>> asked() {
        return asked;
    }

    public void forget() {
        asked.clear();
    }

    @Override
    public void close() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String[] path = exchange.getRequestURI().getPath().split("/", 3);
        if (silent.test(path[1])) {
            waitForTheEnd();
            return;
        }
        try (exchange) {
            byte[] body = JSON.writeValueAsBytes(body(path[1], path[2], exchange));
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private void waitForTheEnd() {
        try {
            end.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Object body(String name, String path, HttpExchange exchange) {
        if (!path.contains("metrics")) {
            asked.computeIfAbsent(name, _ -> new CopyOnWriteArrayList<>()).add(System.nanoTime());
            return job();
        }
        List<String> names = names(path);
        String query = exchange.getRequestURI().getQuery();
        double waiting = doubled.test(name) ? RATE * (seconds() - doubledSince) : 0;
        return query == null ? ids(names) : values(path.contains("jobmanager/"), query, waiting);
    }

    private static List<String> names(String path) {
        if (path.contains("jobmanager/")) {
            return List.of("taskSlotsTotal", "taskSlotsAvailable");
        }
        if (path.contains("taskmanagers/")) {
            return List.of(
                    "Status.JVM.Memory.Heap.Max",
                    "Status.JVM.Memory.Heap.Used",
                    "Status.JVM.CPU.Load",
                    "Status.JVM.GarbageCollector.All.TimeMsPerSecond");
        }
        List<String> names =
                new ArrayList<>(
                        List.of(
                                "busyTimeMsPerSecond",
                                "backPressuredTimeMsPerSecond",
                                "numRecordsInPerSecond",
                                "idleTimeMsPerSecond",
                                "numRecordsOut",
                                "numBytesIn"));
        if (path.contains(id(0))) {
            for (String metric :
                    List.of(
                            "numRecordsInPerSecond",
                            "numRecordsIn",
                            "numRecordsOut",
                            "pendingRecords")) {
                names.add("Source__in." + metric);
            }
        }
        return names;
    }

    private static ArrayNode ids(List<String> names) {
        ArrayNode ids = JSON.createArrayNode();
        names.forEach(name -> ids.addObject().put("id", name));
        return ids;
    }

    private ArrayNode values(boolean plain, String query, double waiting) {
        ArrayNode values = JSON.createArrayNode();
        Arrays.stream(query.split("&"))
                .filter(part -> part.startsWith("get="))
                .flatMap(part -> Arrays.stream(part.substring("get=".length()).split(",")))
                .forEach(
                        name -> {
                            double value = value(name, waiting);
                            ObjectNode entry = values.addObject().put("id", name);
                            if (plain) {
                                entry.put("value", Double.toString(value));
                            } else {
                                entry.put("min", value)
                                        .put("max", value)
                                        .put("avg", value)
                                        .put("sum", value);
                            }
                        });
        return values;
    }

    private double value(String name, double waiting) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "busyTimeMsPerSecond" -> BUSY;
            case "numRecordsInPerSecond" -> RATE;
            case "numRecordsIn", "numRecordsOut" -> seconds() * RATE;
            case "pendingRecords" -> waiting;
            case "Load" -> BUSY / 1000;
            case "Max" -> 1e9;
            case "Used" -> 1e8;
            case "taskSlotsTotal" -> VERTICES;
            default -> 0;
        };
    }

    private ObjectNode job() {
        ObjectNode job = JSON.createObjectNode();
        job.put("jid", FlinkReplies.JOB).put("name", "chain").put("isStoppable", false);
        job.put("state", "RUNNING").put("job-type", "STREAMING").put("maxParallelism", -1);
        job.put("start-time", 1).put("end-time", -1).put("duration", 1).put("now", 2);
        ObjectNode times = job.putObject("timestamps");
        for (String state :
                List.of(
                        "FAILED",
                        "CANCELED",
                        "CREATED",
                        "FAILING",
                        "FINISHED",
                        "SUSPENDED",
                        "RECONCILING",
                        "INITIALIZING",
                        "RESTARTING",
                        "CANCELLING")) {
            times.put(state, 0);
        }
        times.put("RUNNING", System.currentTimeMillis() - (long) (seconds() * 1000) - 600_000);
        ArrayNode vertices = job.putArray("vertices");
        ArrayNode nodes = JSON.createArrayNode();
        for (int i = 0; i < VERTICES; i++) {
            vertex(vertices.addObject(), i);
            ObjectNode node = nodes.addObject().put("id", id(i)).put("parallelism", 2);
            node.put("operator", "").put("operator_strategy", "").put("description", "v" + i);
            if (i > 0) {
                node.putArray("inputs")
                        .addObject()
                        .put("num", 0)
                        .put("id", id(i - 1))
                        .put("ship_strategy", "REBALANCE")
                        .put("exchange", "pipelined_bounded");
            }
            node.putObject("optimizer_properties");
        }
        tasks(job.putObject("status-counts"));
        ObjectNode plan = job.putObject("plan");
        plan.put("jid", FlinkReplies.JOB).put("name", "chain").put("type", "STREAMING");
        plan.set("nodes", nodes);
        return job;
    }

    private void vertex(ObjectNode vertex, int number) {
        long records = (long) (seconds() * RATE);
        vertex.put("id", id(number)).put("slotSharingGroupId", id(99)).put("name", "v" + number);
        vertex.put("maxParallelism", 128).put("parallelism", 2).put("status", "RUNNING");
        vertex.put("start-time", 1).put("end-time", -1).put("duration", 1);
        tasks(vertex.putObject("tasks"));
        ObjectNode metrics = vertex.putObject("metrics");
        metrics.put("read-bytes", 0).put("read-bytes-complete", true);
        metrics.put("write-bytes", 0).put("write-bytes-complete", true);
        metrics.put("read-records", number == 0 ? 0 : records).put("read-records-complete", true);
        metrics.put("write-records", records).put("write-records-complete", true);
        metrics.put("accumulated-backpressured-time", 0).put("accumulated-idle-time", 0);
        metrics.put("accumulated-busy-time", seconds() * BUSY);
    }

    private static void tasks(ObjectNode tasks) {
        for (String state :
                List.of(
                        "SCHEDULED",
                        "RECONCILING",
                        "FINISHED",
                        "DEPLOYING",
                        "INITIALIZING",
                        "CANCELING",
                        "CREATED",
                        "FAILED",
                        "CANCELED")) {
            tasks.put(state, 0);
        }
        tasks.put("RUNNING", 2);
    }

    private static String id(int number) {
        return "%032x".formatted(0xabcdef00 + number);
    }

    private double seconds() {
        return (System.nanoTime() - started) / 1e9;
    }
}
