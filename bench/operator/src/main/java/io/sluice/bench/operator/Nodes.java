// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/**
 * What controllers and nodes would do: a JobManager's Deployment is available as soon as it is
 * there, with its job, and gone as soon as it is to go.
 */
final class Nodes implements Watcher<Deployment>, AutoCloseable {
    private static final String ATTEMPT = "flinkdeployment.flink.apache.org/attempt";
    private static final PatchContext MERGE =
            new PatchContext.Builder().withPatchType(PatchType.JSON_MERGE).build();
    private static final String AVAILABLE =
            """
            {"status":{"observedGeneration":1,"replicas":1,"updatedReplicas":1,"readyReplicas":1,"availableReplicas":1,
            "conditions":[{"type":"Available","status":"True","reason":"MinimumReplicasAvailable",
            "lastTransitionTime":"2026-01-01T00:00:00Z","lastUpdateTime":"2026-01-01T00:00:00Z"}]}}""";

    private final KubernetesClient client;
    private final JobManagers jobManagers;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final LongAdder writes = new LongAdder();
    private final LongAdder deleted = new LongAdder();
    private final ExecutorService hands = Executors.newFixedThreadPool(16);
    private final Watch watch;

    Nodes(KubernetesClient client, JobManagers jobManagers) {
        this.client = client;
        this.jobManagers = jobManagers;
        watch =
                client.apps()
                        .deployments()
                        .inAnyNamespace()
                        .withLabel("component", "jobmanager")
                        .watch(this);
    }

    /** Of Deployments, other than the operator's: each counts as one request of ours. */
    long writes() {
        return writes.sum();
    }

    long deleted() {
        return deleted.sum();
    }

    @Override
    public void eventReceived(Action action, Deployment deployment) {
        String uid = deployment.getMetadata().getUid();
        if (action == Action.DELETED) {
            deleted.increment();
        } else if (deployment.getMetadata().getDeletionTimestamp() != null) {
            if (seen.add(uid + "/end")) {
                hands.execute(() -> end(deployment));
            }
        } else if (seen.add(uid)) {
            hands.execute(() -> begin(deployment));
        }
    }

    @Override
    public void onClose(WatcherException cause) {
        throw new IllegalStateException("the watch of Deployments ended", cause);
    }

    @Override
    public void close() {
        watch.close();
        hands.shutdownNow();
    }

    private void begin(Deployment deployment) {
        var metadata = deployment.getMetadata();
        jobManagers.run(metadata.getName(), metadata.getAnnotations().get(ATTEMPT));
        writes.increment();
        client.apps()
                .deployments()
                .inNamespace(metadata.getNamespace())
                .withName(metadata.getName())
                .subresource("status")
                .patch(MERGE, AVAILABLE);
    }

    private void end(Deployment deployment) {
        var metadata = deployment.getMetadata();
        writes.increment();
        try {
            client.apps()
                    .deployments()
                    .inNamespace(metadata.getNamespace())
                    .withName(metadata.getName())
                    .patch(MERGE, "{\"metadata\":{\"finalizers\":null}}");
        } catch (KubernetesClientException gone) {
            if (gone.getCode() != 404) {
                throw gone;
            }
        }
    }
}
