// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** How this process talks to the API server. */
final class ApiClient {
    private ApiClient() {}

    /** Opens a client with the service account of the pod, or with a kubeconfig. */
    static KubernetesClient open() {
        return open(
                new ConfigBuilder()
                        .withRequestRetryBackoffLimit(1)
                        .withUserAgent("sluice-webhook")
                        .build());
    }

    /**
     * Every resource is read as the type that was asked for. That the library looks for all kinds
     * that Kubernetes has would take a good part of the start.
     */
    static KubernetesClient open(Config config) {
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(new KubernetesSerialization(new ObjectMapper(), false))
                .build();
    }
}
