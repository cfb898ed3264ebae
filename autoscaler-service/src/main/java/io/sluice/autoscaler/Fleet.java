// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.api.FlinkDeployment;
import io.sluice.autoscaler.collect.JobKey;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** All FlinkDeployments of the watched namespaces, as the API server last told of them. */
final class Fleet implements AutoCloseable {
    private final List<SharedIndexInformer<FlinkDeployment>> informers;

    private Fleet(List<SharedIndexInformer<FlinkDeployment>> informers) {
        this.informers = informers;
    }

    /** Starts watching and returns at once; what can't be watched is tried again for ever. */
    static Fleet watch(KubernetesClient client, List<String> namespaces) {
        var resources = client.resources(FlinkDeployment.class);
        List<SharedIndexInformer<FlinkDeployment>> informers =
                namespaces.isEmpty()
                        ? List.of(resources.inAnyNamespace().runnableInformer(0))
                        : namespaces.stream()
                                .map(
                                        namespace ->
                                                resources
                                                        .inNamespace(namespace)
                                                        .runnableInformer(0))
                                .toList();
        for (var informer : informers) {
            informer.exceptionHandler((_, _) -> true);
            var _ = informer.start();
        }
        return new Fleet(informers);
    }

    boolean isKnown() {
        return informers.stream().allMatch(SharedIndexInformer::hasSynced);
    }

    List<FlinkDeployment> all() {
        return informers.stream()
                .map(informer -> informer.getStore().list())
                .flatMap(Collection::stream)
                .filter(resource -> resource.getMetadata().getDeletionTimestamp() == null)
                .toList();
    }

    Optional<FlinkDeployment> find(JobKey key) {
        return informers.stream()
                .map(informer -> Optional.ofNullable(informer.getStore().getByKey(key.path())))
                .flatMap(Optional::stream)
                .filter(resource -> JobKey.of(resource).equals(key))
                .findFirst();
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::stop);
    }
}
