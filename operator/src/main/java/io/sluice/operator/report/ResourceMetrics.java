// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.prometheus.client.Collector;
import io.sluice.api.status.LastUpgrade;
import io.sluice.api.status.LifecycleState;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Shows resources as series of their own and added up by namespace. The series are made when they
 * are asked for, from the last reconciliations. The series of a resource end with it, and those of
 * a namespace with its last resource.
 */
public final class ResourceMetrics extends Collector {
    private final ConcurrentMap<ResourceKey, Seen> resources = new ConcurrentHashMap<>();
    private final Optional<LifecycleTimes> times;
    private final Beside beside;
    private final InstantSource clock;

    /**
     * What is known of resources beside what their own reconciliations leave.
     *
     * @param stateBytes the size of the state of a job, by its resource's uid
     * @param lastSavepoint when the last savepoint of a job was complete, by its snapshots
     * @param pairs the pairs that there are
     */
    record Beside(
            Function<String, Optional<Long>> stateBytes,
            Function<ResourceKey, Optional<Instant>> lastSavepoint,
            Supplier<Map<ResourceKey, PairFlags>> pairs) {
        /** Nothing is. */
        static final Beside NOTHING =
                new Beside(_ -> Optional.empty(), _ -> Optional.empty(), Map::of);
    }

    /**
     * One resource as it was seen last.
     *
     * @param version of the resource that {@code facts} are of; empty if it is not known
     */
    record Seen(
            String uid,
            Optional<String> version,
            ResourceFacts facts,
            ResourceCounts counts,
            LifecycleTrack track) {
        private Seen with(ResourceCounts next) {
            return new Seen(uid, version, facts, next, track);
        }
    }

    /**
     * @param times empty if nobody asks for lifecycle times
     */
    ResourceMetrics(Optional<LifecycleTimes> times, Beside beside, InstantSource clock) {
        this.times = times;
        this.beside = beside;
        this.clock = clock;
    }

    /**
     * What a reconciliation left. What is known of a version of the resource is not read again: in
     * steady state that would be a third of a reconciliation.
     *
     * @param changed whether the reconciliation wrote a status, so that the resource has another
     *     version
     */
    void saw(HasMetadata resource, boolean changed, Supplier<ResourceFacts> read) {
        Instant now = clock.instant();
        ResourceKey key = ResourceKey.of(resource);
        String uid = Optional.ofNullable(resource.getMetadata().getUid()).orElse("");
        Optional<String> version =
                Optional.ofNullable(resource.getMetadata().getResourceVersion())
                        .filter(_ -> !changed);
        ResourceFacts facts =
                Optional.ofNullable(resources.get(key))
                        .filter(before -> before.uid().equals(uid))
                        .filter(before -> version.isPresent() && before.version().equals(version))
                        .map(Seen::facts)
                        .orElseGet(read);
        resources.compute(
                key,
                (_, before) ->
                        before == null || !before.uid().equals(uid)
                                ? first(resource, version, facts, now)
                                : next(key, before, version, facts, now));
    }

    /** Whether there is such a resource, as far as reconciliations told. */
    boolean has(ResourceKey key) {
        return resources.containsKey(key);
    }

    /** A job runs again after an upgrade. */
    void upgraded(HasMetadata resource, LastUpgrade upgrade) {
        times.ifPresent(each -> each.tell(ResourceKey.of(resource), upgrade));
    }

    /** Nothing is left of it. */
    void gone(ResourceKey key) {
        Seen last = resources.remove(key);
        if (last == null) {
            return;
        }
        times.ifPresent(
                each ->
                        each.tell(
                                key,
                                last.track()
                                        .next(LifecycleState.DELETED, clock.instant())
                                        .measurements()));
        if (resources.keySet().stream()
                .noneMatch(
                        other ->
                                other.kind().equals(key.kind())
                                        && other.namespace().equals(key.namespace()))) {
            times.ifPresent(each -> each.end(key));
        }
    }

    /** Of a resource that was reconciled; what is reported of others has no series. */
    void count(ResourceKey key, UnaryOperator<ResourceCounts> more) {
        resources.computeIfPresent(key, (_, seen) -> seen.with(more.apply(seen.counts())));
    }

    @Override
    public List<MetricFamilySamples> collect() {
        return ResourceFamilies.of(
                Collections.unmodifiableMap(new LinkedHashMap<>(resources)), beside);
    }

    private static Seen first(
            HasMetadata resource, Optional<String> version, ResourceFacts facts, Instant now) {
        return new Seen(
                Optional.ofNullable(resource.getMetadata().getUid()).orElse(""),
                version,
                facts,
                ResourceCounts.NONE.plusPass(false),
                LifecycleTrack.first(facts.lifecycle(), created(resource).orElse(now), now));
    }

    private Seen next(
            ResourceKey key,
            Seen before,
            Optional<String> version,
            ResourceFacts facts,
            Instant now) {
        LifecycleTrack.Step step = before.track().next(facts.lifecycle(), now);
        times.ifPresent(each -> each.tell(key, step.measurements()));
        return new Seen(before.uid(), version, facts, before.counts(), step.next());
    }

    private static Optional<Instant> created(HasMetadata resource) {
        try {
            return Optional.ofNullable(resource.getMetadata().getCreationTimestamp())
                    .map(Instant::parse);
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }
}
