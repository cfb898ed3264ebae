// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.prometheus.client.Collector;
import io.prometheus.client.Counter;
import io.prometheus.client.GaugeMetricFamily;
import io.prometheus.client.Histogram;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.spec.FlinkBlueGreenDeploymentSpec;
import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.Handover;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionCheck;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.process.metric.Series;
import io.sluice.rules.bluegreen.HalfSize;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.BlueGreenOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What FlinkBlueGreenDeployments do, by name, and what came of their transitions. Their halves are
 * FlinkDeployments, which have series of their own.
 */
final class PairMetrics extends Collector {
    /** In seconds: a phase takes from a moment to hours. */
    private static final double[] PHASES = {1, 5, 15, 60, 300, 900, 3600, 14_400};

    /**
     * What a reconciliation left of a pair.
     *
     * @param extra what the second half takes while both run
     * @param deadline when the phase of the transition in progress ends at the latest
     */
    private record Seen(
            PairFlags flags,
            String state,
            String job,
            Optional<HalfSize> extra,
            Optional<Instant> deadline,
            Optional<PairTransition> last) {
        Optional<PairTransition> over() {
            return last.filter(PairTransition::isOver);
        }

        Optional<PairTransition> inProgress() {
            return last.filter(it -> !it.isOver());
        }
    }

    private final Counter transitions;
    private final Histogram phases;
    private final ConcurrentMap<ResourceKey, Seen> pairs = new ConcurrentHashMap<>();

    PairMetrics(Series series) {
        transitions = series.counter("sluice_bluegreen_transitions");
        phases = series.seconds("sluice_bluegreen_transition_seconds", PHASES);
    }

    /**
     * What a reconciliation left. A transition that had ended when this process began counts not.
     *
     * @param size tells what a half of the pair takes
     */
    void saw(FlinkBlueGreenDeployment resource, Supplier<HalfSize> size) {
        var status =
                FlinkBlueGreenDeploymentStatus.of(
                        Optional.ofNullable(resource.getStatus())
                                .orElseGet(JsonNodeFactory.instance::objectNode));
        Seen next =
                new Seen(
                        PairFlags.of(resource.getMetadata(), status),
                        status.blueGreenState().map(BlueGreenState::wire).orElse("none"),
                        status.jobState().map(JobState::wire).orElse("none"),
                        status.transition().filter(PairMetrics::doBothRun).map(_ -> size.get()),
                        status.transition().flatMap(it -> deadline(resource, it)),
                        status.transition().map(PairMetrics::withoutSpec));
        String namespace = resource.getMetadata().getNamespace();
        Optional.ofNullable(pairs.put(ResourceKey.of(resource), next))
                .ifPresent(
                        before -> {
                            ended(before, next).ifPresent(it -> count(namespace, it));
                            phase(namespace, before, next);
                        });
    }

    /** What is shown of each pair as of every resource. */
    Map<ResourceKey, PairFlags> flags() {
        Map<ResourceKey, PairFlags> flags = new LinkedHashMap<>();
        pairs.forEach((key, seen) -> flags.put(key, seen.flags()));
        return flags;
    }

    /** While an approval is waited for, the transition's own is that of its analysis. */
    private static Optional<Instant> deadline(
            FlinkBlueGreenDeployment resource, PairTransition transition) {
        if (transition.phase() != TransitionPhase.APPROVAL) {
            return transition.deadline();
        }
        var spec =
                FlinkBlueGreenDeploymentSpec.parse(
                                Optional.ofNullable(resource.getSpec())
                                        .orElseGet(JsonNodeFactory.instance::objectNode),
                                "spec")
                        .value();
        return transition
                .approvalSince()
                .map(
                        since ->
                                since.plus(
                                        new Options(spec.configuration())
                                                .get(BlueGreenOptions.PROMOTION_DEADLINE)));
    }

    /** A spec is large, and nobody looks at it here. */
    private static PairTransition withoutSpec(PairTransition transition) {
        return transition.withSpec(Optional.empty());
    }

