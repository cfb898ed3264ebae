// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.sluice.operator.deployment.FlinkDeploymentReconciler;
import io.sluice.operator.deployment.ResourcePass.Outcome;
import io.sluice.operator.sessionjob.FlinkSessionJobReconciler;
import io.sluice.plugin.Resource;
import io.sluice.plugins.Plugins;

/** Tells the plugins that listen of each status that a pass stored. */
record Listeners(Plugins plugins, KubernetesSerialization json) {
    FlinkDeploymentReconciler.Passes deployments(FlinkDeploymentReconciler.Passes inner) {
        return (resource, children, store) -> told(resource, inner.run(resource, children, store));
    }

    FlinkSessionJobReconciler.Passes sessionJobs(FlinkSessionJobReconciler.Passes inner) {
        return (resource, around, store) -> told(resource, inner.run(resource, around, store));
    }

    private Outcome told(HasMetadata resource, Outcome outcome) {
        if (outcome.wroteStatus() && plugins.hasListeners()) {
            plugins.statusChanged(
                    new Resource(
                            resource.getKind(),
                            resource.getMetadata().getNamespace(),
                            resource.getMetadata().getName(),
                            json.asJson(resource)),
                    outcome.reason().wire());
        }
        return outcome;
    }
}
