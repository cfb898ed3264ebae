// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Histogram;
import io.sluice.operator.deployment.ResourcePass.Outcome;
import java.time.Duration;

/**
 * The operator's own Prometheus series. Labels are closed sets: nothing a user names becomes one.
 */
public final class OperatorMetrics {
    private static final double MILLIS = 1000.0;

    private final Counter passes;
    private final Counter statusWrites;
    private final Histogram seconds;

    public OperatorMetrics(CollectorRegistry registry) {
        passes =
                Counter.build(
                                "sluice_operator_passes",
                                "Passes over resources, by the reason they ended with.")
                        .labelNames("kind", "reason")
                        .register(registry);
        statusWrites =
                Counter.build(
                                "sluice_operator_status_writes",
                                "Status writes: one for each transition.")
                        .labelNames("kind")
                        .register(registry);
        seconds =
                Histogram.build("sluice_operator_pass_seconds", "How long a pass took.")
                        .labelNames("kind")
                        .buckets(0.001, 0.005, 0.02, 0.1, 0.5, 2, 10)
                        .register(registry);
    }

    public void passed(String kind, Outcome outcome, Duration took) {
        passes.labels(kind, outcome.reason().wire()).inc();
        if (outcome.wroteStatus()) {
            statusWrites.labels(kind).inc();
        }
        seconds.labels(kind).observe(took.toMillis() / MILLIS);
    }
}
