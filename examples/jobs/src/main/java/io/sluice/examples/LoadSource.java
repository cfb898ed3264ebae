// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import java.time.InstantSource;
import java.util.Optional;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A source whose rate follows a schedule, with one split: it is to run with parallelism 1.
 *
 * @param records after which it ends
 */
record LoadSource(Schedule schedule, int recordSize, long records)
        implements Source<Event, LoadSplit, WaitingSplit> {

    @Override
    public Boundedness getBoundedness() {
        return records == LoadArguments.ENDLESS
                ? Boundedness.CONTINUOUS_UNBOUNDED
                : Boundedness.BOUNDED;
    }

    @Override
    public SourceReader<Event, LoadSplit> createReader(SourceReaderContext context) {
        return new LoadReader(
                context, schedule, "x".repeat(recordSize), records, InstantSource.system());
    }

    @Override
    public SplitEnumerator<LoadSplit, WaitingSplit> createEnumerator(
            SplitEnumeratorContext<LoadSplit> context) {
        LoadSplit first = new LoadSplit(InstantSource.system().instant(), 0);
        return restoreEnumerator(context, new WaitingSplit(Optional.of(first)));
    }

    @Override
    public SplitEnumerator<LoadSplit, WaitingSplit> restoreEnumerator(
            SplitEnumeratorContext<LoadSplit> context, WaitingSplit waiting) {
        return new LoadEnumerator(context, waiting);
    }

    @Override
    public SimpleVersionedSerializer<LoadSplit> getSplitSerializer() {
        return new LoadSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<WaitingSplit> getEnumeratorCheckpointSerializer() {
        return new WaitingSplit.Serializer();
    }
}
