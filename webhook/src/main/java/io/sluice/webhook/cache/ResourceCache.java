// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.cache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.spec.ResourceKind;
import io.sluice.process.ListFailure;
import io.sluice.webhook.readiness.Part;
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
public final class ResourceCache implements Part {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceCache.class);
    private static final long PAGE = 50;

    private final ResourceKind kind;
    private final Need need;
    private final List<Held> held;
    private volatile boolean absent;

    /** What it means that the cluster does not know the kind. */
    public enum Need {
        /** Not ready. */
        REQUIRED,
        /** There is none of it. */
        OPTIONAL
    }

    /** One list, of a namespace or of all. */
    private record Held(
            TrimmedStore store,
            SharedIndexInformer<GenericKubernetesResource> informer,
            Trouble trouble) {
        /** Whether the API server refuses us this list, and no watch goes on. */
        boolean isRefused() {
            return trouble.refused && !informer.isWatching();
        }
    }

    /** What was last wrong with a list. */
    private static final class Trouble {
        private volatile boolean refused;
        private volatile String why = "not listed yet";
    }

    /**
     * @param namespaces empty: all
     */
    public ResourceCache(
            KubernetesClient client, ResourceKind kind, Need need, List<String> namespaces) {
        this.kind = kind;
        this.need = need;
        var resources = client.genericKubernetesResources(context(kind));
        held =
                namespaces.isEmpty()
                        ? List.of(hold(resources.inAnyNamespace(), ""))
                        : namespaces.stream()
                                .map(
                                        namespace ->
                                                hold(
                                                        resources.inNamespace(namespace),
                                                        " in " + namespace))
                                .toList();
    }

    public void start() {
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
                // What was read before the rights were taken away may have changed since.
                .filter(each -> !each.isRefused())
                .flatMap(each -> each.store().read(namespace, name).stream())
                .findFirst();
    }

    /**
     * Empty once every list has been read. A list that is refused keeps nobody waiting whose list
     * was read: it is that namespace's own trouble, and is tried again.
     */
    @Override
    public Optional<String> missing() {
        boolean isServed = held.stream().anyMatch(each -> each.informer().hasSynced());
        return absent && need == Need.OPTIONAL
                ? Optional.empty()
                : held.stream()
                        .filter(each -> !each.informer().hasSynced())
                        .filter(each -> !(isServed && each.isRefused()))
                        .findFirst()
                        .map(each -> kind.wire() + ": " + each.trouble().why);
    }

    /** How many lists the API server refuses. */
    int refused() {
        return (int) held.stream().filter(Held::isRefused).count();
    }

    @Override
    public void close() {
        held.forEach(each -> each.informer().stop());
    }

    /** An initial state, if only an empty one, has it list from the storage itself, in pages. */
    private Held hold(Informable<GenericKubernetesResource> resources, String where) {
        var store = new TrimmedStore();
        var trouble = new Trouble();
        var informer =
                resources
                        .withLimit(PAGE)
                        .runnableInformer(0)
                        .removeNamespaceIndex()
                        .itemStore(store.items())
                        .initialState(Stream.empty())
                        .exceptionHandler(
                                (_, failure) -> {
                                    tell(failure, trouble, where);
                                    return true;
                                });
        return new Held(store, informer, trouble);
    }

    /** Logs one line, once for each cause. */
    private void tell(Throwable failure, Trouble trouble, String where) {
        String before = trouble.why;
        var found = ListFailure.of(failure);
        absent = found.isUnknownKind();
        trouble.refused = found.isRefused();
        String why =
                absent
                        ? "the cluster does not know it; apply the CRDs of the chart"
                        : "cannot be listed: " + found.message();
        trouble.why = why;
        if (!why.equals(before)) {
            LOG.warn("{}{}: {}", kind.wire(), where, why);
        }
    }

    static ResourceDefinitionContext context(ResourceKind kind) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(ApiVersion.GROUP)
                .withVersion(ApiVersion.VERSION)
                .withKind(kind.wire())
                .withPlural(kind.wire().toLowerCase(Locale.ROOT) + "s")
                .withNamespaced(true)
                .build();
    }
}
