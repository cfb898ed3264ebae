// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.rules.config.option.ProcessOptions;
import java.util.Collections;
import java.util.LinkedHashSet;
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
    private final RefusedNamespaces refused;
    private Set<String> watched;
    private Runnable stop = () -> {};

    /**
     * @param watched at first; empty for all
     * @param follow makes the watches those of a set of names
     */
    public Namespaces(Set<String> watched, Consumer<Set<String>> follow) {
        this(watched, follow, RefusedNamespaces.none());
    }

    /**
     * @param watched at first; empty for all
     * @param follow makes the watches those of a set of names; if it fails, the process has to end
     * @param refused those that can't be watched for now, which are tried again
     */
    public Namespaces(
            Set<String> watched, Consumer<Set<String>> follow, RefusedNamespaces refused) {
        this.watched = Collections.unmodifiableSet(new LinkedHashSet<>(watched));
        this.follow = follow;
        this.refused = refused;
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
        return names.isEmpty()
                ? Set.of(NONE)
                : Collections.unmodifiableSet(new LinkedHashSet<>(names));
    }

    /**
     * Replaces the names by others. A watch of all namespaces is of another kind and needs a
     * restart.
     */
    public synchronized void change(Set<String> names) {
        if (names.equals(watched)) {
            return;
        }
        if (names.isEmpty() || watched.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("watched", watched.isEmpty() ? "all" : new TreeSet<>(watched))
                    .log(
                            "{}: restart the operator to go from names to all namespaces or back",
                            ProcessOptions.WATCHED_NAMESPACES.key());
            return;
        }
        Set<String> all = new TreeSet<>(watched);
        all.addAll(names);
        if (all.size() > names.size()) {
            LOG.atWarn()
                    .addKeyValue("namespaces", new TreeSet<>(names))
                    .log(
                            "namespaces that are not named any more are served until the next"
                                    + " restart");
        }
        refused.retain(all);
        Set<String> added = new TreeSet<>(all);
        added.removeAll(watched);
        watch(refused.accepted(added));
    }

    /** Watches those that were refused and can be watched now, besides the others. */
    public synchronized void tryAgain() {
        Set<String> recovered = refused.recovered();
        if (!watched.isEmpty()) {
            watch(recovered);
        }
    }

    /** Looks whether all that is watched still may be. */
    public synchronized void look() {
        look(watched);
    }

    /** Looks whether some of those that are watched still may be. */
    public synchronized void look(Set<String> names) {
        Set<String> standing = new TreeSet<>(names);
        standing.retainAll(watched);
        standing.removeAll(refused.names());
        var _ = refused.accepted(standing);
    }

    private void watch(Set<String> more) {
        Set<String> all = new TreeSet<>(watched);
        all.addAll(more);
        if (all.equals(watched)) {
            return;
        }
        watched = Collections.unmodifiableSet(new LinkedHashSet<>(all));
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
