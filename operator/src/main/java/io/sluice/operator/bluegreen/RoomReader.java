// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.ResourceKind;
import io.sluice.manifest.ClusterDemand;
import io.sluice.operator.bluegreen.decide.Room;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.model.SpecView;
import io.sluice.rules.config.DefaultConfiguration;
import java.math.BigDecimal;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the ResourceQuotas of a namespace what they leave. They are listed only when a second half
 * is about to be made: a watch would hear of each pod that comes or goes. One with scopes is left
 * out, as it depends on the pod templates whether it counts pods of Flink.
 */
record RoomReader(KubernetesClient client, Supplier<DefaultConfiguration> defaults) {
    private static final Logger LOG = LoggerFactory.getLogger(RoomReader.class);
    private static final String FLINK_DEPLOYMENTS = "count/" + ResourceKind.FLINK_DEPLOYMENT.crd();

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
            Map<String, BigDecimal> asked =
                    new TreeMap<>(ClusterDemand.of(spec, effective(namespace, spec)).amounts());
            asked.put(FLINK_DEPLOYMENTS, BigDecimal.ONE);
            return new Room(
                    asked,
                    client.resourceQuotas().inNamespace(namespace).list().getItems().stream()
                            .filter(quota -> !isScoped(quota))
                            .map(RoomReader::quota)
                            .toList());
        } catch (KubernetesClientException fault) {
            if (fault.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw fault;
            }
            LOG.atWarn()
                    .addKeyValue("resource.namespace", namespace)
                    .log(
                            "a second half is made without a look at ResourceQuotas, which can't"
                                    + " be listed: {}",
                            fault.getMessage());
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

    private static boolean isScoped(ResourceQuota quota) {
        return Optional.ofNullable(quota.getSpec())
                .filter(spec -> spec.getScopeSelector() != null || !spec.getScopes().isEmpty())
                .isPresent();
    }

    /** By what its status says, which a quota has as soon as it counts. */
    private static Room.Quota quota(ResourceQuota quota) {
        Map<String, BigDecimal> left = new TreeMap<>();
        Optional.ofNullable(quota.getStatus())
                .ifPresent(
                        status ->
                                amounts(status.getHard())
                                        .forEach(
                                                (resource, hard) ->
                                                        left.put(
                                                                resource,
                                                                hard.subtract(
                                                                        amounts(status.getUsed())
                                                                                .getOrDefault(
                                                                                        resource,
                                                                                        BigDecimal
                                                                                                .ZERO)))));
        return new Room.Quota(quota.getMetadata().getName(), left);
    }

    private static Map<String, BigDecimal> amounts(Map<String, Quantity> quantities) {
        Map<String, BigDecimal> amounts = new TreeMap<>();
        Optional.ofNullable(quantities)
                .ifPresent(
                        all ->
                                all.forEach(
                                        (resource, quantity) ->
                                                amounts.put(
                                                        resource,
                                                        Quantity.getAmountInBytes(quantity))));
        return amounts;
    }
}
