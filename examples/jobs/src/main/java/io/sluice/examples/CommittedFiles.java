// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;

/**
 * Flink's own sink for files, whose transactions end with checkpoints. A class of its own, so that
 * a job without it needs no connector for files.
 */
final class CommittedFiles {

    private CommittedFiles() {}

    /** The number of each record, a line each, into files of that folder. */
    static void write(DataStream<Event> records, String folder) {
        records.map(Event::number)
                .returns(Types.LONG)
                .name("number")
                .uid("number")
                .sinkTo(
                        FileSink.<Long>forRowFormat(new Path(folder), new SimpleStringEncoder<>())
                                .withBucketAssigner(new BasePathBucketAssigner<>())
                                .withRollingPolicy(OnCheckpointRollingPolicy.build())
                                .build())
                .name("committed")
                .uid("committed");
    }
}
