// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.EffectiveAccess;
import io.sluice.testkit.ServiceAccountLogin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How somebody reaches the API server of a test.
 *
 * @param folder for the files
 */
public record Kubeconfigs(ApiServer server, Path folder) {
    /** Of somebody who may do everything. */
    public Path administrator() throws IOException {
        return Files.writeString(folder.resolve("config"), server.kubeconfig());
    }

    /** Of somebody who has these rights only, in one namespace. */
    public Path guest(String namespace, PolicyRule... rules) throws IOException {
        var client = server.client();
        ObjectMeta name =
                new ObjectMetaBuilder().withNamespace(namespace).withName("guest").build();
        client.resource(new ServiceAccountBuilder().withMetadata(name).build()).create();
        client.resource(new RoleBuilder().withMetadata(name).withRules(rules).build()).create();
        client.resource(
                        new RoleBindingBuilder()
                                .withMetadata(name)
                                .withNewRoleRef("rbac.authorization.k8s.io", "Role", "guest")
                                .addNewSubject("", "ServiceAccount", "guest", namespace)
                                .build())
                .create();
        for (PolicyRule rule : rules) {
            EffectiveAccess.ofAccount(client, namespace, "guest").await(namespace, rule);
        }
        return Files.writeString(
                folder.resolve("guest"),
                new ServiceAccountLogin(client, namespace, "guest")
                        .kubeconfig(server.kubeconfig(), Duration.ofHours(1)));
    }
}
