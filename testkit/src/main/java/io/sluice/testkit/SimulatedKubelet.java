// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/**
 * Does to the Deployments of JobManagers what controllers and nodes would do, where there are none:
 * one is available as soon as it is there, and gone as soon as it is to go.
 */
public final class SimulatedKubelet implements AutoCloseable {
    /** The annotation of a JobManager's Deployment that says which attempt of the job it runs. */
    public static final String ATTEMPT = "flinkdeployment.flink.apache.org/attempt";

    private final KubernetesClient client;
    private final Containers containers;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final LongAdder writes = new LongAdder();
    private final LongAdder available = new LongAdder();
    private final ExecutorService workers;
    private final SharedIndexInformer<Deployment> deployments;

    /** Plays the JobManagers. */
    public interface Containers {
        /** The Deployment is available once this has returned. */
        void start(Deployment deployment);

        /** The Deployment is gone once this has returned. */
        default void stop(Deployment deployment) {}
    }

    /**
     * @param threads how many Deployments are changed at the same time
     */
    public SimulatedKubelet(KubernetesClient client, int threads, Containers containers) {
        this.client = client;
        this.containers = containers;
        workers = Executors.newFixedThreadPool(threads);
        deployments =
                client.apps()
                        .deployments()
                        .inAnyNamespace()
                        .withLabel("component", "jobmanager")
                        .inform(new Events(), 0);
    }

    /** How many requests this has sent to the API server, beside its lists and watches. */
    public long writes() {
        return writes.sum();
    }

    /** How many Deployments were made available. */
    public long available() {
        return available.sum();
    }

    @Override
    public void close() {
        deployments.close();
        workers.shutdownNow();
    }

    /** The API server ends the watch of whoever is slow; what was missed is in the next list. */
    private final class Events implements ResourceEventHandler<Deployment> {
        @Override
        public void onAdd(Deployment deployment) {
            changed(deployment);
        }

        @Override
        public void onUpdate(Deployment before, Deployment deployment) {
            changed(deployment);
        }

        @Override
        public void onDelete(Deployment deployment, boolean isStateUnknown) {
            // It was let go of before.
        }

        private void changed(Deployment deployment) {
            boolean ends = deployment.getMetadata().getDeletionTimestamp() != null;
            if (seen.add(key(deployment, ends))) {
                workers.execute(() -> follow(deployment, ends));
            }
        }
    }

    private static String key(Deployment deployment, boolean ends) {
        return deployment.getMetadata().getUid() + (ends ? "/end" : "");
    }

    private void follow(Deployment deployment, boolean ends) {
        try {
            if (ends) {
                containers.stop(deployment);
                writes.increment();
                letGo(deployment);
            } else {
                containers.start(deployment);
                if (!isAvailable(deployment)) {
                    writes.increment();
                    makeAvailable(deployment);
                }
                available.increment();
            }
        } catch (KubernetesClientException failed) {
            boolean hasChanged =
                    failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                            || failed.getCode() == HttpURLConnection.HTTP_CONFLICT;
            if (!hasChanged) {
                // The next event has it tried again, as a node would.
                seen.remove(key(deployment, ends));
                System.err.println("a Deployment could not be followed: " + failed.getMessage());
            }
        }
    }

    /** Whether it was stored with the status that {@link #makeAvailable} gives. */
    private static boolean isAvailable(Deployment deployment) {
        return deployment.getStatus() != null
                && deployment.getStatus().getAvailableReplicas() != null;
    }

    /** Stores that the one pod of a Deployment is there and ready. */
    private void makeAvailable(Deployment deployment) {
        client.resource(
                        new DeploymentBuilder(deployment)
                                .withNewStatus()
                                .withObservedGeneration(1L)
                                .withReplicas(1)
                                .withReadyReplicas(1)
                                .withAvailableReplicas(1)
                                .addNewCondition()
                                .withType("Available")
                                .withStatus("True")
                                .withLastTransitionTime("2026-01-01T00:00:00Z")
                                .endCondition()
                                .endStatus()
                                .build())
                .updateStatus();
    }

    /** Lets go of a Deployment that waits for its pod to end. */
    private void letGo(Deployment deployment) {
        client.resource(
                        new DeploymentBuilder(deployment)
                                .editMetadata()
                                .withFinalizers(List.of())
                                .endMetadata()
                                .build())
                .update();
    }
}
