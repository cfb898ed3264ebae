// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.RawResource;
import io.sluice.api.spec.ResourceKind;
import io.sluice.process.ListFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether the operator may list what it watches in a namespace. Only a refusal counts: who can't be
 * reached may answer the framework's own lists, which wait.
 *
 * @param kinds that are watched
 */
public record NamespaceAccess(KubernetesClient client, List<Class<? extends HasMetadata>> kinds) {
    public NamespaceAccess {
        kinds = List.copyOf(kinds);
    }

    /**
     * @param ingress the kind that is made of {@code spec.ingress}; empty for none
     */
    public static NamespaceAccess of(
            KubernetesClient client, Optional<Class<? extends HasMetadata>> ingress) {
        List<Class<? extends HasMetadata>> kinds = new ArrayList<>();
        for (ResourceKind kind : ResourceKind.values()) {
            kinds.add(RawResource.of(kind).getClass());
        }
        kinds.addAll(List.of(Deployment.class, Pod.class, ConfigMap.class));
        ingress.ifPresent(kinds::add);
        return new NamespaceAccess(client, kinds);
    }

    /** Why the API server refuses a list there, in its words; empty if it does not. */
    public Optional<String> refusal(String namespace) {
        return kinds.stream().flatMap(kind -> refusal(kind, namespace).stream()).findFirst();
    }

    private Optional<String> refusal(Class<? extends HasMetadata> kind, String namespace) {
        try {
            var _ =
                    client.resources(kind)
                            .inNamespace(namespace)
                            .list(new ListOptionsBuilder().withLimit(1L).build());
            return Optional.empty();
        } catch (KubernetesClientException fault) {
            return Optional.of(ListFailure.of(fault))
                    .filter(ListFailure::isRefused)
                    .map(ListFailure::message);
        }
    }
}
