// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.state.Discarded;
import io.sluice.autoscaler.state.Samples;
import io.sluice.autoscaler.state.StateCodec;
import io.sluice.autoscaler.state.StateContent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.autoscaler.DelayedScaleDown;
import org.apache.flink.autoscaler.JobAutoScalerContext;
import org.apache.flink.autoscaler.ScalingSummary;
import org.apache.flink.autoscaler.ScalingTracking;
import org.apache.flink.autoscaler.metrics.CollectedMetrics;
import org.apache.flink.autoscaler.state.AutoScalerStateStore;
import org.apache.flink.autoscaler.tuning.ConfigChanges;
import org.apache.flink.runtime.jobgraph.JobVertexID;

/**
 * What the engine remembers of one job, in memory. {@link #text} and {@link #load} carry it to and
 * from the ConfigMap; the engine's own flush does nothing, because what it wants to store is
 * governed first.
 */
final class EngineState implements AutoScalerStateStore<JobKey, JobAutoScalerContext<JobKey>> {
    private final StateCodec stateText;
    private StateContent content = StateContent.empty();

    EngineState(StateCodec stateText) {
        this.stateText = stateText;
    }

    /** The entries of the ConfigMap; empty if there is nothing to remember. */
    SortedMap<String, String> text() {
        return stateText.encode(content);
    }

    /** Replaces everything; returns what could not be read and was left out. */
    List<Discarded> load(Map<String, String> text) {
        StateCodec.Decoded decoded = stateText.decode(text);
        content = decoded.content();
        return decoded.discarded();
    }

    /** What to come back to by {@link #rollBack}. */
    StateContent frozen() {
        return content.frozen();
    }

    /** Everything as it was, but for the samples. */
    void rollBack(StateContent before) {
        content = before.frozen().withMetrics(content.metrics());
    }

    /** Options as they were, everything else as it is. */
    void keepConfig(StateContent before) {
        content = content.withConfigChanges(before.frozen().configChanges());
    }

    /** Other overrides than the engine's own. */
    void amend(SortedMap<String, Integer> overrides) {
        Map<String, String> amended = new HashMap<>();
        overrides.forEach(
                (vertex, parallelism) -> amended.put(vertex, Integer.toString(parallelism)));
        content =
                content.withOverrides(amended)
                        .withHistory(AmendedHistory.of(content.history(), overrides));
    }

    /** What the last scaling changed. */
    Map<JobVertexID, ScalingSummary> newestScaling() {
        Map<JobVertexID, ScalingSummary> newest = new HashMap<>();
        lastScaling()
                .ifPresent(
                        at ->
                                content.history()
                                        .forEach(
                                                (vertex, entries) -> {
                                                    ScalingSummary summary = entries.get(at);
                                                    if (summary != null) {
                                                        newest.put(vertex, summary);
                                                    }
                                                }));
        return newest;
    }

    /** What each vertex could do when it was scaled, oldest first. */
    Map<String, List<EngineObservation>> observations() {
        Map<String, List<EngineObservation>> observations = new HashMap<>();
        content.history()
                .forEach(
                        (vertex, entries) ->
                                observations.put(
                                        vertex.toHexString(),
                                        entries.entrySet().stream()
                                                .map(
                                                        each ->
                                                                AmendedHistory.observation(
                                                                        each.getKey(),
                                                                        each.getValue()))
                                                .flatMap(Optional::stream)
                                                .toList()));
        return observations;
    }

    /** The longest of the measured restarts. */
    Optional<Duration> restartTime() {
        return content.tracking().getScalingRecords().values().stream()
                .map(entry -> Optional.ofNullable(entry.getRestartDuration()))
                .flatMap(Optional::stream)
                .max(Duration::compareTo);
    }

    /** With samples from a later time, of a clock that was ahead, no rate can be told. */
    void forgetSamplesAfter(Instant now) {
        if (content.metrics().newest().filter(newest -> newest.isAfter(now)).isPresent()) {
            content = content.withMetrics(Samples.NONE);
        }
    }

    SortedMap<String, Integer> overrides() {
        NavigableMap<String, Integer> overrides = new TreeMap<>();
        content.overrides()
                .forEach(
                        (vertex, parallelism) ->
                                overrides.put(vertex, Integer.valueOf(parallelism)));
        return overrides;
    }

    Optional<Instant> lastScaling() {
        return content.history().values().stream()
                .map(Map::keySet)
                .flatMap(Collection::stream)
                .max(Instant::compareTo);
    }

    @Override
    public void storeScalingHistory(
            JobAutoScalerContext<JobKey> context,
            Map<JobVertexID, SortedMap<Instant, ScalingSummary>> history) {
        content = content.withHistory(history);
    }

    @Override
    public Map<JobVertexID, SortedMap<Instant, ScalingSummary>> getScalingHistory(
            JobAutoScalerContext<JobKey> context) {
        return content.history();
    }

    @Override
    public void removeScalingHistory(JobAutoScalerContext<JobKey> context) {
        content = content.withHistory(new HashMap<>());
    }

    @Override
    public void storeScalingTracking(
            JobAutoScalerContext<JobKey> context, ScalingTracking tracking) {
        content = content.withTracking(tracking);
    }

    @Override
    public ScalingTracking getScalingTracking(JobAutoScalerContext<JobKey> context) {
        return content.tracking();
    }

    @Override
    public void storeCollectedMetrics(
            JobAutoScalerContext<JobKey> context, SortedMap<Instant, CollectedMetrics> metrics) {
        content = content.withMetrics(content.metrics().replacedBy(metrics));
    }

    @Override
    public SortedMap<Instant, CollectedMetrics> getCollectedMetrics(
            JobAutoScalerContext<JobKey> context) {
        return content.metrics().unpacked();
    }

    @Override
    public void removeCollectedMetrics(JobAutoScalerContext<JobKey> context) {
        content = content.withMetrics(Samples.NONE);
    }

    @Override
    public void storeParallelismOverrides(
            JobAutoScalerContext<JobKey> context, Map<String, String> overrides) {
        content = content.withOverrides(overrides);
    }

    @Override
    public Map<String, String> getParallelismOverrides(JobAutoScalerContext<JobKey> context) {
        return content.overrides();
    }

    @Override
    public void removeParallelismOverrides(JobAutoScalerContext<JobKey> context) {
        content = content.withOverrides(new HashMap<>());
    }

    @Override
    public void storeConfigChanges(JobAutoScalerContext<JobKey> context, ConfigChanges changes) {
        content = content.withConfigChanges(changes);
    }

    @Override
    public ConfigChanges getConfigChanges(JobAutoScalerContext<JobKey> context) {
        return content.configChanges();
    }

    @Override
    public void removeConfigChanges(JobAutoScalerContext<JobKey> context) {
        content = content.withConfigChanges(new ConfigChanges());
    }

    @Override
    public void storeDelayedScaleDown(
            JobAutoScalerContext<JobKey> context, DelayedScaleDown delayed) {
        content = content.withDelayed(delayed);
    }

    @Override
    public DelayedScaleDown getDelayedScaleDown(JobAutoScalerContext<JobKey> context) {
        return content.delayed();
    }

    @Override
    public void clearAll(JobAutoScalerContext<JobKey> context) {
        content = StateContent.empty();
    }

    @Override
    public void flush(JobAutoScalerContext<JobKey> context) {}

    @Override
    public void removeInfoFromCache(JobKey key) {}
}
