// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.ResourceKind;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resources of one kind, as far as rules about other resources read them. The first list is
 * read in pages, as all of it at once may not fit; later changes come by a watch.
 */
final class ResourceCache implements Part {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceCache.class);
    private static final long PAGE = 50;

    private final ResourceKind kind;
    private final Need need;
    private final List<Held> held;
    private volatile boolean absent;
    private volatile String why = "not listed yet";

    /** What it means that the cluster does not know the kind. */
    enum Need {
        /** Not ready. */
        REQUIRED,
        /** There is none of it. */
        OPTIONAL
    }

    /** One list, of a namespace or of all. */
    private record Held(
            TrimmedStore store, SharedIndexInformer<GenericKubernetesResource> informer) {}

    /**
     * @param namespaces empty: all
     */
    ResourceCache(KubernetesClient client, ResourceKind kind, Need need, List<String> namespaces) {
        this.kind = kind;
        this.need = need;
        var resources = client.genericKubernetesResources(context(kind));
        held =
                namespaces.isEmpty()
                        ? List.of(hold(resources.inAnyNamespace()))
                        : namespaces.stream()
                                .map(namespace -> hold(resources.inNamespace(namespace)))
                                .toList();
    }

    void start() {
        held.forEach(each -> each.informer().start());
    }

    ResourceKind kind() {
        return kind;
    }

    int size() {
        return held.stream().mapToInt(each -> each.store().size()).sum();
    }

    Optional<ObjectNode> read(String namespace, String name) {
        return held.stream()
                .flatMap(each -> each.store().read(namespace, name).stream())
                .findFirst();
    }

    /** Empty once every list has been read. */
    @Override
    public Optional<String> missing() {
        boolean listed = held.stream().allMatch(each -> each.informer().hasSynced());
        return listed || (absent && need == Need.OPTIONAL)
                ? Optional.empty()
                : Optional.of(kind.wire() + ": " + why);
    }

    @Override
    public void close() {
        held.forEach(each -> each.informer().stop());
    }

    /** An initial state, if only an empty one, has it list from the storage itself, in pages. */
    private Held hold(Informable<GenericKubernetesResource> resources) {
        var store = new TrimmedStore();
        var informer =
                resources
                        .withLimit(PAGE)
                        .runnableInformer(0)
                        .removeNamespaceIndex()
                        .itemStore(store)
                        .initialState(Stream.empty())
                        .exceptionHandler(
                                (_, failure) -> {
                                    tell(failure);
                                    return true;
                                });
        return new Held(store, informer);
    }

    /** In one line, once for each cause. */
    private void tell(Throwable failure) {
        String before = why;
        Optional<KubernetesClientException> answer = answer(failure);
        absent =
                answer.filter(each -> each.getCode() == HttpURLConnection.HTTP_NOT_FOUND)
                        .isPresent();
        why =
                absent
                        ? "the cluster does not know it; apply the CRDs of the chart"
                        : "cannot be listed: "
                                + answer.flatMap(each -> Optional.ofNullable(each.getStatus()))
                                        .map(Status::getMessage)
                                        .orElseGet(() -> String.valueOf(failure.getMessage()));
        if (!why.equals(before)) {
            LOG.warn("{}: {}", kind.wire(), why);
        }
    }

    /** What the API server said, if it was that. */
    private static Optional<KubernetesClientException> answer(Throwable failure) {
        return Stream.iterate(
                        Optional.of(failure),
                        Optional::isPresent,
                        each -> each.map(Throwable::getCause))
                .flatMap(Optional::stream)
                .filter(KubernetesClientException.class::isInstance)
                .map(KubernetesClientException.class::cast)
                .filter(each -> each.getCode() > 0)
                .findFirst();
    }

    static ResourceDefinitionContext context(ResourceKind kind) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(FlinkDeployment.GROUP)
                .withVersion(FlinkDeployment.VERSION)
                .withKind(kind.wire())
                .withPlural(kind.wire().toLowerCase(Locale.ROOT) + "s")
                .withNamespaced(true)
                .build();
    }
}
