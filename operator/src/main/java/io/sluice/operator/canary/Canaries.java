// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.canary;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.operator.config.HealthOptions;
import io.sluice.operator.model.Reason;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.rules.canary.CanaryResources;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Resources with the label {@code flink.apache.org/canary: "true"}, where the configuration lets
 * canaries be, are never deployed: this process changes them from time to time, and is not healthy
 * while it does not see that it did. A resource that has been deployed never becomes a canary.
 */
public final class Canaries {
    private final Supplier<CanaryResources> resources;
    private final Supplier<HealthOptions> options;
    private final BiConsumer<HasMetadata, Long> change;
    private final InstantSource uptime;
    private final ConcurrentMap<Key, Canary> canaries = new ConcurrentHashMap<>();

    private volatile Predicate<Key> isThere = _ -> true;

    private record Key(String kind, String namespace, String name) {
        ResourceID id() {
            return new ResourceID(name, namespace);
        }

        static Key of(HasMetadata resource) {
            return new Key(
                    resource.getKind(),
                    resource.getMetadata().getNamespace(),
                    resource.getMetadata().getName());
        }
    }

    /**
     * A canary as it is shown.
     *
     * @param took how long the last change took to be seen; empty while it is not
     */
    public record CanaryRun(String namespace, String name, Optional<Duration> took) {}

    /**
     * @param resources which resources are canaries, as the configuration is now
     * @param options how soon a change must have been seen, as the configuration is now
     * @param change gives a resource another {@code spec.restartNonce}
     * @param uptime a clock that only goes forward
     */
    public Canaries(
            Supplier<CanaryResources> resources,
            Supplier<HealthOptions> options,
            BiConsumer<HasMetadata, Long> change,
            InstantSource uptime) {
        this.resources = resources;
        this.options = options;
        this.change = change;
        this.uptime = uptime;
    }

    /** Reconciles canaries here, and all others by {@code others}. */
    public <R extends CustomResource<ObjectNode, ObjectNode>, C> ResourceReconciler<R, C> apart(
            ResourceReconciler<R, C> others) {
        return (resource, cached, store) ->
                isCanary(resource)
                        ? reconcileCanary(resource)
                        : others.reconcile(resource, cached, store);
    }

    /**
     * Forgets canaries that neither cache has, however they went: one whose finalizer was taken off
     * has no last reconciliation.
     */
    public void known(Predicate<ResourceID> deployments, Predicate<ResourceID> sessionJobs) {
        isThere =
                key ->
                        (key.kind().equals("FlinkDeployment") ? deployments : sessionJobs)
                                .test(key.id());
    }

    /** Whether no change is missed. Without canaries nothing is. */
    public boolean isHealthy() {
        forgetThoseThatAreGone();
        Instant now = uptime.instant();
        return canaries.values().stream().noneMatch(each -> each.isMissed(timeout(), now));
    }

    public List<CanaryRun> runs() {
        forgetThoseThatAreGone();
        return canaries.entrySet().stream()
                .map(
                        each ->
                                new CanaryRun(
                                        each.getKey().namespace(),
                                        each.getKey().name(),
                                        each.getValue().took()))
                .toList();
    }

    private void forgetThoseThatAreGone() {
        Predicate<Key> there = isThere;
        canaries.keySet().removeIf(key -> !there.test(key));
    }

    private boolean isCanary(CustomResource<ObjectNode, ObjectNode> resource) {
        var metadata = resource.getMetadata();
        boolean is =
                hasNonce(resource)
                        && resources
                                .get()
                                .contains(
                                        metadata.getNamespace(),
                                        metadata.getName(),
                                        LabelledResources.labels(metadata))
                        && !wasDeployed(resource);
        if (!is) {
            canaries.remove(Key.of(resource));
        }
        return is;
    }

    /** A canary is changed by {@code spec.restartNonce}, which the other kinds do not have. */
    private static boolean hasNonce(CustomResource<ObjectNode, ObjectNode> resource) {
        return resource instanceof FlinkDeployment || resource instanceof FlinkSessionJob;
    }

    /** Then it has a job whose state is to be kept, whatever its labels say by now. */
    private static boolean wasDeployed(CustomResource<ObjectNode, ObjectNode> resource) {
        return Optional.ofNullable(resource.getStatus())
                .map(status -> status.at("/reconciliationStatus/lastReconciledSpec"))
                .filter(spec -> !spec.asText("").isEmpty())
                .isPresent();
    }

    private Outcome reconcileCanary(HasMetadata resource) {
        Key key = Key.of(resource);
        if (resource.getMetadata().getDeletionTimestamp() != null) {
            canaries.remove(key);
            return new Outcome(Reason.DELETED, false, true, Optional.empty());
        }
        long generation = Optional.ofNullable(resource.getMetadata().getGeneration()).orElse(0L);
        Instant now = uptime.instant();
        Canary canary = canaries.computeIfPresent(key, (_, before) -> before.see(generation, now));
        if (canary == null || canary.isOver(timeout(), now)) {
            change(resource, key, Canary.ask(generation, now));
        } else if (!canary.accepted()) {
            change(resource, key, canary);
        }
        return new Outcome(Reason.CANARY, false, false, Optional.of(timeout()));
    }

    private Duration timeout() {
        return options.get().canaryTimeout();
    }

    /** A change that the API server refuses is tried again, and is missed like one not seen. */
    private void change(HasMetadata resource, Key key, Canary canary) {
        canaries.put(key, canary);
        change.accept(resource, canary.generation());
        canaries.put(key, canary.accept());
    }
}
