// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import java.util.List;
import java.util.Optional;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.jspecify.annotations.Nullable;

/** Hands the one split to the first reader that registers. */
final class LoadEnumerator implements SplitEnumerator<LoadSplit, WaitingSplit> {

    private final SplitEnumeratorContext<LoadSplit> context;
    private Optional<LoadSplit> waiting;

    LoadEnumerator(SplitEnumeratorContext<LoadSplit> context, WaitingSplit waiting) {
        this.context = context;
        this.waiting = waiting.split();
    }

    @Override
    public void start() {}

    @Override
    public void addReader(int subtask) {
        waiting.ifPresent(split -> context.assignSplit(split, subtask));
        waiting = Optional.empty();
    }

    @Override
    public void addSplitsBack(List<LoadSplit> splits, int subtask) {
        waiting = splits.stream().findFirst();
    }

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {}

    @Override
    public WaitingSplit snapshotState(long checkpoint) {
        return new WaitingSplit(waiting);
    }

    @Override
    public void close() {}
}
