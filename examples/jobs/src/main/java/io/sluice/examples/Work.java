// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;

/**
 * Does a bounded number of records per second and subtask, and counts them in its state: the sum of
 * the gauge {@code processed} over all subtasks tells whether state survived a rescale or upgrade.
 * Where one subtask has seen all records since the job first began, the gauge {@code deviation}
 * tells how many were lost, or, below zero, counted twice: records are numbered without gaps.
 */
@SuppressWarnings("NullAway.Init") // Flink fills the transient fields before the first record
final class Work extends RichMapFunction<Event, Event> implements CheckpointedFunction {

    private final double capacity;
    private transient Pace pace;
    private transient ListState<Long> counts;
    private transient ListState<Long> nexts;
    private transient volatile Seen seen;

    /**
     * What came by, read as one by who measures.
     *
     * @param processed how many records
     * @param next one more than the highest number
     */
    record Seen(long processed, long next) {
        Seen and(Event event) {
            return new Seen(processed + 1, Math.max(next, event.number() + 1));
        }

        long deviation() {
            return next - processed;
        }
    }

    Work(double capacity) {
        this.capacity = capacity;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        counts = state(context, "processed");
        nexts = state(context, "next");
        long processed = 0;
        for (long count : counts.get()) {
            processed += count;
        }
        long next = 0;
        for (long each : nexts.get()) {
            next = Math.max(next, each);
        }
        seen = new Seen(processed, next);
    }

    private static ListState<Long> state(FunctionInitializationContext context, String name)
            throws Exception {
        return context.getOperatorStateStore()
                .getListState(new ListStateDescriptor<>(name, Types.LONG));
    }

    @Override
    public void open(OpenContext context) {
        pace = new Pace(capacity, Pace::park);
        var metrics = getRuntimeContext().getMetricGroup();
        metrics.gauge("processed", (Gauge<Long>) () -> seen.processed());
        metrics.gauge("deviation", (Gauge<Long>) () -> seen.deviation());
    }

    @Override
    public Event map(Event event) {
        pace.one();
        seen = seen.and(event);
        return event;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        counts.clear();
        counts.add(seen.processed());
        nexts.clear();
        nexts.add(seen.next());
    }
}
