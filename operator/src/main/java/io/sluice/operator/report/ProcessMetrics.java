// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.prometheus.client.Gauge;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What this process is, as opposed to what it does: its configuration, and whether it leads. */
public final class ProcessMetrics {
    private final Gauge configuration;

    public ProcessMetrics(Series series, BooleanSupplier leads, BooleanSupplier isGood) {
        configuration = series.gauge("sluice_configuration_info");
        series.gauge("sluice_configuration_good", () -> isGood.getAsBoolean() ? 1.0 : 0.0);
        series.gauge("sluice_operator_leader", () -> leads.getAsBoolean() ? 1.0 : 0.0);
        String version =
                Optional.ofNullable(ProcessMetrics.class.getPackage().getImplementationVersion())
                        .orElse("development");
        series.gauge("sluice_build_info").labels("operator", version).set(1);
    }

    /** Another configuration is in use; the series of the one before ends. */
    public void uses(String fingerprint) {
        configuration.clear();
        configuration.labels(fingerprint).set(1);
    }
}
