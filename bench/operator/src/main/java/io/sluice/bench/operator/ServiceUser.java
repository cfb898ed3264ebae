// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;

/**
 * Who the operator is in a trial: as in a cluster, a service account with a token. With a client
 * certificate its library would read its configuration again for each request, a fifth of all the
 * work.
 */
final class ServiceUser {
    private static final String NAME = "operator";
    private static final long SECONDS = 36_000;

    private ServiceUser() {}

    /**
     * @param administrator a kubeconfig
     * @return the same with this user
     */
    static String in(String namespace, KubernetesClient api, String administrator) {
        var account =
                new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(NAME)
                        .endMetadata();
        api.resource(account.build()).create();
        api.resource(
                        new ClusterRoleBindingBuilder()
                                .withNewMetadata()
                                .withName(NAME)
                                .endMetadata()
                                .withNewRoleRef(
                                        "rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                                .addNewSubject("", "ServiceAccount", NAME, namespace)
                                .build())
                .create();
        String token =
                api.serviceAccounts()
                        .inNamespace(namespace)
                        .withName(NAME)
                        .tokenRequest(
                                new TokenRequestBuilder()
                                        .withNewSpec()
                                        .withExpirationSeconds(SECONDS)
                                        .endSpec()
                                        .build())
                        .getStatus()
                        .getToken();
        ObjectNode kubeconfig = Serialization.unmarshal(administrator, ObjectNode.class);
        kubeconfig
                .withArray("/users")
                .forEach(user -> ((ObjectNode) user).putObject("user").put("token", token));
        return kubeconfig.toString();
    }
}
