// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.installation;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/** Clients that tell of each failure, as {@code kubectl} does, instead of trying again. */
public final class Clients {
    private Clients() {}

    public static KubernetesClient of(String kubeconfig) {
        return new KubernetesClientBuilder()
                .withConfig(
                        new ConfigBuilder(Config.fromKubeconfig(kubeconfig))
                                .withRequestRetryBackoffLimit(0)
                                .build())
                .build();
    }
}
