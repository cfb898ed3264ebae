// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.prometheus.client.Collector;
import io.prometheus.client.Counter;
import io.prometheus.client.GaugeMetricFamily;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.Handover;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.process.metric.Series;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What FlinkBlueGreenDeployments do, by name, and what came of their transitions. Their halves are
 * FlinkDeployments, which have series of their own.
 */
final class PairMetrics extends Collector {
    /** What a reconciliation left of a pair. */
    private record Seen(String state, String job, boolean bothRun, Optional<String> over) {}

    private final Counter transitions;
    private final ConcurrentMap<ResourceKey, Seen> pairs = new ConcurrentHashMap<>();

    PairMetrics(Series series) {
        transitions = series.counter("sluice_bluegreen_transitions");
    }

    /**
     * What a reconciliation left. A transition that had ended when this process began counts not.
     */
    void saw(FlinkBlueGreenDeployment resource) {
        var status =
                FlinkBlueGreenDeploymentStatus.of(
                        Optional.ofNullable(resource.getStatus())
                                .orElseGet(JsonNodeFactory.instance::objectNode));
        Optional<PairTransition> over = status.transition().filter(PairTransition::isOver);
        Seen next =
                new Seen(
                        status.blueGreenState().map(BlueGreenState::wire).orElse("none"),
                        status.jobState().map(JobState::wire).orElse("none"),
                        status.transition().filter(PairMetrics::doBothRun).isPresent(),
                        over.map(PairTransition::id));
        Optional<Seen> before = Optional.ofNullable(pairs.put(ResourceKey.of(resource), next));
        boolean isNews = before.filter(it -> !it.over().equals(next.over())).isPresent();
        over.filter(_ -> isNews)
                .filter(it -> !it.from().equals(Optional.of(it.to())))
                .flatMap(PairTransition::outcome)
                .map(TransitionOutcome::wire)
                .ifPresent(
                        outcome ->
                                transitions
                                        .labels(resource.getMetadata().getNamespace(), outcome)
                                        .inc());
    }

    /** Nothing is left of it. */
    void gone(FlinkBlueGreenDeployment resource) {
        pairs.remove(ResourceKey.of(resource));
    }

    @Override
    public List<MetricFamilySamples> collect() {
        GaugeMetricFamily states = Series.gauges("sluice_bluegreen_state");
        GaugeMetricFamily both = Series.gauges("sluice_bluegreen_both_running");
        pairs.forEach(
                (key, seen) -> {
                    states.addMetric(
                            List.of(key.namespace(), key.name(), seen.state(), seen.job()), 1);
                    both.addMetric(List.of(key.namespace(), key.name()), seen.bothRun() ? 1 : 0);
                });
        return List.of(states, both);
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
