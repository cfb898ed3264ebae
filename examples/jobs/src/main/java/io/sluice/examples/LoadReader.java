// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.Counter;

/**
 * Emits what is due. What could not be emitted in time, because the job was slow or down, stays due
 * and is reported as pending, as the lag of a queue would be.
 */
final class LoadReader implements SourceReader<Event, LoadSplit> {

    private static final Executor AFTER_A_TICK =
            CompletableFuture.delayedExecutor(10, TimeUnit.MILLISECONDS);

    private final Schedule schedule;
    private final String payload;
    private final long records;
    private final InstantSource clock;
    private final Counter recordsIn;
    private final CompletableFuture<Void> assigned = new CompletableFuture<>();
    private CompletableFuture<Void> nextTick = CompletableFuture.completedFuture(null);
    private volatile Optional<LoadSplit> split = Optional.empty();

    LoadReader(
            SourceReaderContext context,
            Schedule schedule,
            String payload,
            long records,
            InstantSource clock) {
        this.schedule = schedule;
        this.payload = payload;
        this.records = records;
        this.clock = clock;
        this.recordsIn = context.metricGroup().getIOMetricGroup().getNumRecordsInCounter();
        context.metricGroup().setPendingRecordsGauge(this::pending);
    }

    private long pending() {
        return split.map(
                        some ->
                                Math.min(
                                        some.pending(schedule, clock.instant()),
                                        records - some.emitted()))
                .orElse(0L);
    }

    private boolean isAtItsEnd() {
        return split.filter(some -> some.emitted() >= records).isPresent();
    }

    @Override
    public void start() {}

    @Override
    public void addSplits(List<LoadSplit> splits) {
        split = splits.stream().findFirst();
        assigned.complete(null);
    }

    @Override
    public InputStatus pollNext(ReaderOutput<Event> output) {
        if (pending() > 0) {
            split.ifPresent(some -> emit(some, output));
        }
        if (isAtItsEnd()) {
            return InputStatus.END_OF_INPUT;
        }
        return pending() > 0 ? InputStatus.MORE_AVAILABLE : InputStatus.NOTHING_AVAILABLE;
    }

    private void emit(LoadSplit from, ReaderOutput<Event> output) {
        output.collect(new Event(from.emitted(), payload));
        recordsIn.inc();
        split = Optional.of(from.afterOneMore());
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        if (split.isEmpty()) {
            return assigned;
        }
        if (nextTick.isDone() && pending() == 0) {
            nextTick = CompletableFuture.runAsync(() -> {}, AFTER_A_TICK);
        }
        return nextTick;
    }

    @Override
    public List<LoadSplit> snapshotState(long checkpoint) {
        return split.stream().toList();
    }

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() {}
}
