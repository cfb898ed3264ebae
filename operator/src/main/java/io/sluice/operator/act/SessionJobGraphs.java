// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.act;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkSessionJob;
import io.sluice.operator.child.DeleteByUid;
import io.sluice.operator.model.AttemptHistory;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.SessionClusterLinks;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The graphs of jobs in the high-availability metadata of a session cluster. A JobManager runs all
 * that its version of Flink reads, and removes none of another version: there they stay when their
 * jobs are over, and run once more when the cluster goes back to that version. Only graphs of
 * FlinkSessionJobs are removed, by the ids of their jobs; names of checkpoints stay.
 */
public record SessionJobGraphs(KubernetesClient client, String namespace, String cluster) {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    /** Flink 1 writes the first one, Flink 2 the second one, before the id of the job. */
    private static final List<String> KEYS = List.of("jobGraph-", "executionPlan-");

    /** The job whose graph has the key; empty for any other key. */
    static Optional<String> jobOf(String key) {
        return KEYS.stream()
                .filter(key::startsWith)
                .map(beginning -> key.substring(beginning.length()))
                .findFirst();
    }

    /**
     * Removes those of all jobs that their FlinkSessionJobs have given up, while no JobManager
     * stands. What a job is in the place of was on record before its graph was, so that a graph of
     * a job that is not on record is no later one's.
     *
     * @param read before
     */
    void removeOfFormerJobs(Collection<ConfigMap> read) {
        if (read.stream().flatMap(SessionJobGraphs::jobs).findAny().isEmpty()) {
            return;
        }
        List<FlinkSessionJob> sessionJobs =
                client
                        .resources(FlinkSessionJob.class)
                        .inNamespace(namespace)
                        .list()
                        .getItems()
                        .stream()
                        .filter(job -> SessionClusterLinks.isOn(cluster, job))
                        .toList();
        remove(read, id -> sessionJobs.stream().anyMatch(job -> isOver(job, id)));
    }

    private static boolean isOver(FlinkSessionJob resource, String jobId) {
        return isOf(resource, jobId) && SessionClusterLinks.isOver(resource, jobId);
    }

    /** Removes those of all jobs of a resource that is being released. */
    public void removeAllOf(FlinkSessionJob resource) {
        remove(ChildResources.recovery(client, namespace, cluster), jobId -> isOf(resource, jobId));
    }

    private static boolean isOf(FlinkSessionJob resource, String jobId) {
        return jobId.startsWith(AttemptHistory.beginningOfIds(resource.getMetadata().getUid()));
    }

    private void remove(Collection<ConfigMap> maps, Predicate<String> isUnwanted) {
        maps.stream()
                .filter(map -> jobs(map).anyMatch(isUnwanted))
                .forEach(map -> remove(map, isUnwanted));
    }

    /** Changes nothing else, as the JobManager may write meanwhile. */
    private void remove(ConfigMap map, Predicate<String> isUnwanted) {
        ObjectNode change = JsonNodeFactory.instance.objectNode();
        ObjectNode data = change.putObject("data");
        keys(map).filter(key -> jobOf(key).filter(isUnwanted).isPresent()).forEach(data::putNull);
        try {
            client.resource(map).patch(MERGE, change.toString());
        } catch (KubernetesClientException fault) {
            if (!DeleteByUid.isNotFound(fault)) {
                throw fault;
            }
        }
    }

    private static Stream<String> jobs(ConfigMap map) {
        return keys(map).flatMap(key -> jobOf(key).stream());
    }

    private static Stream<String> keys(ConfigMap map) {
        return Optional.ofNullable(map.getData()).map(Map::keySet).stream()
                .flatMap(Collection::stream);
    }
}
