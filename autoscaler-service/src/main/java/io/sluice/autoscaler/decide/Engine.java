// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import static org.apache.flink.autoscaler.config.AutoScalerOptions.MEMORY_TUNING_ENABLED;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.state.Discarded;
import io.sluice.autoscaler.state.StateCodec;
import io.sluice.autoscaler.state.StateContent;
import io.sluice.autoscaler.state.StateLimits;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.autoscaler.JobAutoScalerContext;
import org.apache.flink.autoscaler.ScalingExecutor;
import org.apache.flink.autoscaler.TimedAutoScaler;
import org.apache.flink.autoscaler.realizer.ScalingRealizer;
import org.apache.flink.autoscaler.tuning.ConfigChanges;

/**
 * Flink's autoscaling engine for one job; whatever it remembers goes with this object. It carries
 * nothing out: it proposes, {@link #accept} or {@link #reject} says what became of that.
 */
public final class Engine {
    private final EngineState state;
    private final RecordedEvents events = new RecordedEvents();
    private final RecordingEvaluator evaluator;
    private final CountingGroup counters = new CountingGroup();
    private final RecordingCollector collector;
    private final Clock clock;
    private final TimedAutoScaler<JobKey> engine;
    private StateContent before = StateContent.empty();

    /** The job of the last look, if its memory is tuned: {@link #accept} needs it then. */
    private Optional<JobAutoScalerContext<JobKey>> context = Optional.empty();

    /** An engine that collects by {@code collector} and lives in the time of {@code clock}. */
    public Engine(RecordingCollector collector, Clock clock) {
        this(collector, clock, new StateCodec(StateLimits.DEFAULT));
    }

    /**
     * @param text writes and reads what is stored
     */
    Engine(RecordingCollector collector, Clock clock, StateCodec text) {
        this.state = new EngineState(text);
        this.collector = collector;
        this.clock = clock;
        evaluator = new RecordingEvaluator(collector::tellsBacklog, collector::processors);
        engine =
                new TimedAutoScaler<>(
                        collector,
                        evaluator,
                        new ScalingExecutor<>(events, state),
                        events,
                        new HandOver(),
                        state,
                        clock);
    }

    /** Starts from what was stored; returns what of it is not used. */
    public List<Discarded> load(Map<String, String> stored) {
        List<Discarded> discarded = state.load(stored);
        before = state.frozen();
        return discarded;
    }

    public SortedMap<String, Integer> overrides() {
        return state.overrides();
    }

    public Optional<Instant> lastScaling() {
        return state.lastScaling();
    }

    /** The longest of the last few restarts a scaling led to; empty if none was measured. */
    public Optional<Duration> restartTime() {
        return state.restartTime();
    }

    /** By vertex id, oldest first. */
    public Map<String, List<EngineObservation>> observations() {
        return state.observations();
    }

    /** Cycles that ended with every vertex within its bounds. */
    public long balanced() {
        return counters.count("balanced");
    }

    public long errors() {
        return counters.count("errors");
    }

    /** One cycle. Throws what the engine throws; most failures it reports as an event instead. */
    public Evaluation evaluate(EngineJob job) throws Exception {
        collector.forget();
        evaluator.forget();
        state.forgetSamplesAfter(clock.instant());
        before = state.frozen();
        JobAutoScalerContext<JobKey> asked = context(job);
        engine.scale(asked);
        Evaluation evaluation = evaluation();
        if (asked.getConfiguration().get(MEMORY_TUNING_ENABLED)) {
            context = Optional.of(asked);
        } else {
            context = Optional.empty();
            evaluator.forget();
        }
        return evaluation;
    }

    private Evaluation evaluation() {
        return new Evaluation(
                evaluator.seen(),
                state.overrides(),
                events.take(),
                collector.notReady(),
                collector.samples(),
                evaluator.isWindowFull(),
                evaluator.trend(),
                evaluator.arrivals(),
                collector.graph(),
                events.takeFailure());
    }

    /**
     * The proposal happens, with these overrides instead of the engine's own. Returns the report of
     * it, which takes the place of the engine's. Where memory is tuned it is tuned for these
     * overrides.
     */
    public EngineEvent accept(SortedMap<String, Integer> overrides) {
        SortedMap<String, Integer> proposed = state.overrides();
        boolean moved =
                overrides.entrySet().stream()
                        .anyMatch(
                                vertex ->
                                        !vertex.getValue()
                                                .equals(
                                                        proposed.getOrDefault(
                                                                vertex.getKey(),
                                                                vertex.getValue())));
        state.amend(overrides);
        if (moved) {
            state.keepConfig(before);
            context.ifPresent(
                    job ->
                            evaluator
                                    .memory(job, overrides, events)
                                    .ifPresent(memory -> state.storeConfigChanges(job, memory)));
        }
        return RecordedEvents.report(state.newestScaling());
    }

    /** Collects anew: what was measured so far is not to be trusted. */
    public void forgetSamples() {
        state.forgetSamplesAfter(Instant.MIN);
    }

    /** The proposal did not happen; only its samples stay. */
    public void reject() {
        state.rollBack(before);
    }

    /** What to store, in the Apache operator's layout. */
    public SortedMap<String, String> text() {
        return state.text();
    }

    private JobAutoScalerContext<JobKey> context(EngineJob job) {
        return new JobAutoScalerContext<>(
                job.key(),
                JobID.fromHexString(job.jobId()),
                JobStatus.RUNNING,
                job.options(),
                counters,
                job.client()::get);
    }

    /** The operator carries overrides out, from what is published. */
    private static final class HandOver
            implements ScalingRealizer<JobKey, JobAutoScalerContext<JobKey>> {
        @Override
        public void realizeParallelismOverrides(
                JobAutoScalerContext<JobKey> context, Map<String, String> overrides) {}

        @Override
        public void realizeConfigOverrides(
                JobAutoScalerContext<JobKey> context, ConfigChanges changes) {}
    }
}
