// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A namespace with at most one FlinkDeployment of one name, the cluster made for it, and Flink in
 * its pods. Nothing happens here by itself: {@link #tick} lets Kubernetes and Flink do some of what
 * they have to, in any order.
 */
public final class World {
    /**
     * A FlinkDeployment as the API server stores it.
     *
     * @param version grows with every write
     */
    public record Resource(
            String uid,
            long generation,
            long version,
            ObjectNode spec,
            ObjectNode status,
            boolean finalizer,
            boolean deleting) {
        private Resource next(ObjectNode newStatus, boolean newFinalizer, boolean nowDeleting) {
            return new Resource(
                    uid,
                    generation,
                    version + 1,
                    spec,
                    newStatus,
                    newFinalizer,
                    nowDeleting || deleting);
        }
    }

    /** A write was based on something that is no longer there. */
    public enum Written {
        DONE,
        CONFLICT
    }

    private final Environment environment;
    private final Cluster cluster;
    private final History<Optional<Resource>> resource = new History<>(Optional.empty());
    private long versions;
    private int incarnations;

    public World(Environment environment) {
        this.environment = environment;
        this.cluster = new Cluster(environment);
    }

    public Environment environment() {
        return environment;
    }

    /** The pods and the Deployment behind the resource. */
    public Cluster cluster() {
        return cluster;
    }

    public History<Optional<Resource>> resource() {
        return resource;
    }

    /** A user creates the resource, if there is none. */
    public void create(ObjectNode spec) {
        if (resource.latest().isEmpty()) {
            String uid = "uid-" + ++incarnations;
            ObjectNode none = JsonNodeFactory.instance.objectNode();
            cluster.begin();
            store(new Resource(uid, 1, ++versions, spec, none, false, false));
        }
    }

    /** A user changes the spec, if there is a resource. */
    public void edit(ObjectNode spec) {
        resource.latest()
                .filter(before -> !before.spec().equals(spec))
                .ifPresent(
                        before ->
                                store(
                                        new Resource(
                                                before.uid(),
                                                before.generation() + 1,
                                                ++versions,
                                                spec,
                                                before.status(),
                                                before.finalizer(),
                                                before.deleting())));
    }

    /** A user deletes the resource: it stays until its finalizer is gone. */
    public void delete() {
        resource.latest()
                .ifPresent(before -> store(before.next(before.status(), before.finalizer(), true)));
    }

    /**
     * The status subresource, under optimistic locking. The same once more is no change: the
     * version stays.
     */
    public Written replaceStatus(Resource read, ObjectNode status) {
        if (resource.latest().filter(now -> isSame(now, read, status)).isPresent()) {
            return Written.DONE;
        }
        return change(read, before -> before.next(status, before.finalizer(), false));
    }

    /** Somebody else writes the status, and has no need to have read it. */
    public void tamper(ObjectNode status) {
        resource.latest()
                .filter(before -> !before.status().equals(status))
                .ifPresent(before -> store(before.next(status, before.finalizer(), false)));
    }

    /** Adds or removes the finalizer, under optimistic locking. */
    public Written setFinalizer(Resource read, boolean present) {
        return change(read, before -> before.next(before.status(), present, false));
    }

    /** Kubernetes and Flink go on. */
    public void tick() {
        cluster.tick();
        if (resource.latest().isEmpty()) {
            cluster.collectGarbage();
        }
    }

    /** Every pod and job of the world, for reports. */
    public List<String> describe() {
        return List.of(resource.latest().toString(), cluster.toString());
    }

    private static boolean isSame(Resource now, Resource read, ObjectNode status) {
        return now.uid().equals(read.uid())
                && now.version() == read.version()
                && now.status().equals(status);
    }

    private Written change(Resource read, UnaryOperator<Resource> edit) {
        Optional<Resource> current =
                resource.latest()
                        .filter(now -> now.uid().equals(read.uid()))
                        .filter(now -> now.version() == read.version());
        current.ifPresent(before -> store(edit.apply(before)));
        return current.isPresent() ? Written.DONE : Written.CONFLICT;
    }

    private void store(Resource next) {
        versions = Math.max(versions, next.version());
        resource.add(next.deleting() && !next.finalizer() ? Optional.empty() : Optional.of(next));
    }
}
