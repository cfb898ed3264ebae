// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;

/**
 * How a process asks the API server as a service account.
 *
 * @param administrator a client that may request tokens of the account
 * @param name of an account that exists
 */
public record ServiceAccountLogin(KubernetesClient administrator, String namespace, String name) {
    /** A new token of the account. */
    public String token(Duration lifetime) {
        return administrator
                .serviceAccounts()
                .inNamespace(namespace)
                .withName(name)
                .tokenRequest(
                        new TokenRequestBuilder()
                                .withNewSpec()
                                .withExpirationSeconds(lifetime.toSeconds())
                                .endSpec()
                                .build())
                .getStatus()
                .getToken();
    }

    /**
     * What {@code KUBECONFIG} would point to.
     *
     * @param kubeconfig of anybody at the same API server
     * @param lifetime of the token in it
     */
    public String kubeconfig(String kubeconfig, Duration lifetime) {
        ObjectNode own = Serialization.unmarshal(kubeconfig, ObjectNode.class);
        String token = token(lifetime);
        own.withArray("/users")
                .forEach(user -> ((ObjectNode) user).putObject("user").put("token", token));
        return own.toString();
    }
}
