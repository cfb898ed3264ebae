// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.StartOverrides;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.bluegreen.decide.PairObservedState;
import io.sluice.operator.model.AutoscalerOverrides;
import java.util.Map;
import java.util.Optional;

/**
 * Reads what the autoscaler asks of a half, from the API server itself: the other half is started
 * with it.
 */
record HalfSize(KubernetesClient client) {
    /**
     * The entries of ConfigMap {@code autoscaler-<half>} that the operator reads. A half that the
     * autoscaler has stored nothing of may still run with what it was started with itself.
     *
     * @return nothing if the half is not there, or is none of the pair
     */
    Map<String, String> of(PairObservedState observed, HalfColor color) {
        String namespace = observed.identity().namespace();
        String name = color.nameIn(observed.identity().name());
        return observed.half(color)
                .half()
                .map(Half::uid)
                .flatMap(uid -> there(namespace, name, uid))
                .map(half -> stored(half).orElseGet(() -> started(half)))
                .orElseGet(Map::of);
    }

    private Optional<FlinkDeployment> there(String namespace, String name, String uid) {
        return Optional.ofNullable(
                        client.resources(FlinkDeployment.class)
                                .inNamespace(namespace)
                                .withName(name)
                                .get())
                .filter(half -> half.getMetadata().getUid().equals(uid));
    }

    private Optional<Map<String, String>> stored(FlinkDeployment half) {
        return Optional.ofNullable(
                        client.configMaps()
                                .inNamespace(half.getMetadata().getNamespace())
                                .withName(AutoscalerOverrides.PREFIX + half.getMetadata().getName())
                                .get())
                .filter(map -> AutoscalerOverrides.isOf(half, map))
                .map(map -> AutoscalerOverrides.readable(map.getData()));
    }

    private static Map<String, String> started(FlinkDeployment half) {
        return StartOverrides.of(half, Optional.ofNullable(half.getStatus()));
    }
}
