// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.ordinary;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** A job of two vertices as Flink's REST API tells of it. */
public final class OrdinaryJob {
    public static final List<String> VERTICES =
            List.of("cbc357ccb763df2852fee8c4fc7d55f2", "90bea66de1c231edf33913ecd54406c1");
    private static final int PARALLELISM = 2;
    private static final double RATE = 1000;
    private static final List<String> METRICS =
            List.of(
                    "busyTimeMsPerSecond",
                    "backPressuredTimeMsPerSecond",
                    "idleTimeMsPerSecond",
                    "numRecordsInPerSecond",
                    "numRecordsOut",
                    "numBytesIn",
                    "Source__in.numRecordsInPerSecond",
                    "Source__in.numRecordsIn",
                    "Source__in.numRecordsOut",
                    "Source__in.pendingRecords");

    private final String id;
    private final long started = InstantSource.system().millis();
    private final Map<String, Integer> parallelism = new ConcurrentHashMap<>();
    private volatile String state = "RUNNING";
    private volatile long changed = started;

    OrdinaryJob(String id) {
        this.id = id;
        VERTICES.forEach(vertex -> parallelism.put(vertex, PARALLELISM));
    }

    /** Whether it ran until now. */
    synchronized boolean end(String how) {
        boolean ran = state.equals("RUNNING");
        if (ran) {
            changed = InstantSource.system().millis();
            state = how;
        }
        return ran;
    }

    void scale(String vertex, int to) {
        parallelism.put(vertex, to);
    }

    String overview() {
        boolean runs = state.equals("RUNNING");
        return """
                {"jid":"%s","name":"orders","start-time":%d,"end-time":%d,"duration":1000,"state":"%s",\
                "last-modification":%d,"tasks":{"running":%d,"canceling":0,"canceled":0,"total":4,"created":0,\
                "scheduled":0,"deploying":0,"reconciling":0,"finished":%d,"initializing":0,"failed":0},\
                "pending-operators":0}"""
                .formatted(
                        id,
                        started,
                        runs ? -1 : changed,
                        state,
                        changed,
                        runs ? 4 : 0,
                        runs ? 0 : 4);
    }

    String savepoint() {
        return """
                {"status":{"id":"COMPLETED"},"operation":{"location":"s3://savepoints/savepoint-%s-000000000001"}}"""
                .formatted(id.substring(0, 6));
    }

    String checkpoints() {
        return """
                {"counts":{"restored":0,"total":1,"in_progress":0,"completed":1,"failed":0},"latest":{"completed":\
                {"id":1,"status":"COMPLETED","is_savepoint":false,"trigger_timestamp":%d,"external_path":\
                "s3://checkpoints/%s/chk-1","discarded":false},"savepoint":null,"failed":null,"restored":null},"history":[]}"""
                .formatted(started, id);
    }

    String requirements() {
        return new TreeMap<>(parallelism)
                .entrySet().stream()
                        .map(
                                each ->
                                        "\"%s\":{\"parallelism\":{\"lowerBound\":1,\"upperBound\":%d}}"
                                                .formatted(each.getKey(), each.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
    }

    String details() {
        String nodes =
                """
                {"id":"%s","parallelism":2,"operator":"","operator_strategy":"","description":"in","optimizer_properties":{}},\
                {"id":"%s","parallelism":2,"operator":"","operator_strategy":"","description":"out","optimizer_properties":{},\
                "inputs":[{"num":0,"id":"%s","ship_strategy":"REBALANCE","exchange":"pipelined_bounded"}]}"""
                        .formatted(VERTICES.get(0), VERTICES.get(1), VERTICES.get(0));
        return """
                {"jid":"%s","name":"orders","isStoppable":false,"state":"%s","job-type":"STREAMING","maxParallelism":-1,\
                "start-time":%d,"end-time":-1,"duration":1000,"now":%d,"timestamps":{"RUNNING":%d,"FAILED":0,"CANCELED":0,\
                "CREATED":0,"FAILING":0,"FINISHED":0,"SUSPENDED":0,"RECONCILING":0,"INITIALIZING":0,"RESTARTING":0,"CANCELLING":0},\
                "vertices":[%s,%s],"status-counts":%s,"plan":{"jid":"%s","name":"orders","type":"STREAMING","nodes":[%s]}}"""
                .formatted(
                        id,
                        state,
                        started,
                        InstantSource.system().millis(),
                        started,
                        vertex(0, "in"),
                        vertex(1, "out"),
                        tasks(),
                        id,
                        nodes);
    }

    /** What {@code /metrics} answers: the names, or the values that {@code query} asks for. */
    String metrics(String query, boolean ofJobManager) {
        if (query.isEmpty()) {
            List<String> names =
                    ofJobManager ? List.of("taskSlotsTotal", "taskSlotsAvailable") : METRICS;
            return names.stream()
                    .map("{\"id\":\"%s\"}"::formatted)
                    .collect(Collectors.joining(",", "[", "]"));
        }
        return Arrays.stream(query.split("&", -1))
                .filter(part -> part.startsWith("get="))
                .flatMap(part -> Arrays.stream(part.substring("get=".length()).split(",", -1)))
                .map(name -> value(name, ofJobManager))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private String value(String name, boolean plain) {
        double value =
                switch (name.substring(name.lastIndexOf('.') + 1)) {
                    case "busyTimeMsPerSecond" -> 650;
                    case "numRecordsInPerSecond" -> RATE;
                    case "numRecordsIn", "numRecordsOut" -> records();
                    case "Max" -> 1e9;
                    case "Used" -> 1e8;
                    case "taskSlotsTotal" -> 4;
                    default -> 0;
                };
        return plain
                ? "{\"id\":\"%s\",\"value\":\"%s\"}".formatted(name, value)
                : "{\"id\":\"%s\",\"min\":%s,\"max\":%s,\"avg\":%s,\"sum\":%s}"
                        .formatted(name, value, value, value, value);
    }

    private String vertex(int index, String name) {
        String vertex = VERTICES.get(index);
        long records = (long) records();
        return """
                {"id":"%s","slotSharingGroupId":"%s","name":"%s","maxParallelism":128,"parallelism":%d,"status":"RUNNING",\
                "start-time":1,"end-time":-1,"duration":1,"tasks":%s,"metrics":{"read-bytes":0,"read-bytes-complete":true,\
                "write-bytes":0,"write-bytes-complete":true,"read-records":%d,"read-records-complete":true,"write-records":%d,\
                "write-records-complete":true,"accumulated-backpressured-time":0,"accumulated-idle-time":0,\
                "accumulated-busy-time":%d}}"""
                .formatted(
                        vertex,
                        VERTICES.getFirst(),
                        name,
                        parallelism.getOrDefault(vertex, PARALLELISM),
                        tasks(),
                        index == 0 ? 0 : records,
                        records,
                        records / 2);
    }

    private static String tasks() {
        return "{\"RUNNING\":2,\"SCHEDULED\":0,\"RECONCILING\":0,\"FINISHED\":0,\"DEPLOYING\":0,\"INITIALIZING\":0,"
                + "\"CANCELING\":0,\"CREATED\":0,\"FAILED\":0,\"CANCELED\":0}";
    }

    private double records() {
        return (InstantSource.system().millis() - started) / 1000.0 * RATE;
    }
}
