// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.ServiceAddresses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Resources come and go, each fifth of them a session job whose cluster never comes; what the
 * operator keeps of them goes with them. {@code -Dchurn.size} says how many, {@code make churn} a
 * thousand.
 */
class ChurnIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final int SIZE = Integer.getInteger("churn.size", 100);
    private static final int A_SESSION_JOB_IN = 5;

    /**
     * What caches and notes keep of resources, as classes. The framework's own note of a name is
     * not among them: it makes one anew, and keeps it, where it hears of a deletion before the
     * reconciliation that allowed it has ended (JOSDK 5.3.2, {@code
     * EventProcessor.eventProcessingFinished}).
     */
    private static final Pattern KEPT =
            Pattern.compile(
                    "io\\.sluice\\.operator\\.cache\\.ResourcePacking\\$Packed"
                            + "|io\\.sluice\\.operator\\.report\\.ResourceKey"
                            + "|io\\.sluice\\.operator\\.sessionjob\\.Submissions\\$Entry"
                            + "|io\\.sluice\\.api\\.Flink(?:Deployment|SessionJob)"
                            + "|io\\.fabric8\\.kubernetes\\.api\\.model\\.(?:ObjectMeta|ConfigMap|Pod)"
                            + "|io\\.fabric8\\.kubernetes\\.api\\.model\\.apps\\.Deployment");

    private static final Pattern CLASS = Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+(\\S+).*");
    private static final double MEBIBYTE = 1024.0 * 1024.0;

    private final KubernetesClient client = API.client();
    private final String namespace = API.newNamespace();
    private final Set<String> ended = ConcurrentHashMap.newKeySet();
    private final ExecutorService hands = Executors.newFixedThreadPool(8);
    @TempDir private Path folder;
    private OperatorUnderTest operator;
    private Watch watch;

    /**
     * What there is of the operator when nothing is left to do.
     *
     * @param kept live objects of the classes that caches hold
     */
    private record Footprint(long series, double threads, double heap, Map<String, Long> kept) {}

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
        assertThat(after.kept())
                .allSatisfy(
                        (type, many) ->
                                assertThat(many)
                                        .as(type)
                                        .isLessThanOrEqualTo(
                                                before.kept().getOrDefault(type, 0L) + SIZE / 10));
    }

    private void comeAndGo(String prefix, int many) throws InterruptedException {
        List<String> names = IntStream.range(0, many).mapToObj(i -> prefix + "-" + i).toList();
        List<String> clusters = names.stream().filter(name -> !isSessionJob(name)).toList();
        atOnce(names, this::create);
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
                                        == clusters.size());
        atOnce(names, this::delete);
        await().atMost(ofMinutes(8))
                .pollInterval(ofSeconds(1))
                .until(() -> left(FlinkDeployment.class) == 0 && left(FlinkSessionJob.class) == 0);
        await().atMost(ofSeconds(60))
                .untilAsserted(() -> assertThat(operator.sum("sluice_resources{")).isZero());
    }

    private <R extends HasMetadata> int left(Class<R> kind) {
        return client.resources(kind).inNamespace(namespace).list().getItems().size();
    }

    private static boolean isSessionJob(String name) {
        return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)) % A_SESSION_JOB_IN == 0;
    }

    private void create(String name) {
        if (isSessionJob(name)) {
            client.resource(sessionJob(name)).create();
        } else {
            client.resource(named(name)).create();
        }
    }

    private void delete(String name) {
        if (isSessionJob(name)) {
            client.resource(sessionJob(name)).delete();
        } else {
            client.resource(named(name)).delete();
        }
    }

    private void atOnce(List<String> names, Consumer<String> work) throws InterruptedException {
        try (var users = Executors.newFixedThreadPool(8)) {
            names.forEach(name -> users.execute(() -> work.accept(name)));
            users.shutdown();
            assertThat(users.awaitTermination(5, TimeUnit.MINUTES)).isTrue();
        }
    }

    private Footprint footprint() throws Exception {
        jcmd("GC.run");
        Map<String, Long> kept = new TreeMap<>();
        jcmd("GC.class_histogram")
                .lines()
                .map(CLASS::matcher)
                .filter(Matcher::matches)
                .filter(line -> KEPT.matcher(line.group(2)).matches())
                .forEach(line -> kept.put(line.group(2), Long.valueOf(line.group(1))));
        return new Footprint(
                operator.metrics().lines().filter(line -> line.startsWith("sluice_")).count(),
                operator.sum("jvm_threads_current"),
                Math.round(operator.sum("jvm_memory_bytes_used{area=\"heap\"") / MEBIBYTE * 10)
                        / 10.0,
                kept);
    }

    /** A collection each; what it prints. */
    private String jcmd(String command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                                Long.toString(operator.process().pid()),
                                command)
                        .start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).isZero();
        return printed;
    }

    private FlinkDeployment named(String name) {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        resource.setSpec(MinimalSpec.spec("running"));
        return resource;
    }

    private FlinkSessionJob sessionJob(String name) {
        var resource = new FlinkSessionJob();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        ObjectNode spec = JsonNodeFactory.instance.objectNode().put("deploymentName", "nowhere");
        spec.putObject("job")
                .put("jarURI", "https://repo.example.org/job.jar")
                .put("parallelism", 1)
                .put("upgradeMode", "stateless")
                .put("state", "running");
        resource.setSpec(spec);
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
