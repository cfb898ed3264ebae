// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.attack;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.bench.siege.attack.HostileAnswers.Named;
import io.sluice.bench.siege.installation.Addresses;
import io.sluice.bench.siege.installation.LoopbackPort;
import io.sluice.bench.siege.installation.LoopbackPort.Request;
import io.sluice.bench.siege.installation.Manifests;
import io.sluice.bench.siege.installation.Namespaces;
import io.sluice.bench.siege.ordinary.EffectLog;
import io.sluice.bench.siege.ordinary.OrdinaryCluster;
import io.sluice.testkit.SimulatedKubelet;
import io.sluice.testkit.Waits;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * JobManagers whose users have taken them over. Each has one hostile answer. Half of them go on
 * telling that their job runs, so that it stays one of those whose details, exceptions and metrics
 * are asked for; the others do so only at first.
 */
final class HostileJobManagers implements Attack {
    /** How long the overview is what Flink would say. */
    private static final Duration HONEST = Duration.ofSeconds(40);

    private static final long PAUSE_MILLIS = 20_000;

    private final KubernetesClient client;
    private final int port;
    private final Counters counters;
    private final List<LoopbackPort> ports = new ArrayList<>();

    HostileJobManagers(KubernetesClient client, int port, Counters counters) {
        this.client = client;
        this.port = port;
        this.counters = counters;
    }

    static int many() {
        return 2 * HostileAnswers.OF_JOB_MANAGERS.size();
    }

    /** They listen before there is a resource for them. */
    void open() throws IOException {
        for (int i = 0; i < many(); i++) {
            String name = Addresses.hostile(i);
            var answers =
                    new JobManager(name, HostileAnswers.OF_JOB_MANAGERS.get(i / 2), i % 2 == 0);
            ports.add(LoopbackPort.open(Addresses.of(name), port, answers));
        }
    }

    @Override
    public long pauseMillis() {
        return PAUSE_MILLIS;
    }

    /** Creates those that are not there. */
    @Override
    public void turn(long number) {
        for (int i = 0; i < many(); i++) {
            String name = Addresses.hostile(i);
            var resource = client.resource(Manifests.application(Namespaces.HOSTILE, name));
            if (resource.get() == null) {
                resource.create();
                counters.add("hostile JobManagers: created");
            }
        }
    }

    private final class JobManager implements LoopbackPort.Answering {
        private final String name;
        private final Named hostile;
        private final boolean tellsOfItsJob;
        private final Map<String, OrdinaryCluster> clusters = new ConcurrentHashMap<>();
        private final long opened = System.nanoTime();

        JobManager(String name, Named hostile, boolean tellsOfItsJob) {
            this.name = name;
            this.hostile = hostile;
            this.tellsOfItsJob = tellsOfItsJob;
        }

        @Override
        public void answer(Request request, OutputStream out) throws IOException {
            boolean isOverview = request.path().startsWith("/jobs/overview");
            boolean atFirst = Waits.since(opened).compareTo(HONEST) < 0;
            Optional<OrdinaryCluster> cluster = Optional.empty();
            if (atFirst || (isOverview && tellsOfItsJob)) {
                cluster = cluster();
            }
            if (cluster.isPresent()) {
                cluster.get().answer(request, out);
                return;
            }
            counters.add("answers of JobManagers: " + hostile.name());
            hostile.answer().write(out);
            out.flush();
            throw new IOException("it hangs up");
        }

        /** As its Deployment says which job it runs. */
        private Optional<OrdinaryCluster> cluster() {
            return Optional.ofNullable(
                            client.apps()
                                    .deployments()
                                    .inNamespace(Namespaces.HOSTILE)
                                    .withName(name)
                                    .get())
                    .map(Deployment::getMetadata)
                    .map(metadata -> metadata.getAnnotations().get(SimulatedKubelet.ATTEMPT))
                    .map(
                            job ->
                                    clusters.computeIfAbsent(
                                            job,
                                            _ ->
                                                    new OrdinaryCluster(
                                                            name,
                                                            Optional.of(job),
                                                            new EffectLog())));
        }
    }
}
