// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * A job whose load rises and falls by itself, and whose work takes time but no processor: something
 * for an autoscaler to scale, on a small machine too.
 *
 * <pre>
 * load (one subtask) ──rebalance──▶ work ▶ sink (scaled together)
 * load (one subtask) ──rebalance──▶ work ──rebalance──▶ limited ▶ sink   with --limit
 * </pre>
 */
public final class LoadJob {

    private LoadJob() {}

    /** The arguments are those of {@link LoadArguments}. */
    public static void main(String[] args) throws Exception {
        LoadArguments arguments = LoadArguments.of(args);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        define(environment, arguments);
        environment.execute("load");
    }

    static void define(StreamExecutionEnvironment environment, LoadArguments arguments) {
        SingleOutputStreamOperator<Event> worked =
                environment
                        .fromSource(
                                new LoadSource(
                                        arguments.schedule(),
                                        arguments.recordSize(),
                                        arguments.records()),
                                WatermarkStrategy.noWatermarks(),
                                "load",
                                TypeInformation.of(Event.class))
                        .uid("load")
                        .setParallelism(1)
                        .setMaxParallelism(1)
                        .rebalance()
                        .map(new Work(arguments.capacity()))
                        .name("work")
                        .uid("work");
        DataStream<Event> passed =
                arguments
                        .limit()
                        .<DataStream<Event>>map(
                                limit -> limited(worked, new Limited(arguments.capacity(), limit)))
                        .orElse(worked);
        DataStream<Event> written =
                arguments.ledger().<DataStream<Event>>map(it -> written(passed, it)).orElse(passed);
        arguments.committed().ifPresent(folder -> CommittedFiles.write(written, folder));
        written.sinkTo(new DiscardingSink<>()).name("sink").uid("sink");
    }

    private static DataStream<Event> written(DataStream<Event> passed, String folder) {
        return passed.map(new Ledger(folder)).name("ledger").uid("ledger");
    }

    private static DataStream<Event> limited(DataStream<Event> worked, Limited limited) {
        return worked.rebalance().map(limited).name("limited").uid("limited");
    }
}