    private static Optional<PairTransition> ended(Seen before, Seen next) {
        return next.over()
                .filter(
                        it ->
                                before.over()
                                        .filter(former -> former.id().equals(it.id()))
                                        .isEmpty());
    }

    private void count(String namespace, PairTransition over) {
        Optional.of(over)
                .filter(it -> !it.from().equals(Optional.of(it.to())))
                .flatMap(PairTransition::outcome)
                .map(TransitionOutcome::wire)
                .ifPresent(outcome -> transitions.labels(namespace, outcome).inc());
    }

    /** One that began and ended between two reconciliations is not measured. */
    private void phase(String namespace, Seen before, Seen next) {
        before.inProgress()
                .ifPresent(
                        former ->
                                next.last()
                                        .filter(it -> it.id().equals(former.id()))
                                        .filter(it -> it.phase() != former.phase())
                                        .ifPresent(
                                                it ->
                                                        phases.labels(
                                                                        namespace,
                                                                        former.phase().wire())
                                                                .observe(
                                                                        seconds(
                                                                                former.since(),
                                                                                it.since()))));
    }

    private static double seconds(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toMillis() / 1000.0);
    }

    /** Nothing is left of it. */
    void gone(FlinkBlueGreenDeployment resource) {
        pairs.remove(ResourceKey.of(resource));
    }

    @Override
    public List<MetricFamilySamples> collect() {
        GaugeMetricFamily states = Series.gauges("sluice_bluegreen_state");
        GaugeMetricFamily both = Series.gauges("sluice_bluegreen_both_running");
        GaugeMetricFamily cpu = Series.gauges("sluice_bluegreen_extra_cpu_cores");
        GaugeMetricFamily memory = Series.gauges("sluice_bluegreen_extra_memory_bytes");
        GaugeMetricFamily checks = Series.gauges("sluice_bluegreen_check_value");
        GaugeMetricFamily limits = Series.gauges("sluice_bluegreen_check_limit");
        GaugeMetricFamily deadlines = Series.gauges("sluice_bluegreen_deadline_timestamp_seconds");
        pairs.forEach(
                (key, seen) -> {
                    List<String> name = List.of(key.namespace(), key.name());
                    states.addMetric(
                            List.of(key.namespace(), key.name(), seen.state(), seen.job()), 1);
                    both.addMetric(name, seen.extra().isPresent() ? 1 : 0);
                    cpu.addMetric(name, seen.extra().map(HalfSize::cpu).orElse(0.0));
                    memory.addMetric(name, seen.extra().map(HalfSize::memory).orElse(0.0));
                    seen.inProgress()
                            .ifPresent(
                                    it -> {
                                        seen.deadline()
                                                .ifPresent(
                                                        at ->
                                                                deadlines.addMetric(
                                                                        List.of(
                                                                                key.namespace(),
                                                                                key.name(),
                                                                                it.phase().wire()),
                                                                        at.toEpochMilli()
                                                                                / 1000.0));
                                        it.checks()
                                                .forEach(check -> add(key, check, checks, limits));
                                    });
                });
        return List.of(states, both, cpu, memory, checks, limits, deadlines);
    }

    private static void add(
            ResourceKey key,
            TransitionCheck check,
            GaugeMetricFamily values,
            GaugeMetricFamily limits) {
        List<String> name = List.of(key.namespace(), key.name(), check.name());
        check.value().ifPresent(value -> values.addMetric(name, value));
        check.least().ifPresent(least -> limits.addMetric(with(name, "least"), least));
        check.most().ifPresent(most -> limits.addMetric(with(name, "most"), most));
    }

    private static List<String> with(List<String> labels, String more) {
        return Stream.concat(labels.stream(), Stream.of(more)).toList();
    }

    private static boolean doBothRun(PairTransition transition) {
        return transition.handover() == Handover.OVERLAP
                && transition.from().isPresent()
                && switch (transition.phase()) {
                    case STARTING, PROVING, APPROVAL, RETIRING, REMOVING, ABORTING -> true;
                    case FIRST, IN_PLACE, PREPARING, SAVING, RESUMING, ENDED -> false;
                };
    }
}
