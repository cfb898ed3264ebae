// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.EffectiveAccess;
import io.sluice.testkit.ServiceAccountLogin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The operator's service account, with the rights that the chart gives it in a namespace. */
public record OperatorAccount(ApiServer api, String namespace) {
    /** Where the chart keeps the rules of its roles, which are granted here word for word. */
    private static final Path ROLES = Path.of("../helm/sluice/roles");

    private static final String NAME = "sluice-operator";
    private static final String OWN = "sluice-operator-own";
    private static final Duration TOKEN = Duration.ofHours(1);
    private static final String GROUP = "rbac.authorization.k8s.io";

    /** Makes the account, with what it may in its own namespace. */
    public static OperatorAccount in(ApiServer api, String namespace) {
        api.client()
                .resource(new ServiceAccountBuilder().withMetadata(named(namespace, NAME)).build())
                .create();
        var account = new OperatorAccount(api, namespace);
        account.grant(namespace, OWN, "operator-own.yaml");
        return account;
    }

    /** With the chart's Role and RoleBinding of a namespace that is watched. */
    public OperatorAccount serving(String served) {
        grant(served, NAME, "operator-resources.yaml", "operator-ingresses.yaml");
        return this;
    }

    private void grant(String served, String role, String... files) {
        List<PolicyRule> rules = Stream.of(files).flatMap(each -> rules(each).stream()).toList();
        api.client()
                .resource(
                        new RoleBuilder()
                                .withMetadata(named(served, role))
                                .withRules(rules)
                                .build())
                .create();
        bind(served, role);
        EffectiveAccess.ofAccount(api.client(), namespace, NAME).await(served, rules.getFirst());
    }

    /** Gives the rights that were taken away. */
    public void bind(String served) {
        bind(served, NAME);
    }

    private void bind(String served, String role) {
        api.client()
                .resource(
                        new RoleBindingBuilder()
                                .withMetadata(named(served, role))
                                .withNewRoleRef(GROUP, "Role", role)
                                .addNewSubject("", "ServiceAccount", NAME, namespace)
                                .build())
                .create();
    }

    /** Takes the rights in that namespace away. */
    public void unbind(String served) {
        api.client().rbac().roleBindings().inNamespace(served).withName(NAME).delete();
    }

    /** A client of the account; to be closed by the caller. */
    public KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(
                        new ConfigBuilder(Config.fromKubeconfig(api.kubeconfig()))
                                .withClientCertData("")
                                .withClientKeyData("")
                                .withOauthToken(login().token(TOKEN))
                                .withRequestRetryBackoffLimit(0)
                                .build())
                .build();
    }

    /** What {@code KUBECONFIG} would point to. */
    public String kubeconfig() {
        return login().kubeconfig(api.kubeconfig(), TOKEN);
    }

    private ServiceAccountLogin login() {
        return new ServiceAccountLogin(api.client(), namespace, NAME);
    }

    private static ObjectMeta named(String namespace, String name) {
        return new ObjectMetaBuilder().withNamespace(namespace).withName(name).build();
    }

    private static List<PolicyRule> rules(String file) {
        try {
            return List.of(
                    Serialization.unmarshal(
                            Files.readString(ROLES.resolve(file)), PolicyRule[].class));
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }
}
