// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.attack;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.bench.siege.attack.HostileAnswers.Named;
import io.sluice.bench.siege.installation.Addresses;
import io.sluice.bench.siege.installation.LoopbackPort;
import io.sluice.bench.siege.installation.LoopbackPort.Request;
import io.sluice.bench.siege.installation.Manifests;
import io.sluice.bench.siege.installation.Namespaces;
import io.sluice.bench.siege.ordinary.EffectLog;
import io.sluice.bench.siege.ordinary.OrdinaryCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** Session jobs whose jars never end, on a session cluster that does what Flink does. */
final class HostileJars implements Attack {
    private static final InetAddress SERVER = Addresses.parsed("127.0.4.1");
    private static final long PAUSE_MILLIS = 20_000;
    private static final List<Named> ANSWERS = HostileAnswers.OF_JAR_SERVERS;

    private final KubernetesClient client;
    private final int port;
    private final Counters counters;

    HostileJars(KubernetesClient client, int port, Counters counters) {
        this.client = client;
        this.port = port;
        this.counters = counters;
    }

    void open() throws IOException {
        LoopbackPort.open(SERVER, port, this::answer);
        String cluster = Namespaces.HOSTILE_SESSION;
        LoopbackPort.open(
                Addresses.of(cluster),
                port,
                new OrdinaryCluster(cluster, Optional.empty(), new EffectLog()));
    }

    @Override
    public long pauseMillis() {
        return PAUSE_MILLIS;
    }

    @Override
    public void turn(long number) {
        if (number == 0) {
            client.resource(
                            Manifests.sessionCluster(
                                    Namespaces.HOSTILE, Namespaces.HOSTILE_SESSION))
                    .create();
        }
        for (Named each : ANSWERS) {
            String jar = "http://%s:%d/%s".formatted(SERVER.getHostAddress(), port, each.name());
            var job =
                    client.resource(
                            Manifests.sessionJob(
                                    Namespaces.HOSTILE,
                                    each.name(),
                                    Namespaces.HOSTILE_SESSION,
                                    jar));
            if (job.get() == null) {
                job.create();
                counters.add("session jobs with hostile jars: created");
            }
        }
    }

    private void answer(Request request, OutputStream out) throws IOException {
        Optional<Named> asked =
                ANSWERS.stream()
                        .filter(each -> request.path().startsWith("/" + each.name()))
                        .reduce((_, last) -> last);
        if (asked.isPresent()) {
            counters.add("downloads of jars: " + asked.get().name());
            asked.get().answer().write(out);
        }
        out.flush();
        throw new IOException("it hangs up");
    }
}
