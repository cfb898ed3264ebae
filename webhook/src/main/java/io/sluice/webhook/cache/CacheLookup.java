// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.cache;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.review.Lookup;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what a resource refers to in the caches, and what is not there at the API server: caches
 * lag, and both may have been applied within one second.
 */
public final class CacheLookup implements Lookup {
    private static final Logger LOG = LoggerFactory.getLogger(CacheLookup.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubernetesClient client;
    private final List<ResourceCache> caches;

    public CacheLookup(KubernetesClient client, List<ResourceCache> caches) {
        this.client = client;
        this.caches = List.copyOf(caches);
    }

    @Override
    public Answer find(ResourceKind kind, String namespace, String name) {
        Optional<ResourceCache> cache =
                caches.stream().filter(each -> each.kind() == kind).findFirst();
        if (cache.isEmpty() || name.isEmpty()) {
            return new Unknown();
        }
        return cache.get()
                .read(namespace, name)
                .<Answer>map(Found::new)
                .orElseGet(() -> ask(kind, namespace, name));
    }

    @Override
    public Answer findAtHand(ResourceKind kind, String namespace, String name) {
        return caches.stream()
                .filter(each -> each.kind() == kind)
                .flatMap(each -> each.read(namespace, name).stream())
                .findFirst()
                .<Answer>map(Found::new)
                .orElseGet(Unknown::new);
    }

    private Answer ask(ResourceKind kind, String namespace, String name) {
        try {
            return Optional.ofNullable(
                            client.genericKubernetesResources(ResourceCache.context(kind))
                                    .inNamespace(namespace)
                                    .withName(name)
                                    .get())
                    .<Answer>map(found -> new Found(JSON.<ObjectNode>valueToTree(found)))
                    .orElseGet(Absent::new);
        } catch (KubernetesClientException failure) {
            LOG.atWarn()
                    .addKeyValue("kind", kind.wire())
                    .addKeyValue("status", failure.getCode())
                    .log("cannot look up what a resource refers to");
            return new Unknown();
        }
    }
}
