// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.admission;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * The chart's admission policies and roles, as rendered for {@code tenancy: shared}, on a real API
 * server. The server is shared: they are gone once this is closed.
 */
final class InstalledPolicies implements AutoCloseable {
    private static final Path RENDERED = Path.of("../helm/golden/shared.rendered.yaml");
    private static final Set<String> INSTALLED =
            Set.of(
                    "ValidatingAdmissionPolicy",
                    "ValidatingAdmissionPolicyBinding",
                    "ClusterRole",
                    "ClusterRoleBinding");

    static final String OPERATOR = "system:serviceaccount:sluice-system:sluice-operator";

    private final ApiServer api;
    private final List<HasMetadata> installed;

    private InstalledPolicies(ApiServer api, List<HasMetadata> installed) {
        this.api = api;
        this.installed = installed;
    }

    static InstalledPolicies on(ApiServer api) throws IOException {
        List<HasMetadata> found =
                api.client().load(Files.newInputStream(RENDERED)).items().stream()
                        .filter(each -> INSTALLED.contains(each.getKind()))
                        .toList();
        assertThat(found).extracting(HasMetadata::getKind).containsAll(INSTALLED);
        found.forEach(each -> api.client().resource(each).create());
        return new InstalledPolicies(api, found);
    }

    /** Policies take effect a moment after they are made. */
    void awaitEffect() {
        try (KubernetesClient operator = as(OPERATOR)) {
            await().atMost(ofSeconds(60))
                    .untilAsserted(
                            () ->
                                    assertRefused(
                                            () ->
                                                    operator.resource(configMap("default", "probe"))
                                                            .dryRun()
                                                            .create()));
        }
    }

    /** A client that acts as {@code account}. */
    KubernetesClient as(String account) {
        Config config = Config.fromKubeconfig(api.kubeconfig());
        config.setImpersonateUsername(account);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** As one of Flink's: labelled so, for a cluster called orders. */
    static ConfigMap configMap(String namespace, String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .withLabels(Map.of("app", "orders", "type", "flink-native-kubernetes"))
                .endMetadata()
                .build();
    }

    static void assertRefused(ThrowingCallable write) {
        assertThatThrownBy(write)
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("ValidatingAdmissionPolicy 'sluice-");
    }

    @Override
    public void close() {
        installed.forEach(each -> api.client().resource(each).delete());
    }
}
