// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.process.Progress;
import io.sluice.process.metric.Series;

/** Tells of every reconciliation that it began and ended, with the resource that it is about. */
public final class PassProgress {
    private final Progress progress;

    public PassProgress(Series series, Progress progress) {
        this.progress = progress;
        series.gauge("sluice_work_oldest_seconds", () -> progress.oldest().toMillis() / 1000.0);
    }

    public <R extends HasMetadata, C> ResourceReconciler<R, C> observed(
            ResourceReconciler<R, C> inner) {
        return (resource, cached, store) -> {
            try (var _ = progress.begin(name(resource))) {
                return inner.reconcile(resource, cached, store);
            }
        };
    }

    private static String name(HasMetadata resource) {
        return "%s %s/%s"
                .formatted(
                        resource.getKind(),
                        resource.getMetadata().getNamespace(),
                        resource.getMetadata().getName());
    }
}
