// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.jobs;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.sluice.process.ListFailure;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the API server last told of one kind, by one list for all namespaces, or one for each. A
 * list that the API server refuses keeps nobody waiting whose list was read: it is that namespace's
 * own trouble, and is tried again.
 */
record Watches<T extends HasMetadata>(List<WatchedList<T>> lists) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Watches.class);

    /**
     * One list and its watch.
     *
     * @param refusal why the API server refused it when it was last tried; empty if it did not
     */
    record WatchedList<T extends HasMetadata>(
            SharedIndexInformer<T> informer, AtomicReference<Optional<String>> refusal) {
        boolean isRefused() {
            return refusal.get().isPresent() && !informer.isWatching();
        }

        /** In one line, once for each cause. */
        void tell(Throwable failure, String kind, String namespace) {
            ListFailure found = ListFailure.of(failure);
            Optional<String> now = Optional.of(found.message()).filter(_ -> found.isRefused());
            if (!refusal.getAndSet(now).equals(now)) {
                now.ifPresent(
                        why ->
                                LOG.atWarn()
                                        .addKeyValue("refusedNamespace", namespace)
                                        .log("{} can't be listed: {}", kind, why));
            }
        }
    }

    Watches {
        lists = List.copyOf(lists);
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
        return new Watches<>(
                namespaces.isEmpty()
                        ? List.of(watch(resources.inAnyNamespace(), labels, kind, "all"))
                        : namespaces.stream()
                                .map(
                                        namespace ->
                                                watch(
                                                        resources.inNamespace(namespace),
                                                        labels,
                                                        kind,
                                                        namespace))
                                .toList());
    }

    private static <T extends HasMetadata> WatchedList<T> watch(
            FilterWatchListDeletable<T, KubernetesResourceList<T>, Resource<T>> there,
            Optional<String> labels,
            Class<T> kind,
            String namespace) {
        SharedIndexInformer<T> informer =
                labels.map(there::withLabelSelector).orElse(there).runnableInformer(0);
        informer.itemStore(new TrimmedStore<>());
        var watched = new WatchedList<>(informer, new AtomicReference<>(Optional.empty()));
        informer.exceptionHandler(
                (_, failure) -> {
                    watched.tell(failure, kind.getSimpleName(), namespace);
                    return true;
                });
        var _ = informer.start();
        return watched;
    }

    /** Who set which field takes as much memory as the fields, and nobody here asks for it. */
    private static final class TrimmedStore<T extends HasMetadata> extends BasicItemStore<T> {
        TrimmedStore() {
            super(Cache::metaNamespaceKeyFunc);
        }

        @Override
        public T put(String key, T resource) {
            resource.getMetadata().setManagedFields(List.of());
            return super.put(key, resource);
        }
    }

    static void start(SharedIndexInformer<?> informer) {
        informer.exceptionHandler((_, _) -> true);
        var _ = informer.start();
    }

    boolean isKnown() {
        return lists.stream().anyMatch(each -> each.informer().hasSynced())
                && lists.stream().allMatch(each -> each.informer().hasSynced() || each.isRefused());
    }

    /** How many lists the API server refuses. */
    int refused() {
        return (int) lists.stream().filter(WatchedList::isRefused).count();
    }

    /** All but what is being deleted, and what may have changed since its namespace was refused. */
    Stream<T> all() {
        return lists.stream()
                .filter(each -> !each.isRefused())
                .map(each -> each.informer().getStore().list())
                .flatMap(Collection::stream)
                .filter(resource -> resource.getMetadata().getDeletionTimestamp() == null);
    }

    /**
     * @param path namespace and name, with a slash between
     */
    Optional<T> find(String path) {
        return lists.stream()
                .filter(each -> !each.isRefused())
                .map(each -> Optional.ofNullable(each.informer().getStore().getByKey(path)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    @Override
    public void close() {
        lists.forEach(each -> each.informer().stop());
    }
}
