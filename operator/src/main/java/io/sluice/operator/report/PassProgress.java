// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.sluice.operator.deployment.FlinkDeploymentReconciler;
import io.sluice.operator.sessionjob.FlinkSessionJobReconciler;
import io.sluice.process.Progress;

/** Tells of every pass that it began and ended, with the resource that it is about. */
public final class PassProgress {
    private final Progress progress;

    public PassProgress(Series series, Progress progress) {
        this.progress = progress;
        series.gauge("sluice_work_oldest_seconds", () -> progress.oldest().toMillis() / 1000.0);
    }

    public FlinkDeploymentReconciler.Passes deployments(FlinkDeploymentReconciler.Passes inner) {
        return (resource, children, store) -> {
            try (var _ = progress.begin(name(resource))) {
                return inner.run(resource, children, store);
            }
        };
    }

    /** As {@link #deployments}. */
    public FlinkSessionJobReconciler.Passes sessionJobs(FlinkSessionJobReconciler.Passes inner) {
        return (resource, around, store) -> {
            try (var _ = progress.begin(name(resource))) {
                return inner.run(resource, around, store);
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
