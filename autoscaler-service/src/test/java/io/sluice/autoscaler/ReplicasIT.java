// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.sluice.autoscaler.flink.FlinkReplies;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Processes of their own, as pods are, between a real API server and a JobManager's replies. */
class ReplicasIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int JOBS = 9;

    @TempDir Path folder;
    private final HttpClient http = HttpClient.newHttpClient();
    private final FlinkReplies flink = new FlinkReplies();
    private final List<AutoscalerProcess> replicas = new ArrayList<>();
    private String namespace;

    @BeforeEach
    void prepare() {
        namespace = API.newNamespace();
        flink.load(1000, 990);
    }

    @AfterEach
    void stop() {
        replicas.forEach(replica -> replica.process().destroyForcibly());
        flink.close();
        http.close();
    }

    @Test
    void takesOverFromAReplicaThatIsKilledAndKeepsWhatItHadDecided() throws Exception {
        for (int i = 0; i < JOBS; i++) {
            create("job-" + i);
        }
        replicas.add(start("autoscaler-a"));
        replicas.add(start("autoscaler-b"));
        replicas.add(start("autoscaler-c"));
        await().atMost(Duration.ofMinutes(3))
                .until(() -> owned(replicas), all -> all.size() == JOBS);
        await().atMost(Duration.ofMinutes(2)).until(this::published, all -> all.size() == JOBS);
        Map<String, String> published = published();
        assertThat(overview(replicas.getFirst(), "")).as("any replica knows all").hasSize(JOBS);
        AutoscalerProcess victim =
                replicas.stream()
                        .filter(each -> !overview(each, "?local").isEmpty())
                        .findFirst()
                        .orElseThrow();
        Set<String> orphans = overview(victim, "?local");
        List<AutoscalerProcess> rest =
                replicas.stream().filter(each -> !each.equals(victim)).toList();

        victim.process().destroyForcibly().waitFor();

        await().pollInterval(Duration.ofMillis(200))
                .atMost(Duration.ofSeconds(15))
                .until(() -> owned(rest), all -> all.containsAll(orphans));
        assertThat(published()).isEqualTo(published);
        assertThat(owners(rest)).doesNotHaveDuplicates().hasSize(JOBS);
    }

    @Test
    void handsOverAtOnceWhenItIsAskedToEnd() throws Exception {
        create("orders");
        replicas.add(start("autoscaler-a"));
        await().atMost(Duration.ofMinutes(2)).until(() -> owned(replicas), all -> all.size() == 1);
        replicas.add(start("autoscaler-b"));
        await().atMost(Duration.ofMinutes(2)).until(() -> leases().size() == 2);
        AutoscalerProcess owner =
                await().until(
                                () ->
                                        replicas.stream()
                                                .filter(each -> !overview(each, "?local").isEmpty())
                                                .toList(),
                                owners -> owners.size() == 1)
                        .getFirst();
        AutoscalerProcess other = replicas.get(1 - replicas.indexOf(owner));

        owner.process().destroy();

        await().pollInterval(Duration.ofMillis(200))
                .atMost(Duration.ofSeconds(8))
                .until(() -> overview(other, "?local"), all -> all.contains("orders"));
        assertThat(leases()).hasSize(1);
    }

    @Test
    void shareTheJobsOfAClusterWithoutResourcesAndTakeThemOver() throws Exception {
        flink.configuredWith(
                Map.of("jobmanager.scheduler", "adaptive", "job.autoscaler.enabled", "true"));
        String[] arguments = {
            "--standalone",
            "--autoscaler.standalone.fetcher.flink-clusters",
            "shop=" + flink.at(),
            "--autoscaler.standalone.control-loop.interval",
            "500 ms"
        };
        replicas.add(start("autoscaler-a", arguments));
        replicas.add(start("autoscaler-b", arguments));
        await().atMost(Duration.ofMinutes(2)).until(() -> leases().size() == 2);
        await().atMost(Duration.ofMinutes(2)).until(() -> owners(replicas), all -> all.size() == 1);
        AutoscalerProcess owner =
                replicas.stream()
                        .filter(each -> !overview(each, "?local").isEmpty())
                        .findFirst()
                        .orElseThrow();
        AutoscalerProcess other = replicas.get(1 - replicas.indexOf(owner));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> overview(other, ""), all -> all.size() == 1);

        owner.process().destroyForcibly().waitFor();

        await().atMost(Duration.ofSeconds(30))
                .until(() -> overview(other, "?local"), all -> all.size() == 1);
    }

    private AutoscalerProcess start(String pod, String... arguments) throws IOException {
        Path kubeconfig = folder.resolve(pod + ".kubeconfig");
        Files.writeString(kubeconfig, API.kubeconfig());
        return AutoscalerProcess.start(
                folder.resolve(pod + ".log"), environment(pod, kubeconfig), arguments);
    }

    private Map<String, String> environment(String pod, Path kubeconfig) {
        return Map.of(
                "KUBECONFIG",
                kubeconfig.toString(),
                "SLUICE_WATCH_NAMESPACES",
                namespace,
                "SLUICE_NAMESPACE",
                namespace,
                "POD_NAME",
                pod,
                "POD_IP",
                "127.0.0.1",
                // No rescale ever arrives here: each keeps its place for minutes.
                "SLUICE_RESCALES_AT_ONCE",
                Integer.toString(3 * JOBS),
                "SLUICE_JOBMANAGER_ADDRESS",
                flink.at().toString());
    }

    private Set<String> owned(List<AutoscalerProcess> all) {
        return new TreeSet<>(owners(all));
    }

    private List<String> owners(List<AutoscalerProcess> all) {
        return all.stream().flatMap(each -> overview(each, "?local").stream()).toList();
    }

    /** Names of the jobs a replica tells of; none while it does not answer. */
    private Set<String> overview(AutoscalerProcess replica, String query) {
        try {
            return JSON.readTree(replica.get(http, "/explain" + query))
                    .valueStream()
                    .map((JsonNode job) -> job.path("name").asText())
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException unreadable) {
            return Set.of();
        }
    }

    private List<String> leases() {
        return API.client().leases().inNamespace(namespace).list().getItems().stream()
                .map(lease -> lease.getMetadata().getName())
                .toList();
    }

    /** What is published for each job, by the name of its ConfigMap. */
    private Map<String, String> published() {
        return API.client().configMaps().inNamespace(namespace).list().getItems().stream()
                .filter(map -> overrides(map).contains(FlinkReplies.WORK))
                .collect(
                        Collectors.toMap(
                                map -> map.getMetadata().getName(), ReplicasIT::overrides));
    }

    private static String overrides(ConfigMap map) {
        return map.getData() == null ? "" : map.getData().getOrDefault("parallelismOverrides", "");
    }

    private void create(String name) {
        var spec = ScaledJob.spec(true);
        spec.withObject("/flinkConfiguration")
                .put("kubernetes.operator.reconcile.interval", "1 s")
                .put("job.autoscaler.metrics.window", "3 s");
        ScaledJob.create(API, namespace, name, spec, "STABLE");
    }
}
