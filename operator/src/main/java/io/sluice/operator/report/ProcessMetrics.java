// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Gauge;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What this process is, as opposed to what it does: its configuration, and whether it leads. */
public final class ProcessMetrics {
    private final Gauge configuration;

    public ProcessMetrics(
            CollectorRegistry registry, BooleanSupplier leads, BooleanSupplier isGood) {
        configuration =
                Gauge.build(
                                "sluice_configuration_info",
                                "Constant 1, with the fingerprint of the configuration in use.")
                        .labelNames("fingerprint")
                        .register(registry);
        gauge(
                "sluice_configuration_good",
                "1 if the configuration's files can be used as they are now.",
                () -> isGood.getAsBoolean() ? 1.0 : 0.0,
                registry);
        gauge(
                "sluice_operator_leader",
                "1 if this process acts, 0 if it stands by.",
                () -> leads.getAsBoolean() ? 1.0 : 0.0,
                registry);
    }

    /** Another configuration is in use; the series of the one before ends. */
    public void uses(String fingerprint) {
        configuration.clear();
        configuration.labels(fingerprint).set(1);
    }

    private static void gauge(
            String name, String help, Supplier<Double> value, CollectorRegistry registry) {
        Gauge.build(name, help)
                .create()
                .setChild(
                        new Gauge.Child() {
                            @Override
                            public double get() {
                                return value.get();
                            }
                        })
                .register(registry);
    }
}
