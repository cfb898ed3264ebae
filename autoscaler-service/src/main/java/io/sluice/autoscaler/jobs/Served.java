// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.jobs;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.process.Scope;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Which resources are this installation's. Names of namespaces may change while the process runs; a
 * selector of namespaces or of resources is what it was when the process began.
 */
public final class Served implements AutoCloseable {
    private final Supplier<Scope> scope;
    private final Scope first;
    private final Optional<SharedIndexInformer<Namespace>> selected;

    /**
     * @param scope as it is now
     */
    public Served(KubernetesClient client, Supplier<Scope> scope) {
        this.scope = scope;
        first = scope.get();
        selected =
                first.namespaceSelector()
                        .map(
                                selector ->
                                        client.namespaces()
                                                .withLabelSelector(selector)
                                                .runnableInformer(0));
        selected.ifPresent(Watches::start);
    }

    /** Those to watch; empty for all. */
    Set<String> namespaces() {
        return first.followsNamespaces() ? Set.of() : first.namespaces();
    }

    Optional<String> labelSelector() {
        return first.labelSelector();
    }

    /** Whether it is known which. */
    boolean isKnown() {
        return selected.stream().allMatch(SharedIndexInformer::hasSynced);
    }

    /** Which resources are served now, by their namespaces. */
    Predicate<HasMetadata> now() {
        Predicate<String> namespaces = selected.map(Served::among).orElseGet(this::named);
        return resource -> namespaces.test(resource.getMetadata().getNamespace());
    }

    private static Predicate<String> among(SharedIndexInformer<Namespace> selected) {
        return name -> selected.getStore().getByKey(name) != null;
    }

    private Predicate<String> named() {
        Set<String> names =
                first.followsNamespaces() ? scope.get().namespaces() : first.namespaces();
        return names.isEmpty() ? _ -> true : names::contains;
    }

    @Override
    public void close() {
        selected.ifPresent(SharedIndexInformer::stop);
    }
}
