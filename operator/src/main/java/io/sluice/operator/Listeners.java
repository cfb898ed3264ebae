// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.plugin.Resource;
import io.sluice.plugins.Plugins;

/** Tells the plugins that listen of each status that a reconciliation stored. */
record Listeners(Plugins plugins, KubernetesSerialization json) {
    <R extends HasMetadata, C> ResourceReconciler<R, C> notifying(ResourceReconciler<R, C> inner) {
        return (resource, cached, store) ->
                notify(resource, inner.reconcile(resource, cached, store));
    }

    private Outcome notify(HasMetadata resource, Outcome outcome) {
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
