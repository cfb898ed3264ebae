// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.testkit.ServiceAccountLogin;
import java.time.Duration;

/**
 * Who the operator is in a trial: as in a cluster, a service account with a token. With a client
 * certificate its library would read its configuration again for each request, a fifth of all the
 * work.
 */
final class ServiceUser {
    private static final String NAME = "operator";
    private static final Duration TOKEN = Duration.ofHours(10);

    private ServiceUser() {}

    /** What the API server calls the user. */
    static String nameIn(String namespace) {
        return "system:serviceaccount:" + namespace + ":" + NAME;
    }

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
        return new ServiceAccountLogin(api, namespace, NAME).kubeconfig(administrator, TOKEN);
    }
}
