// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.sluice.process.LiveConfiguration;
import io.sluice.process.metric.BuildInfo;
import io.sluice.process.metric.ConfigurationMetrics;
import io.sluice.process.metric.Series;
import java.util.function.BooleanSupplier;

/** What this process is, as opposed to what it does: its configuration, and whether it leads. */
public final class ProcessMetrics {
    private ProcessMetrics() {}

    /** Shows it from now on. */
    public static void show(Series series, LiveConfiguration configuration, BooleanSupplier leads) {
        series.registry().register(new ConfigurationMetrics(configuration));
        BuildInfo.show(series, "operator", ProcessMetrics.class);
        series.gauge("sluice_operator_leader", () -> leads.getAsBoolean() ? 1.0 : 0.0);
    }
}
