// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import io.sluice.autoscaler.collect.JobKey;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.autoscaler.JobAutoScalerContext;
import org.apache.flink.autoscaler.JobAutoScalerImpl;
import org.apache.flink.autoscaler.ScalingExecutor;
import org.apache.flink.autoscaler.realizer.ScalingRealizer;
import org.apache.flink.autoscaler.tuning.ConfigChanges;

/**
 * Flink's autoscaling engine for one job; whatever it remembers goes with this object. It carries
 * nothing out: it proposes, {@link #accept} or {@link #reject} says what became of that.
 */
public final class Engine {
    /** What a rejected proposal leaves as it was. */
    private static final List<String> PROPOSAL =
            List.of(
                    StateText.HISTORY,
                    StateText.TRACKING,
                    StateText.OVERRIDES,
                    StateText.CONFIG,
                    StateText.DELAYED);

    private final EngineState state = new EngineState();
    private final RecordedEvents events = new RecordedEvents();
    private final RecordingCollector collector = new RecordingCollector();
    private final RecordingEvaluator evaluator = new RecordingEvaluator();
    private final CountingGroup counters = new CountingGroup();
    private final JobAutoScalerImpl<JobKey, JobAutoScalerContext<JobKey>> engine =
            new JobAutoScalerImpl<>(
                    collector,
                    evaluator,
                    new ScalingExecutor<>(events, state),
                    events,
                    new HandOver(),
                    state);
    private SortedMap<String, String> before = Collections.emptySortedMap();

    /** Starts from what was stored; returns what of it was unreadable, for the log. */
    public List<String> load(Map<String, String> stored) {
        List<StateText.Unreadable> unreadable = state.load(stored);
        before = state.text();
        return unreadable.stream().map(entry -> entry.key() + ": " + entry.why()).toList();
    }

    public SortedMap<String, Integer> overrides() {
        return state.overrides();
    }

    public Optional<Instant> lastScaling() {
        return state.lastScaling();
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
        engine.scale(context(job));
        return new Evaluation(
                evaluator.seen(),
                state.overrides(),
                events.take(),
                collector.notReady(),
                collector.samples(),
                evaluator.isWindowFull(),
                events.takeFailure());
    }

    /** Everything as it now is counts; returns what to store. */
    public SortedMap<String, String> accept() {
        before = state.text();
        return before;
    }

    /** The proposal did not happen, only its samples stay; returns what to store. */
    public SortedMap<String, String> reject() {
        TreeMap<String, String> after = new TreeMap<>(state.text());
        PROPOSAL.forEach(after::remove);
        PROPOSAL.forEach(
                key -> {
                    if (before.containsKey(key)) {
                        after.put(key, before.getOrDefault(key, ""));
                    }
                });
        state.load(after);
        before = after;
        return after;
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
