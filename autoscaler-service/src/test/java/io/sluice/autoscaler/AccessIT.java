// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prometheus.client.CollectorRegistry;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.JobManagerLimits;
import io.sluice.autoscaler.decide.Graph;
import io.sluice.autoscaler.edge.Edge;
import io.sluice.autoscaler.edge.Responses;
import io.sluice.autoscaler.explain.Counts;
import io.sluice.autoscaler.explain.Explanation;
import io.sluice.autoscaler.explain.Explanations;
import io.sluice.autoscaler.explain.HourlyHistory;
import io.sluice.autoscaler.explain.Timeline;
import io.sluice.autoscaler.explain.Verdict;
import io.sluice.autoscaler.share.Member;
import io.sluice.autoscaler.share.Peers;
import io.sluice.autoscaler.share.Share;
import io.sluice.process.access.Access;
import io.sluice.process.access.AccessSettings;
import io.sluice.process.management.ManagementServer;
import io.sluice.process.management.ManagementServer.Health;
import io.sluice.process.management.PortMetrics;
import io.sluice.process.metric.Series;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.EffectiveAccess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Who may read explanations and metrics: service accounts with real tokens and real rights. */
class AccessIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final List<String> KINDS = List.of("flinkdeployments", "flinksessionjobs");

    @TempDir private Path folder;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Explanations explanations = new Explanations();
    private String shop;
    private String bank;
    private ManagementServer server;

    @BeforeEach
    void twoJobs() throws Exception {
        shop = API.newNamespace();
        bank = API.newNamespace();
        explanations.put(waiting(shop));
        explanations.put(waiting(bank));
        account("autoscaler");
        server = start(API.client());
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    @Test
    void nobodyReadsAnythingButHealthAndTheEmptyPageWithoutAToken() throws Exception {
        for (String path : List.of("/metrics", "/explain", "/explain/" + shop + "/orders")) {
            assertThat(get(path, "").statusCode()).isEqualTo(401);
            assertThat(get(path, "").headers().firstValue("WWW-Authenticate")).isPresent();
            assertThat(get(path, "made.up.token").statusCode()).isEqualTo(401);
        }
        assertThat(get("/healthz", "").statusCode()).isEqualTo(200);
        assertThat(get("/", "").statusCode()).isEqualTo(200);
    }

    @Test
    void whoHasNoRightsLearnsNothingNotEvenWhichJobsThereAre() throws Exception {
        String token = token(account("stranger"));

        assertThat(get("/metrics", token).statusCode()).isEqualTo(403);
        assertThat(listed(token)).isEmpty();
        HttpResponse<String> there = get("/explain/" + shop + "/orders", token);
        HttpResponse<String> notThere = get("/explain/" + shop + "/absent", token);
        assertThat(there.statusCode()).isEqualTo(403);
        assertThat(notThere.statusCode()).isEqualTo(403);
        assertThat(there.body().replace("orders", "absent")).isEqualTo(notThere.body());
    }

    @Test
    void whoMayReadOneNamespaceReadsItsJobsOnly() throws Exception {
        String name = account("developer");
        PolicyRule reads = readingOfTheKinds();
        API.client()
                .resource(
                        new RoleBuilder()
                                .withNewMetadata()
                                .withNamespace(shop)
                                .withName("reader")
                                .endMetadata()
                                .addToRules(reads)
                                .build())
                .create();
        API.client()
                .resource(
                        new RoleBindingBuilder()
                                .withNewMetadata()
                                .withNamespace(shop)
                                .withName("reader")
                                .endMetadata()
                                .withNewRoleRef("rbac.authorization.k8s.io", "Role", "reader")
                                .addNewSubject("", "ServiceAccount", name, shop)
                                .build())
                .create();
        EffectiveAccess.ofAccount(API.client(), shop, name).await(shop, reads);
        String token = token(name);

        assertThat(listed(token)).containsExactly(shop);
        assertThat(get("/explain/" + shop + "/orders", token).body()).contains("waiting");
        assertThat(get("/explain/" + shop + "/absent", token).statusCode()).isEqualTo(404);
        assertThat(get("/explain/" + bank + "/orders", token).statusCode()).isEqualTo(403);
        assertThat(get("/metrics", token).statusCode()).isEqualTo(403);
    }

    @Test
    void whoMayReadAllNamespacesReadsAllJobsAndTheMetricsWithTheRightToThose() throws Exception {
        String name = account("prometheus");
        String role = shop + "-reader";
        PolicyRule reads = readingOfTheKinds();
        API.client()
                .resource(
                        new ClusterRoleBuilder()
                                .withNewMetadata()
                                .withName(role)
                                .endMetadata()
                                .addToRules(reads)
                                .addNewRule()
                                .withNonResourceURLs("/metrics")
                                .withVerbs("get")
                                .endRule()
                                .build())
                .create();
        API.client()
                .resource(
                        new ClusterRoleBindingBuilder()
                                .withNewMetadata()
                                .withName(role)
                                .endMetadata()
                                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
                                .addNewSubject("", "ServiceAccount", name, shop)
                                .build())
                .create();
        EffectiveAccess.ofAccount(API.client(), shop, name).await("", reads);
        String token = token(name);

        assertThat(listed(token)).containsExactlyInAnyOrder(shop, bank);
        assertThat(get("/explain/" + bank + "/orders", token).statusCode()).isEqualTo(200);
        assertThat(get("/metrics", token).body())
                .contains("sluice_access_requests_total{outcome=\"authenticated\",}");
    }

    @Test
    void replicasKnowEachOtherByATokenThatOpensNothingElse() throws Exception {
        String replica = token("autoscaler", AccessSettings.REPLICAS);
        String other = token(account("other"), AccessSettings.REPLICAS);

        assertThat(get("/explain?local", replica).body()).contains(shop, bank);
        assertThat(get("/explain?local", other).statusCode()).isEqualTo(403);
        assertThat(get("/explain?local", token("autoscaler")).statusCode()).isEqualTo(401);
        assertThat(get("/explain", replica).statusCode()).isEqualTo(401);
        assertThat(get("/metrics", replica).statusCode()).isEqualTo(401);
    }

    @Test
    void aReplicaShowsWhatAnotherOneKnowsToThoseWhoMayReadIt() throws Exception {
        var self = new Member("self", Optional.empty());
        var peer = new Member("peer", Optional.of(URI.create("http://localhost:" + server.port())));
        var share = new Share(self, new TreeSet<>(List.of(self, peer)));
        var answers =
                new Responses(
                        new Explanations(),
                        () -> share,
                        new Peers(settings()::ownToken, JobManagerLimits.DEFAULT.answers()),
                        access(API.client(), PortMetrics.of(new Series(new CollectorRegistry()))));
        String stranger = token(account("stranger"));
        try (ManagementServer asked = server(answers, API.client())) {
            HttpResponse<String> all =
                    send(asked, "/explain", token(administrator("administrator")));

            assertThat(all.body()).contains(shop, bank);
            assertThat(send(asked, "/explain", stranger).body()).isEqualTo("[]");
        }
    }

    @Test
    void nobodyReadsAnythingWhileTheApiServerIsAwayAndTheProcessIsHealthy() throws Exception {
        String token = token(account("prometheus"));
        var nowhere =
                new KubernetesClientBuilder()
                        .withConfig(
                                new ConfigBuilder()
                                        .withMasterUrl("https://localhost:1")
                                        .withRequestRetryBackoffLimit(0)
                                        .build())
                        .build();
        try (nowhere;
                ManagementServer alone = start(nowhere)) {
            HttpResponse<String> refused = send(alone, "/metrics", token);

            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("the API server can't be asked");
            assertThat(send(alone, "/healthz", "").statusCode()).isEqualTo(200);
        }
    }

    private ManagementServer start(KubernetesClient client) throws Exception {
        Files.writeString(ownToken(), token("autoscaler", AccessSettings.REPLICAS));
        var alone = new Member("alone", Optional.empty());
        return server(
                new Responses(
                        explanations,
                        () -> Share.alone(alone),
                        new Peers(settings()::ownToken, JobManagerLimits.DEFAULT.answers()),
                        access(client, PortMetrics.of(new Series(new CollectorRegistry())))),
                client);
    }

    private ManagementServer server(Responses answers, KubernetesClient client) {
        var registry = new CollectorRegistry();
        PortMetrics metrics = PortMetrics.of(new Series(registry));
        return Edge.start(
                0,
                registry,
                answers,
                new Health(List::of, List::of),
                access(client, metrics),
                metrics);
    }

    private Access access(KubernetesClient client, PortMetrics metrics) {
        return settings().access(client, metrics::count);
    }

    private AccessSettings settings() {
        return new AccessSettings(true, Optional.empty(), Optional.of(ownToken()));
    }

    private Path ownToken() {
        return folder.resolve("token");
    }

    private static PolicyRule readingOfTheKinds() {
        return new PolicyRuleBuilder()
                .withApiGroups("flink.apache.org")
                .withResources(KINDS)
                .withVerbs("get", "list")
                .build();
    }

    private String administrator(String name) {
        API.client()
                .resource(
                        new ClusterRoleBindingBuilder()
                                .withNewMetadata()
                                .withName(shop + "-administrator")
                                .endMetadata()
                                .withNewRoleRef(
                                        "rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                                .addNewSubject("", "ServiceAccount", account(name), shop)
                                .build())
                .create();
        EffectiveAccess.ofAccount(API.client(), shop, name).await("", readingOfTheKinds());
        return name;
    }

    private String account(String name) {
        API.client()
                .resource(
                        new ServiceAccountBuilder()
                                .withNewMetadata()
                                .withNamespace(shop)
                                .withName(name)
                                .endMetadata()
                                .build())
                .create();
        return name;
    }

    private String token(String account, String... audiences) {
        return API.client()
                .serviceAccounts()
                .inNamespace(shop)
                .withName(account)
                .tokenRequest(
                        new TokenRequestBuilder()
                                .withNewSpec()
                                .withAudiences(audiences)
                                .endSpec()
                                .build())
                .getStatus()
                .getToken();
    }

    /** Namespaces of the jobs that are listed. */
    private Stream<String> listed(String token) throws Exception {
        return new ObjectMapper()
                .readTree(get("/explain", token).body())
                .valueStream()
                .map(job -> job.path("namespace").asText())
                .filter(List.of(shop, bank)::contains);
    }

    private HttpResponse<String> get(String path, String token) throws Exception {
        return send(server, path, token);
    }

    private HttpResponse<String> send(ManagementServer asked, String path, String token)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + asked.port() + path));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private static Explanation waiting(String namespace) {
        return new Explanation(
                new JobKey(namespace, "orders", "u-" + namespace),
                Instant.EPOCH,
                List.of(),
                new Graph(Map.of(), Map.of()),
                new Verdict.Waiting("it starts"),
                new Counts(0, 0, 0, Map.of(), Map.of(), 0, 20),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                new Timeline(),
                new HourlyHistory());
    }
}
