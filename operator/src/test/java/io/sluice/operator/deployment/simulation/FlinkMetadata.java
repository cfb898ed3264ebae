// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.sluice.operator.deployment.simulation.hands.MetadataRecords;
import io.sluice.operator.world.DurableStates.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Flink's high-availability metadata: two records, in ConfigMaps or in ZooKeeper, and the results
 * of ended jobs. Empty where Flink is not highly available.
 */
final class FlinkMetadata {
    private static final String GRAPH = "jobGraph-";
    private static final String NEWER_GRAPH = "executionPlan-";
    private static final String CHECKPOINT = "checkpointID-";
    private static final String COUNTER = "counter";

    /** The name of the record that is of no single job. */
    private static final String CLUSTER = "cluster";

    /**
     * A job as it was submitted.
     *
     * @param generation of the resource that it was made for
     */
    record Graph(long generation, String content) {
        private String text() {
            return generation + " " + content;
        }
    }

    private final FlinkProcess.World world;
    private final FlinkLaunch launch;
    private final MetadataRecords records;
    private long last;

    FlinkMetadata(FlinkProcess.World world, FlinkLaunch launch) {
        this.world = world;
        this.launch = launch;
        records = world.metadata(launch);
    }

    private Map<String, String> data(String name) {
        return launch.isHighlyAvailable() ? records.read(name) : Map.of();
    }

    /** What the metadata of that job names; of any job, if it is empty. */
    static List<State> named(FlinkProcess.World world, String jobId) {
        return world.api().list(ConfigMap.class, world.namespace()).stream()
                .filter(map -> map.getMetadata().getName().endsWith(jobId + "-config-map"))
                .flatMap(map -> Optional.ofNullable(map.getData()).stream())
                .flatMap(data -> data.entrySet().stream())
                .filter(each -> each.getKey().startsWith(CHECKPOINT))
                .flatMap(each -> world.states().find(each.getValue()).stream())
                .toList();
    }

    boolean hasResult() {
        return launch.resultPath().filter(world::hasResult).isPresent();
    }

    List<String> foreignGraphs() {
        return data(CLUSTER).keySet().stream()
                .filter(key -> key.startsWith(graphs()))
                .map(key -> key.substring(graphs().length()))
                .filter(id -> !id.equals(launch.jobId()))
                .toList();
    }

    /** What the names of jobs begin with; those of another Flink are not looked for. */
    private String graphs() {
        return launch.isNewer() ? NEWER_GRAPH : GRAPH;
    }

    /** What is kept of the job to be run again. */
    Optional<Graph> graph() {
        return Optional.ofNullable(data(CLUSTER).get(graphs() + launch.jobId()))
                .map(text -> text.split(" ", 2))
                .map(parts -> new Graph(Long.parseLong(parts[0]), parts[1]));
    }

    static Graph graphOf(FlinkLaunch of) {
        return new Graph(of.generation(), of.content());
    }

    Optional<String> lastCheckpoint() {
        return data(launch.jobId()).entrySet().stream()
                .filter(each -> each.getKey().startsWith(CHECKPOINT))
                .map(Map.Entry::getValue)
                .reduce((_, newer) -> newer);
    }

    /** The id of the last checkpoint or savepoint of the job. */
    long counter() {
        return Optional.ofNullable(data(launch.jobId()).get(COUNTER))
                .map(Long::parseLong)
                .orElse(0L);
    }

    void submitted(Graph graph) {
        if (launch.isHighlyAvailable()) {
            records.create(CLUSTER);
            records.create(launch.jobId());
            records.change(CLUSTER, Map.of(graphs() + launch.jobId(), Optional.of(graph.text())));
            last = counter();
        }
    }

    private static String key(long id) {
        return CHECKPOINT + "%019d".formatted(id);
    }

    /** Whether the checkpoint is on record; one that is not is of no use. */
    boolean completed(long id, String path) {
        if (!launch.isHighlyAvailable()) {
            return true;
        }
        Map<String, Optional<String>> values = new TreeMap<>();
        values.put(key(id), Optional.of(path));
        values.put(COUNTER, Optional.of(Long.toString(id)));
        for (long old = Math.max(1, last - launch.retained());
                old <= id - launch.retained();
                old++) {
            values.put(key(old), Optional.empty());
        }
        boolean isKept = records.change(launch.jobId(), values);
        last = isKept ? id : last;
        return isKept;
    }

    /** A savepoint takes an id from the same counter. */
    void counted(long id) {
        if (launch.isHighlyAvailable()) {
            records.change(launch.jobId(), Map.of(COUNTER, Optional.of(Long.toString(id))));
        }
    }

    /** The job has come to its end: nothing is left but its result. */
    void ended(String how) {
        launch.resultPath().ifPresent(world::keepResult);
        if (launch.isHighlyAvailable()) {
            records.delete(launch.jobId());
            records.change(CLUSTER, Map.of(graphs() + launch.jobId(), Optional.empty()));
        }
        if (!launch.staysAfterTheEnd()) {
            world.trace("the JobManager removes itself after " + how);
            world.quietly(
                    () ->
                            world.client()
                                    .apps()
                                    .deployments()
                                    .inNamespace(world.namespace())
                                    .withName(launch.cluster())
                                    .delete());
        }
    }
}
