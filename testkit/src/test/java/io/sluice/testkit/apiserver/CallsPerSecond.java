// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.IntConsumer;

/**
 * Prints how many calls the server in memory serves to one thread in a second of processor time,
 * the work of the client included: {@code java -cp CLASSPATH
 * io.sluice.testkit.apiserver.CallsPerSecond [SECONDS]}.
 */
final class CallsPerSecond implements ApiServerContract {
    private static final int BATCH = 200;
    private final InMemoryApiServer server = new InMemoryApiServer(1, InstantSource.system());
    private final long nanos;

    private CallsPerSecond(int seconds) {
        nanos = seconds * 1_000_000_000L;
    }

    @Override
    public InMemoryApiServer cluster() {
        return server;
    }

    public static void main(String[] args) {
        new CallsPerSecond(args.length > 0 ? Integer.parseInt(args[0]) : 3).run();
    }

    private void run() {
        String namespace = server.newNamespace();
        KubernetesClient client = client();
        FlinkDeployment[] resource = {client.resource(flink(namespace, "orders")).create()};
        Deployment deployment = client.resource(deployment(namespace, "orders")).create();
        for (String round : new String[] {"cold", "warm"}) {
            measure(round + " GET flinkdeployments", 1, _ -> client.resource(resource[0]).get());
            measure(
                    round + " PUT flinkdeployments/status",
                    1,
                    i -> {
                        resource[0].setStatus(
                                JsonNodeFactory.instance.objectNode().put("observedGeneration", i));
                        resource[0] = client.resource(resource[0]).updateStatus();
                    });
            measure(round + " GET deployments", 1, _ -> client.resource(deployment).get());
            measure(
                    round + " LIST deployments",
                    1,
                    _ ->
                            client.apps()
                                    .deployments()
                                    .inNamespace(namespace)
                                    .withLabel("app", "orders")
                                    .list());
            measure(
                    round + " POST and DELETE deployments",
                    2,
                    _ -> {
                        Deployment made = client.resource(deployment(namespace, "other")).create();
                        client.resource(made).delete();
                    });
        }
    }

    /** Nanoseconds that this thread has run, whatever else the machine does. */
    private static long busy() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private void measure(String what, int calls, IntConsumer work) {
        long start = busy();
        int count = 0;
        while (busy() - start < nanos) {
            for (int i = 0; i < BATCH; i++) {
                work.accept(count++);
            }
        }
        double seconds = (busy() - start) / 1e9;
        System.out.printf(Locale.ROOT, "%-40s %,9.0f calls/s%n", what, count * calls / seconds);
    }
}
