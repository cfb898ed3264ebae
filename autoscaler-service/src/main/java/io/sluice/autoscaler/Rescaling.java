// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.JobOptions;
import io.sluice.autoscaler.collect.Subject;
import io.sluice.autoscaler.govern.Fleet;
import io.sluice.autoscaler.govern.Footprint;
import io.sluice.flink.rest.JobVertex;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntSupplier;

/** Which jobs are being rescaled, and what a namespace has left: what one job's turn takes away. */
final class Rescaling {
    /** A rescale that has not come by then does not hold up the others any longer. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Map<JobKey, Instant> underWay = new ConcurrentHashMap<>();
    private final IntSupplier atOnce;
    private final Function<String, Footprint> taken;

    /**
     * @param atOnce how many jobs may be rescaled at the same time
     * @param taken what all jobs of a namespace take
     */
    Rescaling(IntSupplier atOnce, Function<String, Footprint> taken) {
        this.atOnce = atOnce;
        this.taken = taken;
    }

    /**
     * @param now by a clock that nobody sets, as everywhere here
     */
    void begin(JobKey key, Instant now) {
        underWay.values().removeIf(since -> isOver(since, now));
        underWay.put(key, now);
    }

    void end(JobKey key) {
        underWay.remove(key);
    }

    /** A rescale is over once the job runs as published, or will not come any more. */
    void observe(JobKey key, Map<String, Integer> published, List<JobVertex> running, Instant now) {
        boolean arrived =
                running.stream()
                        .allMatch(
                                vertex ->
                                        published.getOrDefault(vertex.id(), vertex.parallelism())
                                                == vertex.parallelism());
        underWay.computeIfPresent(
                key, (_, since) -> arrived || isOver(since, now) ? null : since);
    }

    private static boolean isOver(Instant since, Instant now) {
        return !since.plus(LONGEST).isAfter(now);
    }

    /** What the others leave room for. A rescale that never came holds no place for ever. */
    Fleet fleet(JobKey key, Subject.Scalable subject, Instant now) {
        JobOptions options = new JobOptions(subject.options());
        Optional<Double> cores = options.number("governor.namespace-quota.cpu", 0);
        Optional<Long> memory = options.bytes("governor.namespace-quota.memory");
        Footprint used =
                cores.isPresent() || memory.isPresent()
                        ? taken.apply(key.namespace())
                        : Footprint.NOTHING;
        long others =
                underWay.entrySet().stream()
                        .filter(other -> !other.getKey().equals(key))
                        .filter(other -> !isOver(other.getValue(), now))
                        .count();
        return new Fleet(
                (int) others,
                atOnce.getAsInt(),
                cores.map(quota -> quota - used.cores()),
                memory.map(quota -> quota - used.memory()));
    }
}
