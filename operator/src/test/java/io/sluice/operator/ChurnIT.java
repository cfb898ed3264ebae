// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.sluice.api.FlinkDeployment;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.ServiceAddresses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Resources come and go; what the operator keeps of them goes with them. {@code -Dchurn.size} says
 * how many, a thousand as a measurement.
 */
class ChurnIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final int SIZE = Integer.getInteger("churn.size", 100);
    private static final double MEBIBYTE = 1024.0 * 1024.0;

    private final KubernetesClient client = API.client();
    private final String namespace = API.newNamespace();
    private final Set<String> ended = ConcurrentHashMap.newKeySet();
    private final ExecutorService hands = Executors.newFixedThreadPool(8);
    @TempDir private Path folder;
    private OperatorUnderTest operator;
    private Watch watch;

    /** What there is of the operator when nothing is left to do. */
    private record Footprint(long series, double threads, double heap) {}

    @BeforeEach
    void start() throws IOException {
        ServiceAddresses.addTo(client);
        watch = client.apps().deployments().inNamespace(namespace).watch(new Collecting());
        operator =
                OperatorUnderTest.start(
                        folder,
                        API.kubeconfig(),
                        namespace,
                        "",
                        Map.of(),
                        "-XX:+UseSerialGC",
                        "-Xmx256m");
    }

    @AfterEach
    void stop() {
        operator.close();
        watch.close();
        hands.shutdownNow();
    }

    @Test
    void nothingIsKeptOfWhatIsGone() throws Exception {
        comeAndGo("warm", Math.min(SIZE, 50));
        Footprint before = footprint();

        comeAndGo("churn", SIZE);

        await().atMost(ofMinutes(1))
                .pollInterval(ofSeconds(5))
                .untilAsserted(() -> assertNothingIsKept(before, footprint()));
    }

    /** What the last events left may still be at work, and what it uses is in the heap. */
    private void assertNothingIsKept(Footprint before, Footprint after) throws IOException {
        System.out.printf("%d resources came and went: %s, then %s%n", SIZE, before, after);
        assertThat(operator.metrics()).doesNotContain("name=\"churn");
        assertThat(after.series()).isLessThanOrEqualTo(before.series() + 40);
        assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + 8);
        assertThat(after.heap()).isLessThanOrEqualTo(before.heap() + 6);
    }

    private void comeAndGo(String prefix, int many) throws InterruptedException {
        List<String> names = IntStream.range(0, many).mapToObj(i -> prefix + "-" + i).toList();
        atOnce(names, name -> client.resource(named(name)).create());
        await().atMost(ofMinutes(8))
                .pollInterval(ofSeconds(1))
                .untilAsserted(
                        () ->
                                assertThat(operator.sum("sluice_resources{"))
                                        .isEqualTo(names.size()));
        await().atMost(ofMinutes(8))
                .pollInterval(ofSeconds(1))
                .until(
                        () ->
                                client.apps()
                                                .deployments()
                                                .inNamespace(namespace)
                                                .list()
                                                .getItems()
                                                .size()
                                        == names.size());
        atOnce(names, name -> client.resource(named(name)).delete());
        await().atMost(ofMinutes(8))
                .pollInterval(ofSeconds(1))
                .until(
                        () ->
                                client.resources(FlinkDeployment.class)
                                        .inNamespace(namespace)
                                        .list()
                                        .getItems()
                                        .isEmpty());
        await().atMost(ofSeconds(60))
                .untilAsserted(() -> assertThat(operator.sum("sluice_resources{")).isZero());
    }

    private void atOnce(List<String> names, Consumer<String> work) throws InterruptedException {
        try (var users = Executors.newFixedThreadPool(8)) {
            names.forEach(name -> users.execute(() -> work.accept(name)));
            users.shutdown();
            assertThat(users.awaitTermination(5, TimeUnit.MINUTES)).isTrue();
        }
    }

    private Footprint footprint() throws Exception {
        for (int i = 0; i < 2; i++) {
            new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                            Long.toString(operator.process().pid()),
                            "GC.run")
                    .start()
                    .waitFor();
        }
        return new Footprint(
                operator.metrics().lines().filter(line -> line.startsWith("sluice_")).count(),
                operator.sum("jvm_threads_current"),
                Math.round(operator.sum("jvm_memory_bytes_used{area=\"heap\"") / MEBIBYTE * 10)
                        / 10.0);
    }

    private FlinkDeployment named(String name) {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        resource.setSpec(Specimen.spec("running"));
        return resource;
    }

    /** Lets go of a Deployment whose deletion waits for what it owns: there is nothing. */
    private final class Collecting implements Watcher<Deployment> {
        @Override
        public void eventReceived(Action action, Deployment deployment) {
            String uid = deployment.getMetadata().getUid();
            if (action != Action.DELETED
                    && deployment.getMetadata().getDeletionTimestamp() != null
                    && ended.add(uid)) {
                hands.execute(() -> letGo(deployment));
            }
        }

        @Override
        public void onClose(WatcherException cause) {}

        private void letGo(Deployment deployment) {
            try {
                client.resource(deployment)
                        .edit(
                                found -> {
                                    found.getMetadata().setFinalizers(List.of());
                                    return found;
                                });
            } catch (KubernetesClientException gone) {
                if (gone.getCode() != 404 && gone.getCode() != 409) {
                    throw gone;
                }
            }
        }
    }
}
