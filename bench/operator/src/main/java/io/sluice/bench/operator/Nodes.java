// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.sluice.testkit.SimulatedDeployments;
import io.sluice.testkit.Waits;
import java.time.Duration;
import java.util.Objects;
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

    private static final Duration LONGEST = Duration.ofMinutes(15);

    private final KubernetesClient client;
    private final JobManagers jobManagers;
    private final Kind kind;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final LongAdder writes = new LongAdder();
    private final LongAdder served = new LongAdder();
    private final ExecutorService hands = Executors.newFixedThreadPool(16);
    private final Watch watch;
    private volatile Duration age = Duration.ZERO;

    Nodes(KubernetesClient client, JobManagers jobManagers, Kind kind) {
        this.client = client;
        this.kind = kind;
        this.jobManagers = jobManagers;
        watch =
                client.apps()
                        .deployments()
                        .inAnyNamespace()
                        .withLabel("component", "jobmanager")
                        .watch(this);
    }

    /** For how long the jobs have run that come up from now on. */
    void setAge(Duration age) {
        this.age = age;
    }

    /** Of Deployments, other than the operator's: each counts as one request of ours. */
    long writes() {
        return writes.sum();
    }

    /** Until the pods of so many Deployments run, for a quarter of an hour at the most. */
    void waitUntilServed(long many) {
        Waits.until(() -> served.sum() == many, LONGEST);
    }

    @Override
    public void eventReceived(Action action, Deployment deployment) {
        String uid = deployment.getMetadata().getUid();
        if (action == Action.DELETED) {
            return;
        }
        if (deployment.getMetadata().getDeletionTimestamp() != null) {
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
        jobManagers.run(
                metadata.getName(),
                switch (kind) {
                    case APPLICATIONS ->
                            new VirtualJob(
                                    Objects.requireNonNull(
                                            metadata.getAnnotations().get(ATTEMPT), ATTEMPT),
                                    age);
                    case SESSION_CLUSTERS -> VirtualJob.NONE;
                });
        writes.increment();
        SimulatedDeployments.makeAvailable(client, deployment);
        served.increment();
    }

    private void end(Deployment deployment) {
        writes.increment();
        try {
            SimulatedDeployments.letGo(client, deployment);
        } catch (KubernetesClientException gone) {
            if (gone.getCode() != 404) {
                throw gone;
            }
        }
    }
}
