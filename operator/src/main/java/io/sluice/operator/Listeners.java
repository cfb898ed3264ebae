// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.sluice.operator.deployment.FlinkDeploymentReconciler;
import io.sluice.operator.deployment.ResourcePass.Outcome;
import io.sluice.operator.sessionjob.FlinkSessionJobReconciler;
import io.sluice.plugin.Resource;
import io.sluice.plugins.Plugins;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.PluginOptions;
import java.nio.file.Path;
import java.util.Map;

/** Tells the plugins that listen of each status that a pass stored. */
record Listeners(Plugins plugins, KubernetesSerialization json) {
    /** Those of {@code SLUICE_PLUGIN_DIR}. */
    static Listeners load(
            Map<String, String> environment,
            DefaultConfiguration configuration,
            KubernetesSerialization json) {
        Path folder = Path.of(environment.getOrDefault("SLUICE_PLUGIN_DIR", "/opt/sluice/plugins"));
        return new Listeners(
                Plugins.load(folder, name -> PluginOptions.of(configuration, name)), json);
    }

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
