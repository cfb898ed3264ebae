// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.installation;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.testkit.ServiceAccountLogin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What the chart installs, but for the pods: accounts, rights, policies and the webhook
 * configurations, which name an address of loopback as nothing routes Services here. The processes
 * get the environment and the configuration that the chart gives their containers.
 */
public final class Installation {
    private static final Duration TOKEN = Duration.ofHours(10);
    private static final Set<String> KINDS =
            Set.of(
                    "ServiceAccount",
                    "Role",
                    "RoleBinding",
                    "ClusterRole",
                    "ClusterRoleBinding",
                    "ValidatingAdmissionPolicy",
                    "ValidatingAdmissionPolicyBinding",
                    "ValidatingWebhookConfiguration",
                    "MutatingWebhookConfiguration");

    private final KubernetesClient client;
    private final String administrator;
    private final List<HasMetadata> rendered;

    private Installation(
            KubernetesClient client, String administrator, List<HasMetadata> rendered) {
        this.client = client;
        this.administrator = administrator;
        this.rendered = List.copyOf(rendered);
    }

    /**
     * @param administrator a kubeconfig
     * @param chart as Helm renders it
     */
    public static Installation of(KubernetesClient client, String administrator, Path chart)
            throws IOException {
        try (InputStream yaml = Files.newInputStream(chart)) {
            return new Installation(client, administrator, client.load(yaml).items());
        }
    }

    public void install(int httpsPort) {
        for (String namespace :
                List.of(
                        Namespaces.SYSTEM,
                        Namespaces.ORDINARY,
                        Namespaces.HOSTILE,
                        Namespaces.LOST)) {
            client.resource(
                            new NamespaceBuilder()
                                    .withNewMetadata()
                                    .withName(namespace)
                                    .endMetadata()
                                    .build())
                    .create();
        }
        for (HasMetadata each : rendered) {
            boolean isHook =
                    Optional.ofNullable(each.getMetadata().getAnnotations())
                            .filter(annotations -> annotations.containsKey("helm.sh/hook"))
                            .isPresent();
            if (KINDS.contains(each.getKind()) && !isHook) {
                if (each instanceof ValidatingWebhookConfiguration validating) {
                    validating
                            .getWebhooks()
                            .forEach(hook -> byUrl(hook.getClientConfig(), httpsPort));
                }
                if (each instanceof MutatingWebhookConfiguration mutating) {
                    mutating.getWebhooks()
                            .forEach(hook -> byUrl(hook.getClientConfig(), httpsPort));
                }
                client.resource(each)
                        .inNamespace(
                                Optional.ofNullable(each.getMetadata().getNamespace())
                                        .orElse(Namespaces.SYSTEM))
                        .create();
            }
        }
    }

    /** Takes all rights in {@link Namespaces#LOST} away from the three processes. */
    public void takeRightsAway() {
        client.rbac()
                .roleBindings()
                .inNamespace(Namespaces.LOST)
                .list()
                .getItems()
                .forEach(each -> client.resource(each).delete());
    }

    /** Writes what is mounted into each container at the place of its configuration. */
    void writeConfiguration(Path folder) throws IOException {
        ConfigMap map = named(ConfigMap.class, "sluice-configuration");
        Files.createDirectories(folder);
        for (var entry : map.getData().entrySet()) {
            Files.writeString(folder.resolve(entry.getKey()), entry.getValue());
        }
    }

    /** A kubeconfig for the service account of {@code component}. */
    String kubeconfig(String component) {
        return new ServiceAccountLogin(client, Namespaces.SYSTEM, "sluice-" + component)
                .kubeconfig(administrator, TOKEN);
    }

    /** The variables that the chart gives the container of {@code component} as plain values. */
    Map<String, String> environment(String component) {
        Map<String, String> environment = new HashMap<>();
        container(component)
                .getEnv()
                .forEach(
                        each ->
                                Optional.ofNullable(each.getValue())
                                        .ifPresent(
                                                value -> environment.put(each.getName(), value)));
        return environment;
    }

    /** The memory that the kernel would let the container of {@code component} have, MiB. */
    public long memoryLimitMebibytes(String component) {
        Quantity memory = container(component).getResources().getLimits().get("memory");
        return Quantity.getAmountInBytes(Objects.requireNonNull(memory, component)).longValue()
                / (1024 * 1024);
    }

    private Container container(String component) {
        return named(Deployment.class, "sluice-" + component)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst();
    }

    private <T extends HasMetadata> T named(Class<T> type, String name) {
        return rendered.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .filter(each -> each.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "the chart renders no "
                                                + type.getSimpleName()
                                                + " "
                                                + name));
    }

    private static void byUrl(WebhookClientConfig config, int port) {
        config.setUrl("https://127.0.0.1:" + port + config.getService().getPath());
        config.setService(null);
    }
}
