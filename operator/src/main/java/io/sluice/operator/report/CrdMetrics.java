// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.prometheus.client.Gauge;
import io.sluice.process.metric.Series;

/** Which installed CRDs this version can use in full. */
public final class CrdMetrics {
    private final Gauge current;

    public CrdMetrics(Series series) {
        current = series.gauge("sluice_operator_crd_current");
    }

    public void tell(String crd, boolean isCurrent) {
        current.labels(crd).set(isCurrent ? 1 : 0);
    }
}
