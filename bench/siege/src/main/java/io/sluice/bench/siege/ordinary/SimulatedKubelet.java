// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.ordinary;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.sluice.bench.siege.installation.Addresses;
import io.sluice.bench.siege.installation.LoopbackPort;
import io.sluice.bench.siege.installation.Namespaces;
import io.sluice.testkit.SimulatedDeployments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What controllers and nodes would do: a JobManager's Deployment is available as soon as it is
 * there, and gone as soon as it is to go. An ordinary one's JobManager then answers.
 */
public final class SimulatedKubelet implements Watcher<Deployment>, AutoCloseable {
    public static final String ATTEMPT = "flinkdeployment.flink.apache.org/attempt";

    private final KubernetesClient client;
    private final int port;
    private final EffectLog effects;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final Map<String, LoopbackPort> jobManagers = new ConcurrentHashMap<>();
    private final ExecutorService hands = Executors.newFixedThreadPool(8);
    private final Watch watch;

    /**
     * @param port at which JobManagers answer
     */
    public SimulatedKubelet(KubernetesClient client, int port, EffectLog effects) {
        this.client = client;
        this.port = port;
        this.effects = effects;
        watch =
                client.apps()
                        .deployments()
                        .inAnyNamespace()
                        .withLabel("component", "jobmanager")
                        .watch(this);
    }

    @Override
    public void eventReceived(Action action, Deployment deployment) {
        String uid = deployment.getMetadata().getUid();
        boolean ends = deployment.getMetadata().getDeletionTimestamp() != null;
        if (action != Action.DELETED && seen.add(ends ? uid + "/end" : uid)) {
            hands.execute(() -> follow(deployment, ends));
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
        jobManagers.values().forEach(LoopbackPort::close);
    }

    private void follow(Deployment deployment, boolean ends) {
        try {
            if (ends) {
                end(deployment);
            } else {
                begin(deployment);
            }
        } catch (KubernetesClientException failed) {
            boolean gone =
                    failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                            || failed.getCode() == HttpURLConnection.HTTP_CONFLICT;
            if (!gone) {
                // Once more: a node does not give up either.
                seen.remove(deployment.getMetadata().getUid() + (ends ? "/end" : ""));
                System.err.println("a Deployment could not be followed: " + failed.getMessage());
            }
        }
    }

    private void begin(Deployment deployment) {
        var metadata = deployment.getMetadata();
        String name = metadata.getName();
        if (metadata.getNamespace().equals(Namespaces.ORDINARY)) {
            Optional<String> job =
                    name.equals(Addresses.SESSION_CLUSTER)
                            ? Optional.empty()
                            : Optional.ofNullable(metadata.getAnnotations().get(ATTEMPT));
            open(name, new OrdinaryCluster(name, job, effects));
            effects.saw(Effect.DEPLOYED, name);
        }
        SimulatedDeployments.makeAvailable(client, deployment);
    }

    private void open(String name, OrdinaryCluster cluster) {
        close(name);
        try {
            jobManagers.put(name, LoopbackPort.open(Addresses.of(name), port, cluster));
        } catch (IOException taken) {
            throw new UncheckedIOException(name, taken);
        }
    }

    private void close(String name) {
        Optional.ofNullable(jobManagers.remove(name)).ifPresent(LoopbackPort::close);
        effects.left(name);
    }

    private void end(Deployment deployment) {
        if (deployment.getMetadata().getNamespace().equals(Namespaces.ORDINARY)) {
            close(deployment.getMetadata().getName());
        }
        SimulatedDeployments.letGo(client, deployment);
    }
}
