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
 */
@SuppressWarnings("NullAway.Init") // Flink fills the transient fields before the first record
final class Work extends RichMapFunction<Event, Event> implements CheckpointedFunction {

    private final double capacity;
    private transient Pace pace;
    private transient ListState<Long> counts;
    private transient volatile long processed;

    Work(double capacity) {
        this.capacity = capacity;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        counts =
                context.getOperatorStateStore()
                        .getListState(new ListStateDescriptor<>("processed", Types.LONG));
        long restored = 0;
        for (long count : counts.get()) {
            restored += count;
        }
        processed = restored;
    }

    @Override
    public void open(OpenContext context) {
        pace = new Pace(capacity, Pace::park);
        getRuntimeContext().getMetricGroup().gauge("processed", (Gauge<Long>) () -> processed);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // the task's thread alone writes it
    public Event map(Event event) {
        pace.one();
        processed = processed + 1;
        return event;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        counts.clear();
        counts.add(processed);
    }
}
