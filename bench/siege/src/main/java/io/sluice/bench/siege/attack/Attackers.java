// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.attack;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.bench.siege.installation.Clients;
import io.sluice.testkit.Waits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * All attackers, in a process of their own whose scheduling priority is the lowest: in a cluster
 * they would have other processors than what they attack. Ends when it is told to, or after an
 * hour; counts what it did each second in a file.
 *
 * <pre>
 *   nice -n 5 java -cp … io.sluice.bench.siege.Attackers FOLDER
 * </pre>
 */
public final class Attackers {
    private static final Duration LONGEST = Duration.ofHours(1);

    private Attackers() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Target target = Target.read(folder.resolve("target.properties"));
        var counters = new Counters();
        KubernetesClient client = Clients.of(target.kubeconfig());
        var jobManagers = new HostileJobManagers(client, target.jobManagers(), counters);
        var jars = new HostileJars(client, target.jobManagers(), counters);
        jobManagers.open();
        jars.open();
        Map<String, Attack> attacks = new LinkedHashMap<>();
        attacks.put("hostile specs", new HostileSpecs(client, counters));
        attacks.put("hostile JobManagers", jobManagers);
        attacks.put("hostile jars", jars);
        attacks.put("gzip and YAML bombs", new ConfigMapBombs(client, counters));
        attacks.put(
                "idle TLS connections",
                new IdleConnections(target.https(), target.connections(), counters));
        attacks.put("body budget", new FullBodies(target.https(), counters));
        attacks.put(
                "half requests", new HalfRequests(target.plain(), target.halfRequests(), counters));
        attacks.forEach(
                (name, attack) ->
                        Thread.ofPlatform()
                                .daemon()
                                .name(name)
                                .start(() -> goOn(name, attack, counters)));
        long begin = System.nanoTime();
        while (Waits.since(begin).compareTo(LONGEST) < 0) {
            Waits.pause(Duration.ofSeconds(1));
            counters.write(folder.resolve("attacks.txt"));
        }
    }

    private static void goOn(String name, Attack attack, Counters counters) {
        for (long turn = 0; !Thread.currentThread().isInterrupted(); turn++) {
            try {
                attack.turn(turn);
            } catch (InterruptedException over) {
                return;
            } catch (Exception failed) {
                counters.add(name + ": failed turns, for instance " + failed.getClass().getName());
            }
            Waits.pause(Duration.ofMillis(attack.pauseMillis()));
        }
    }
}
