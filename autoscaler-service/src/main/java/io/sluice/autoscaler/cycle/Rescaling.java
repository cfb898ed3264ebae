// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import io.sluice.autoscaler.collect.Footprint;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.JobOptions;
import io.sluice.autoscaler.collect.Subject;
import io.sluice.autoscaler.govern.Allowance;
import io.sluice.autoscaler.govern.Budget;
import io.sluice.autoscaler.govern.Governor;
import io.sluice.autoscaler.govern.HoldReason;
import io.sluice.autoscaler.govern.Proposal;
import io.sluice.autoscaler.govern.RescalingLimits;
import io.sluice.flink.rest.JobVertex;
import io.sluice.rules.config.option.AutoscalerOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntSupplier;

/** Which jobs are being rescaled, and what a namespace has left: what one job's turn takes away. */
public final class Rescaling {
    /** A rescale that has not come by then does not hold up the others any longer. */
    static final Duration LONGEST = Duration.ofMinutes(5);

    private final Map<JobKey, Begun> underWay = new HashMap<>();
    private final IntSupplier atOnce;
    private final Function<String, Footprint> taken;
    private final Function<String, Allowance> quotas;

    /**
     * @param since by a clock that nobody sets, as all times here
     * @param more what it will take that no status tells of yet
     */
    private record Begun(Instant since, Footprint more) {
        boolean isOver(Instant now) {
            return !since.plus(LONGEST).isAfter(now);
        }
    }

    /**
     * @param atOnce how many jobs may be rescaled at the same time
     * @param taken what all jobs of a namespace take
     * @param quotas what the ResourceQuotas of a namespace leave; only asked for a rescale that
     *     takes more
     */
    public Rescaling(
            IntSupplier atOnce,
            Function<String, Footprint> taken,
            Function<String, Allowance> quotas) {
        this.atOnce = atOnce;
        this.taken = taken;
        this.quotas = quotas;
    }

    /**
     * Takes the place and the room that a rescale needs, before it is published: others decide at
     * the same time. Where one of them was first, nothing is taken and the reason returned.
     */
    Optional<HoldReason> begin(
            JobKey key, Subject.Scalable subject, Proposal proposal, Budget budget, Instant now) {
        return begin(key, subject, proposal, budget, left(key.namespace(), proposal.added()), now);
    }

    private synchronized Optional<HoldReason> begin(
            JobKey key,
            Subject.Scalable subject,
            Proposal proposal,
            Budget budget,
            Allowance quota,
            Instant now) {
        Optional<HoldReason> tooLate =
                Governor.room(proposal, budget, rescalingLimits(key, subject, quota, now));
        if (tooLate.isEmpty()) {
            underWay.values().removeIf(begun -> begun.isOver(now));
            underWay.put(key, new Begun(now, proposal.added()));
        }
        return tooLate;
    }

    synchronized void end(JobKey key) {
        underWay.remove(key);
    }

    /** A rescale is over once the job runs as published, or will not come any more. */
    synchronized void observe(
            JobKey key, Map<String, Integer> published, List<JobVertex> running, Instant now) {
        boolean arrived =
                running.stream()
                        .allMatch(
                                vertex ->
                                        published.getOrDefault(vertex.id(), vertex.parallelism())
                                                == vertex.parallelism());
        underWay.computeIfPresent(key, (_, begun) -> arrived || begun.isOver(now) ? null : begun);
    }

    /**
     * Returns what the other jobs leave room for. A rescale that does not come about counts for
     * five minutes.
     *
     * @param added what the rescale would take more
     */
    RescalingLimits rescalingLimits(
            JobKey key, Subject.Scalable subject, Footprint added, Instant now) {
        return rescalingLimits(key, subject, left(key.namespace(), added), now);
    }

    private Allowance left(String namespace, Footprint added) {
        return added.isMoreThan(Footprint.NOTHING) ? quotas.apply(namespace) : Allowance.UNLIMITED;
    }

    private synchronized RescalingLimits rescalingLimits(
            JobKey key, Subject.Scalable subject, Allowance quota, Instant now) {
        Map<JobKey, Begun> others = new HashMap<>(underWay);
        others.remove(key);
        others.values().removeIf(begun -> begun.isOver(now));
        JobOptions options = new JobOptions(subject.options());
        Allowance namespace =
                new Allowance(
                        options.numberIfSet(AutoscalerOptions.NAMESPACE_QUOTA_CPU, 0),
                        options.bytesIfSet(AutoscalerOptions.NAMESPACE_QUOTA_MEMORY));
        Footprint coming =
                namespace.isUnlimited() && quota.isUnlimited()
                        ? Footprint.NOTHING
                        : coming(key.namespace(), others);
        Footprint used = namespace.isUnlimited() ? Footprint.NOTHING : taken.apply(key.namespace());
        return new RescalingLimits(
                others.size(),
                atOnce.getAsInt(),
                namespace.minus(used.plus(coming)),
                quota.minus(coming));
    }

    private static Footprint coming(String namespace, Map<JobKey, Begun> others) {
        return others.entrySet().stream()
                .filter(other -> other.getKey().namespace().equals(namespace))
                .map(other -> other.getValue().more())
                .reduce(Footprint.NOTHING, Footprint::plus);
    }
}
