// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** The {@code main()} in the jar that a real Flink is given. */
public final class TicksJob {
    private TicksJob() {}

    public static void main(String[] args) throws Exception {
        var environment = StreamExecutionEnvironment.getExecutionEnvironment();
        var ticks =
                new DataGeneratorSource<Long>(
                        tick -> tick,
                        Long.MAX_VALUE,
                        RateLimiterStrategy.perSecond(100),
                        Types.LONG);
        environment
                .fromSource(ticks, WatermarkStrategy.noWatermarks(), "ticks")
                .sinkTo(new DiscardingSink<>());
        environment.execute("ticks of " + args.length);
    }
}
