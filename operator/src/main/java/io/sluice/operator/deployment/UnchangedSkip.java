// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.sluice.api.FlinkDeployment;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.JobManagerAnswer;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.Observer;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.rules.config.DefaultConfiguration;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Remembers, by resource uid, what was found of jobs and session clusters that run as they should,
 * and of those whose JobManager is silent. While everything that a reconciliation read is as it
 * was, another one would do nothing: then only the JobManager is asked for its jobs. All of it can
 * be lost: then the next reconciliation looks again.
 */
public final class UnchangedSkip {
    /**
     * @param versions of the resource and its children
     * @param at where its JobManager answers
     * @param answer what its JobManager answered
     * @param since when a reconciliation found it so
     * @param polls how often it is looked at
     * @param until by then something may be due by the time alone
     */
    private record Found(
            String versions,
            URI at,
            DefaultConfiguration defaults,
            Reason reason,
            JobManagerAnswer answer,
            Instant since,
            ObservedState.Polls polls,
            Instant until) {
        /** The outcome of a reconciliation that finds the same. */
        Outcome again(Instant now) {
            Duration left = Duration.between(now, until);
            Duration poll =
                    answer.lastChange().isPresent()
                            ? polls.steady()
                            : polls.after(Duration.between(since, now));
            return new Outcome(
                    reason, false, false, Optional.of(left.compareTo(poll) < 0 ? left : poll));
        }
    }

    private final JobManagerRest rest;
    private final Function<FlinkDeployment, URI> address;
    private final Supplier<DefaultConfiguration> defaults;
    private final ObservationMemory memory;
    private final InstantSource clock;
    private final Map<String, Found> byUid = new ConcurrentHashMap<>();

    /**
     * @param address where a resource's JobManager answers
     */
    public UnchangedSkip(
            JobManagerRest rest,
            Function<FlinkDeployment, URI> address,
            Supplier<DefaultConfiguration> defaults,
            ObservationMemory memory,
            InstantSource clock) {
        this.memory = memory;
        this.rest = rest;
        this.address = address;
        this.defaults = defaults;
        this.clock = clock;
    }

    /** Reconciles by {@code whole}, but only where that may do something. */
    public ResourceReconciler<FlinkDeployment, ChildResources> around(
            ResourceReconciler<FlinkDeployment, ChildResources> whole) {
        return (resource, childResources, store) ->
                asBefore(resource, childResources)
                        .orElseGet(() -> passed(whole, resource, childResources, store));
    }

    /** What comes to no good end, wherever in it, is looked at again. */
    private Outcome passed(
            ResourceReconciler<FlinkDeployment, ChildResources> whole,
            FlinkDeployment resource,
            ChildResources childResources,
            StatusStore<FlinkDeployment> store) {
        try {
            return whole.reconcile(resource, childResources, store);
        } catch (RuntimeException fault) {
            byUid.remove(resource.getMetadata().getUid());
            throw fault;
        }
    }

    /**
     * A reconciliation with what {@code observer} sees, which is remembered if the next needs no
     * other.
     */
    public Outcome noting(
            FlinkDeployment resource,
            ChildResources childResources,
            Observer observer,
            Function<Observer, Outcome> reconciliation) {
        var read = new AtomicReference<Optional<ObservedState>>(Optional.empty());
        Outcome outcome =
                reconciliation.apply(
                        found -> {
                            ObservedState observed = observer.observe(found);
                            read.set(Optional.of(observed));
                            return observed;
                        });
        read.get()
                .filter(_ -> !outcome.wroteStatus())
                .ifPresent(
                        observed ->
                                note(
                                        resource,
                                        versions(resource, childResources),
                                        observed,
                                        outcome));
        return outcome;
    }

    private Optional<Outcome> asBefore(FlinkDeployment resource, ChildResources childResources) {
        String uid = resource.getMetadata().getUid();
        Instant now = clock.instant();
        Optional<Found> found =
                Optional.ofNullable(byUid.get(uid))
                        .filter(it -> it.versions().equals(versions(resource, childResources)))
                        .filter(it -> it.defaults().equals(defaults.get()))
                        .filter(it -> now.isBefore(it.until()))
                        .filter(it -> it.answer().equals(it.answer().again(rest, it.at())));
        if (found.isEmpty()) {
            byUid.remove(uid);
        }
        return found.map(it -> it.again(now));
    }

    private void note(
            FlinkDeployment resource, String versions, ObservedState read, Outcome outcome) {
        UnchangedRule.of(read, outcome.reason(), memory)
                .map(
                        length ->
                                new Found(
                                        versions,
                                        address.apply(resource),
                                        read.defaults(),
                                        outcome.reason(),
                                        JobManagerAnswer.in(read),
                                        read.now(),
                                        read.polls(),
                                        read.now().plus(length)))
                .ifPresent(found -> byUid.put(read.identity().uid(), found));
    }

    /** Every write to an object gives it another version. */
    private static String versions(FlinkDeployment resource, ChildResources childResources) {
        return resource.getMetadata().getResourceVersion()
                + Stream.<Stream<? extends HasMetadata>>of(
                                childResources.jobManager().stream(),
                                childResources.taskManagers().stream(),
                                childResources.pods().stream(),
                                childResources.pullPods().stream(),
                                childResources.overrides().stream(),
                                childResources.sessionJobs().stream(),
                                childResources.ingress().stream())
                        .flatMap(all -> all)
                        .map(child -> child.getKind() + child.getMetadata().getResourceVersion())
                        .sorted()
                        .collect(Collectors.joining(",", ":", ""));
    }
}
