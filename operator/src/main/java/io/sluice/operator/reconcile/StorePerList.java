// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.javaoperatorsdk.operator.api.config.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.config.ResolvedControllerConfiguration;
import io.javaoperatorsdk.operator.api.config.informer.InformerConfiguration;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.javaoperatorsdk.operator.processing.event.source.PrimaryToSecondaryMapper;
import io.javaoperatorsdk.operator.processing.event.source.SecondaryToPrimaryMapper;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Each of several namespaces is listed by itself, and a store holds one list: what an informer has
 * listed takes the place of all that its store had. The framework would give one store to all, and
 * asks for it when it makes an informer; it is given another one each time.
 *
 * @param <R> what is listed
 */
final class StorePerList<R extends HasMetadata> extends InformerConfiguration<R> {
    private final Supplier<? extends ItemStore<R>> stores;

    private StorePerList(InformerConfiguration<R> other, Supplier<? extends ItemStore<R>> stores) {
        super(
                other.getResourceClass(),
                other.getName(),
                other.getNamespaces(),
                other.getFollowControllerNamespaceChanges(),
                other.getLabelSelector(),
                other.getOnAddFilter(),
                other.getOnUpdateFilter(),
                other.getOnDeleteFilter(),
                other.getGenericFilter(),
                other.getItemStore(),
                other.getInformerListLimit(),
                other.getFieldSelector(),
                other.isComparableResourceVersions(),
                other.getGhostResourceCacheCheckInterval());
        this.stores = stores;
    }

    /** As {@code other}, with a store of {@code stores} for each list. */
    static <R extends HasMetadata> ControllerConfiguration<R> of(
            ControllerConfiguration<R> other, Supplier<? extends ItemStore<R>> stores) {
        var informers = new StorePerList<>(other.getInformerConfig(), stores);
        return new ResolvedControllerConfiguration<>(other) {
            @Override
            public InformerConfiguration<R> getInformerConfig() {
                return informers;
            }
        };
    }

    /** As {@code other}, with a store of {@code stores} for each list. */
    static <R extends HasMetadata> InformerEventSourceConfiguration<R> of(
            InformerEventSourceConfiguration<R> other, Supplier<? extends ItemStore<R>> stores) {
        return new Secondaries<>(other, new StorePerList<>(other.getInformerConfig(), stores));
    }

    @Override
    public ItemStore<R> getItemStore() {
        return stores.get();
    }

    private record Secondaries<R extends HasMetadata>(
            InformerEventSourceConfiguration<R> other, InformerConfiguration<R> informers)
            implements InformerEventSourceConfiguration<R> {
        @Override
        public InformerConfiguration<R> getInformerConfig() {
            return informers;
        }

        @Override
        public SecondaryToPrimaryMapper<R> getSecondaryToPrimaryMapper() {
            return other.getSecondaryToPrimaryMapper();
        }

        @Override
        public <P extends HasMetadata> PrimaryToSecondaryMapper<P> getPrimaryToSecondaryMapper() {
            return other.getPrimaryToSecondaryMapper();
        }

        @Override
        public Optional<GroupVersionKind> getGroupVersionKind() {
            return other.getGroupVersionKind();
        }

        @Override
        public Optional<KubernetesClient> getKubernetesClient() {
            return other.getKubernetesClient();
        }
    }
}
