// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.manifest.Room;
import io.sluice.operator.child.ApiServerMessage;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.model.SpecView;
import io.sluice.rules.config.DefaultConfiguration;
import java.net.HttpURLConnection;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the ResourceQuotas of a namespace what they leave. They are listed only when a second half
 * is about to be made: a watch would hear of each pod that comes or goes.
 */
record RoomReader(KubernetesClient client, Supplier<DefaultConfiguration> defaults) {
    private static final Logger LOG = LoggerFactory.getLogger(RoomReader.class);

    /**
     * Who may not list them goes on without: a quota that is too small still refuses pods.
     *
     * @param half the spec of the second half, as it is written
     * @param overrides what the autoscaler asks of the active half, which the second one starts
     *     with
     */
    Room of(String namespace, SpecView.Valid half, AutoscalerOverrides overrides) {
        try {
            FlinkDeploymentSpec spec = sized(namespace, half, overrides);
            return Room.of(
                    spec,
                    effective(namespace, spec),
                    client.resourceQuotas().inNamespace(namespace).list().getItems());
        } catch (KubernetesClientException fault) {
            if (fault.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw fault;
            }
            LOG.atWarn()
                    .addKeyValue("resource.namespace", namespace)
                    .log(
                            "a second half is made without a look at ResourceQuotas, which can't"
                                    + " be listed: {}",
                            ApiServerMessage.of(fault));
            return Room.NOT_ASKED;
        } catch (IllegalArgumentException unreadable) {
            // Its size can't be told, and its own reconciliation says why.
            return Room.NOT_ASKED;
        }
    }

    private FlinkDeploymentSpec sized(
            String namespace, SpecView.Valid half, AutoscalerOverrides overrides) {
        return overrides.in(half, written -> effective(namespace, written))
                        instanceof SpecView.Valid(var sized, _)
                ? sized
                : half.spec();
    }

    private FlinkConfiguration effective(String namespace, FlinkDeploymentSpec spec) {
        return defaults.get().effective(namespace, spec.flinkVersion(), spec.flinkConfiguration());
    }
}
