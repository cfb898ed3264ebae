// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.canary;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.sluice.operator.deployment.FlinkDeploymentReconciler;
import io.sluice.operator.deployment.Reason;
import io.sluice.operator.deployment.ResourcePass.Outcome;
import io.sluice.operator.sessionjob.FlinkSessionJobReconciler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Resources with the label {@code flink.apache.org/canary: "true"} are never deployed: this process
 * changes them from time to time, and is not healthy while it does not see that it did.
 */
public final class Canaries {
    private static final String LABEL = "flink.apache.org/canary";

    private final Supplier<Duration> timeout;
    private final BiConsumer<HasMetadata, Long> change;
    private final InstantSource uptime;
    private final ConcurrentMap<Key, Canary> canaries = new ConcurrentHashMap<>();

    private record Key(String kind, String namespace, String name) {
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
    public record Sighting(String namespace, String name, Optional<Duration> took) {}

    /**
     * @param timeout after which a change must have been seen
     * @param change gives a resource another {@code spec.restartNonce}
     * @param uptime a clock that only goes forward
     */
    public Canaries(
            Supplier<Duration> timeout,
            BiConsumer<HasMetadata, Long> change,
            InstantSource uptime) {
        this.timeout = timeout;
        this.change = change;
        this.uptime = uptime;
    }

    public FlinkDeploymentReconciler.Passes deployments(FlinkDeploymentReconciler.Passes others) {
        return (resource, children, store) ->
                isCanary(resource) ? pass(resource) : others.run(resource, children, store);
    }

    public FlinkSessionJobReconciler.Passes sessionJobs(FlinkSessionJobReconciler.Passes others) {
        return (resource, around, store) ->
                isCanary(resource) ? pass(resource) : others.run(resource, around, store);
    }

    /** Whether no change is missed. Without canaries nothing is. */
    public boolean isHealthy() {
        Instant now = uptime.instant();
        return canaries.values().stream().noneMatch(each -> each.isMissed(timeout.get(), now));
    }

    public List<Sighting> sightings() {
        return canaries.entrySet().stream()
                .map(
                        each ->
                                new Sighting(
                                        each.getKey().namespace(),
                                        each.getKey().name(),
                                        each.getValue().took()))
                .toList();
    }

    static boolean isCanary(HasMetadata resource) {
        return Optional.ofNullable(resource.getMetadata().getLabels())
                .orElseGet(Map::of)
                .getOrDefault(LABEL, "")
                .equals("true");
    }

    private Outcome pass(HasMetadata resource) {
        Key key = Key.of(resource);
        if (resource.getMetadata().getDeletionTimestamp() != null) {
            canaries.remove(key);
            return new Outcome(Reason.DELETED, false, true, Optional.empty());
        }
        long generation = Optional.ofNullable(resource.getMetadata().getGeneration()).orElse(0L);
        Instant now = uptime.instant();
        Canary canary = canaries.computeIfPresent(key, (_, before) -> before.see(generation, now));
        if (canary == null || canary.isOver(timeout.get(), now)) {
            change.accept(resource, generation);
            canaries.put(key, Canary.ask(generation, now));
        }
        return new Outcome(Reason.CANARY, false, false, Optional.of(timeout.get()));
    }
}
