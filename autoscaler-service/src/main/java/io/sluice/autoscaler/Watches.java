// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the API server last told of one kind.
 *
 * @param informers one for all namespaces, or one for each
 */
record Watches<T extends HasMetadata>(List<SharedIndexInformer<T>> informers)
        implements AutoCloseable {
    Watches {
        informers = List.copyOf(informers);
    }

    /**
     * Starts watching and returns at once; what can't be watched is tried again for ever.
     *
     * @param namespaces empty for all
     * @param labels a selector; empty for all
     */
    static <T extends HasMetadata> Watches<T> of(
            KubernetesClient client,
            Class<T> kind,
            Set<String> namespaces,
            Optional<String> labels) {
        var resources = client.resources(kind);
        var found =
                new Watches<>(
                        (namespaces.isEmpty()
                                        ? Stream.of(resources.inAnyNamespace())
                                        : namespaces.stream().map(resources::inNamespace))
                                .map(
                                        there ->
                                                labels.map(there::withLabelSelector)
                                                        .orElse(there)
                                                        .runnableInformer(0))
                                .toList());
        found.informers.forEach(Watches::start);
        return found;
    }

    static void start(SharedIndexInformer<?> informer) {
        informer.exceptionHandler((_, _) -> true);
        var _ = informer.start();
    }

    boolean isKnown() {
        return informers.stream().allMatch(SharedIndexInformer::hasSynced);
    }

    /** All but what is being deleted. */
    Stream<T> all() {
        return informers.stream()
                .map(informer -> informer.getStore().list())
                .flatMap(Collection::stream)
                .filter(resource -> resource.getMetadata().getDeletionTimestamp() == null);
    }

    /**
     * @param path namespace and name, with a slash between
     */
    Optional<T> find(String path) {
        return informers.stream()
                .map(informer -> Optional.ofNullable(informer.getStore().getByKey(path)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::stop);
    }
}
