// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.operator.deployment.simulation.DurableStates.State;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Flink's high-availability metadata: two ConfigMaps, which no owner takes along, and the results
 * of ended jobs. Empty where Flink is not highly available.
 */
final class FlinkMetadata {
    private static final String GRAPH = "jobGraph-";
    private static final String NEWER_GRAPH = "executionPlan-";
    private static final String CHECKPOINT = "checkpointID-";
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

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

    private final DeploymentWorld world;
    private final FlinkLaunch launch;
    private long last;

    FlinkMetadata(DeploymentWorld world, FlinkLaunch launch) {
        this.world = world;
        this.launch = launch;
    }

    private Resource<ConfigMap> map(String name) {
        return world.client().configMaps().inNamespace(world.namespace()).withName(name);
    }

    private Resource<ConfigMap> ofCluster() {
        return map(launch.cluster() + "-cluster-config-map");
    }

    private Resource<ConfigMap> ofJob() {
        return map(launch.cluster() + "-" + launch.jobId() + "-config-map");
    }

    private Map<String, String> data(Resource<ConfigMap> map) {
        return launch.isHighlyAvailable()
                ? world.quietly(
                        () ->
                                Optional.ofNullable(map.get())
                                        .flatMap(it -> Optional.ofNullable(it.getData()))
                                        .<Map<String, String>>map(TreeMap::new)
                                        .orElseGet(Map::of))
                : Map.of();
    }

    /** What the metadata of that job names; of any job, if it is empty. */
    static List<State> named(DeploymentWorld world, String jobId) {
        return world
                .quietly(
                        () ->
                                world.client()
                                        .configMaps()
                                        .inNamespace(world.namespace())
                                        .list()
                                        .getItems())
                .stream()
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
        return data(ofCluster()).keySet().stream()
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
        return Optional.ofNullable(data(ofCluster()).get(graphs() + launch.jobId()))
                .map(text -> text.split(" ", 2))
                .map(parts -> new Graph(Long.parseLong(parts[0]), parts[1]));
    }

    static Graph graphOf(FlinkLaunch of) {
        return new Graph(of.generation(), of.content());
    }

    Optional<String> lastCheckpoint() {
        return data(ofJob()).entrySet().stream()
                .filter(each -> each.getKey().startsWith(CHECKPOINT))
                .map(Map.Entry::getValue)
                .reduce((_, newer) -> newer);
    }

    /** The id of the last checkpoint or savepoint of the job. */
    long counter() {
        return Optional.ofNullable(data(ofJob()).get("counter")).map(Long::parseLong).orElse(0L);
    }

    void submitted(Graph graph) {
        if (launch.isHighlyAvailable()) {
            world.quietly(
                    () -> {
                        put(ofCluster(), launch.cluster() + "-cluster-config-map");
                        put(ofJob(), launch.cluster() + "-" + launch.jobId() + "-config-map");
                        merge(ofCluster(), Map.of(graphs() + launch.jobId(), quoted(graph.text())));
                        return true;
                    });
            last = counter();
        }
    }

    private void put(Resource<ConfigMap> where, String name) {
        if (where.get() == null) {
            world.client()
                    .resource(
                            new ConfigMapBuilder()
                                    .withNewMetadata()
                                    .withNamespace(world.namespace())
                                    .withName(name)
                                    .addToLabels("app", launch.cluster())
                                    .addToLabels("type", "flink-native-kubernetes")
                                    .endMetadata()
                                    .build())
                    .create();
        }
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** Whether it was there to be changed. */
    private boolean merge(Resource<ConfigMap> where, Map<String, String> values) {
        String fields =
                String.join(
                        ",",
                        values.entrySet().stream()
                                .map(each -> quoted(each.getKey()) + ":" + each.getValue())
                                .toList());
        try {
            where.patch(MERGE, "{\"data\":{" + fields + "}}");
            return true;
        } catch (KubernetesClientException gone) {
            if (gone.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw gone;
            }
            return false;
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
        Map<String, String> values = new TreeMap<>();
        values.put(key(id), quoted(path));
        values.put("counter", quoted(Long.toString(id)));
        for (long old = Math.max(1, last - launch.retained());
                old <= id - launch.retained();
                old++) {
            values.put(key(old), "null");
        }
        boolean isKept = world.quietly(() -> merge(ofJob(), values));
        last = isKept ? id : last;
        return isKept;
    }

    /** A savepoint takes an id from the same counter. */
    void counted(long id) {
        if (launch.isHighlyAvailable()) {
            world.quietly(() -> merge(ofJob(), Map.of("counter", quoted(Long.toString(id)))));
        }
    }

    /** The job has come to its end: nothing is left but its result. */
    void ended(String how) {
        launch.resultPath().ifPresent(world::keepResult);
        if (launch.isHighlyAvailable()) {
            world.quietly(
                    () -> {
                        ofJob().delete();
                        return merge(ofCluster(), Map.of(graphs() + launch.jobId(), "null"));
                    });
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
