// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The namespaces that are watched, as they change: those that are not watched any more are let go,
 * what is new is listed before it is watched, and the others go on as they are, so that nothing
 * that happens meanwhile is lost.
 */
public final class Namespaces implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Namespaces.class);

    /** A name that no namespace can have: watching it is watching none. */
    private static final String NONE = "-";

    private final Consumer<Set<String>> follow;
    private Set<String> watched;
    private Runnable stop = () -> {};

    /**
     * @param watched at first; empty for all
     * @param follow makes the watches those of a set of names
     */
    public Namespaces(Set<String> watched, Consumer<Set<String>> follow) {
        this.watched = Set.copyOf(watched);
        this.follow = follow;
    }

    /** What a watch begins with where the names are those of a selector. */
    public static Set<String> selected(KubernetesClient client, String selector) {
        return orNone(
                client.namespaces().withLabelSelector(selector).list().getItems().stream()
                        .map(found -> found.getMetadata().getName())
                        .collect(Collectors.toSet()));
    }

    /** Follows the namespaces that match {@code selector}, as they come and go. */
    public void select(KubernetesClient client, String selector) {
        SharedIndexInformer<Namespace> informer =
                client.namespaces().withLabelSelector(selector).runnableInformer(0);
        informer.addEventHandler(
                new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(Namespace namespace) {
                        change(names(informer));
                    }

                    @Override
                    public void onUpdate(Namespace before, Namespace after) {
                        change(names(informer));
                    }

                    @Override
                    public void onDelete(Namespace namespace, boolean unsure) {
                        change(names(informer));
                    }
                });
        informer.start();
        stop = informer::stop;
    }

    private static Set<String> names(SharedIndexInformer<Namespace> informer) {
        return orNone(
                informer.getStore().list().stream()
                        .map(found -> found.getMetadata().getName())
                        .collect(Collectors.toSet()));
    }

    private static Set<String> orNone(Set<String> names) {
        return names.isEmpty() ? Set.of(NONE) : Set.copyOf(names);
    }

    /** Only names follow names: all namespaces are another kind of watch, which needs a restart. */
    public synchronized void change(Set<String> names) {
        if (names.equals(watched)) {
            return;
        }
        if (names.isEmpty() || watched.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("watched", watched.isEmpty() ? "all" : new TreeSet<>(watched))
                    .log(
                            "kubernetes.operator.watched.namespaces: restart the operator to go from names to all namespaces or back");
            return;
        }
        Set<String> all = new TreeSet<>(watched);
        all.addAll(names);
        if (all.size() > names.size()) {
            LOG.atWarn()
                    .addKeyValue("namespaces", new TreeSet<>(names))
                    .log(
                            "namespaces that are not named any more are served until the next restart");
        }
        if (all.equals(watched)) {
            return;
        }
        watched = Set.copyOf(all);
        follow.accept(watched);
        LOG.atInfo()
                .addKeyValue("namespaces", new TreeSet<>(watched))
                .log("watches other namespaces");
    }

    @Override
    public void close() {
        stop.run();
    }
}
