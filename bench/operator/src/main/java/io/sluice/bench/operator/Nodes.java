// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.testkit.SimulatedKubelet;
import io.sluice.testkit.Waits;
import java.time.Duration;
import java.util.Objects;

/** Nodes that run a JobManager, with its job, as soon as there is a Deployment of it. */
final class Nodes implements SimulatedKubelet.Containers, AutoCloseable {
    private static final int THREADS = 16;
    private static final Duration LONGEST = Duration.ofMinutes(15);

    private final JobManagers jobManagers;
    private final Kind kind;
    private final SimulatedKubelet kubelet;
    private volatile Duration age = Duration.ZERO;

    Nodes(KubernetesClient client, JobManagers jobManagers, Kind kind) {
        this.kind = kind;
        this.jobManagers = jobManagers;
        kubelet = new SimulatedKubelet(client, THREADS, this);
    }

    /** For how long the jobs have run that come up from now on. */
    void setAge(Duration age) {
        this.age = age;
    }

    /** How many of the writes of Deployments were not the operator's. */
    long writes() {
        return kubelet.writes();
    }

    /**
     * Until the pods of so many Deployments run.
     *
     * @throws IllegalStateException if they do not in a quarter of an hour
     */
    void waitUntilServed(long many) {
        if (!Waits.reaches(() -> kubelet.available() == many, LONGEST)) {
            throw new IllegalStateException(
                    "pods of %d Deployments run, of %d".formatted(kubelet.available(), many));
        }
    }

    @Override
    public void start(Deployment deployment) {
        var metadata = deployment.getMetadata();
        jobManagers.run(
                metadata.getName(),
                switch (kind) {
                    case APPLICATIONS ->
                            new VirtualJob(
                                    Objects.requireNonNull(
                                            metadata.getAnnotations().get(SimulatedKubelet.ATTEMPT),
                                            SimulatedKubelet.ATTEMPT),
                                    age);
                    case SESSION_CLUSTERS -> VirtualJob.NONE;
                });
    }

    @Override
    public void close() {
        kubelet.close();
    }
}
