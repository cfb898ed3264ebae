// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.autoscaler.ScaledJob;
import io.sluice.autoscaler.Settings;
import io.sluice.autoscaler.collect.EffectiveConfiguration;
import io.sluice.process.LiveConfiguration;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.EffectiveAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Whose jobs the service looks after: those that the operator beside it serves. */
class ServedIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final EffectiveConfiguration OWN = (_, _, _, own) -> own;

    @TempDir private Path folder;
    private final KubernetesClient client = API.client();
    private String here;
    private String there;
    private Optional<Resources> resources = Optional.empty();

    @BeforeEach
    void twoJobs() {
        here = API.newNamespace();
        there = API.newNamespace();
        List.of(here, there)
                .forEach(
                        namespace ->
                                ScaledJob.create(
                                        API, namespace, "orders", ScaledJob.spec(true), "STABLE"));
    }

    @AfterEach
    void stop() {
        resources.ifPresent(Resources::close);
    }

    @Test
    void namesOfNamespacesChangeWhileItRuns() throws IOException {
        var live =
                serving(
                        "kubernetes.operator.dynamic.namespaces.enabled: true\n"
                                + "kubernetes.operator.watched.namespaces: "
                                + here);
        soon(here);

        write(
                "kubernetes.operator.dynamic.namespaces.enabled: true\n"
                        + "kubernetes.operator.watched.namespaces: "
                        + there);
        live.look();

        soon(there);
    }

    @Test
    void namespacesAreSelectedByTheirLabels() throws IOException {
        label(here, "gold");
        serving("kubernetes.operator.watched.namespaces.selector: tier=gold-" + here);
        soon(here);

        label(here, "tin");
        soon();
    }

    @Test
    void jobsAreSelectedByTheirLabels() throws IOException {
        client.resources(FlinkDeployment.class)
                .inNamespace(there)
                .withName("orders")
                .edit(
                        resource -> {
                            resource.getMetadata().setLabels(Map.of("shard", there));
                            return resource;
                        });

        serving("kubernetes.operator.label.selector: shard=" + there);

        soon(there);
    }

    @Test
    void aNamespaceWithoutRightsKeepsNoOtherFromBeingServed() throws IOException {
        String user = "autoscaler-of-" + here;
        grant(user, here);
        write("kubernetes.operator.watched.namespaces: " + here + "," + there);
        LiveConfiguration live = LiveConfiguration.start(Optional.of(folder), _ -> {}, _ -> {});
        Settings settings = Settings.from(Map.of());
        try (KubernetesClient role = as(user)) {
            var served = new Served(role, () -> settings.scope(live.get()));
            Resources watched = Resources.watch(role, served, OWN);
            resources = Optional.of(watched);

            soon(here);
            soonRefused(watched, 1);

            grant(user, there);
            soon(here, there);
            soonRefused(watched, 0);
        }
    }

    /** Each kind is listed, and refused, by itself. */
    private static void soonRefused(Resources watched, int namespaces) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () ->
                                assertThat(watched.refused())
                                        .isEqualTo(
                                                Map.of(
                                                        "FlinkDeployment",
                                                        namespaces,
                                                        "FlinkSessionJob",
                                                        namespaces)));
    }

    private static KubernetesClient as(String user) {
        return new KubernetesClientBuilder()
                .withConfig(
                        new ConfigBuilder(Config.fromKubeconfig(API.kubeconfig()))
                                .withImpersonateUsername(user)
                                .build())
                .build();
    }

    /** What the chart's role lets the service watch. */
    private void grant(String user, String namespace) {
        PolicyRule rule =
                new PolicyRuleBuilder()
                        .withApiGroups("flink.apache.org")
                        .withResources("flinkdeployments", "flinksessionjobs")
                        .withVerbs("list", "watch")
                        .build();
        client.resource(
                        new RoleBuilder()
                                .withNewMetadata()
                                .withName(user)
                                .withNamespace(namespace)
                                .endMetadata()
                                .withRules(rule)
                                .build())
                .create();
        client.resource(
                        new RoleBindingBuilder()
                                .withNewMetadata()
                                .withName(user)
                                .withNamespace(namespace)
                                .endMetadata()
                                .withNewRoleRef("rbac.authorization.k8s.io", "Role", user)
                                .addNewSubject("rbac.authorization.k8s.io", "User", user, "")
                                .build())
                .create();
        new EffectiveAccess(client, user).await(namespace, rule);
    }

    private LiveConfiguration serving(String configuration) throws IOException {
        write(configuration);
        LiveConfiguration live = LiveConfiguration.start(Optional.of(folder), _ -> {}, _ -> {});
        Settings settings = Settings.from(Map.of());
        var served = new Served(client, () -> settings.scope(live.get()));
        resources = Optional.of(Resources.watch(client, served, OWN));
        return live;
    }

    private void write(String configuration) throws IOException {
        Files.writeString(folder.resolve("config.yaml"), configuration);
    }

    private void label(String namespace, String tier) {
        client.namespaces()
                .withName(namespace)
                .edit(
                        found -> {
                            found.getMetadata().setLabels(Map.of("tier", tier + "-" + namespace));
                            return found;
                        });
    }

    /** Of the two, the jobs in these are looked after. */
    private void soon(String... namespaces) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> {
                            assertThat(resources.orElseThrow().isKnown()).isTrue();
                            assertThat(resources.orElseThrow().all())
                                    .extracting(watched -> watched.key().namespace())
                                    .filteredOn(List.of(here, there)::contains)
                                    .containsExactlyInAnyOrder(namespaces);
                        });
    }
}
