// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Flink renders two ConfigMaps of files for the JobManager: its configuration, and the template of
 * its TaskManagers' pods. Both are mounted file by file, so that one can hold them all: a request
 * less for each start.
 */
final class SingleConfigMap {
    private SingleConfigMap() {}

    /** The same manifests with the first ConfigMap for all of them, as the last. */
    static List<HasMetadata> of(List<HasMetadata> manifests) {
        List<ConfigMap> maps =
                manifests.stream()
                        .filter(ConfigMap.class::isInstance)
                        .map(ConfigMap.class::cast)
                        .toList();
        if (maps.size() < 2) {
            return List.copyOf(manifests);
        }
        Map<String, String> files = new LinkedHashMap<>();
        maps.forEach(map -> files.putAll(map.getData()));
        ConfigMap all = new ConfigMapBuilder(maps.getFirst()).withData(files).build();
        List<HasMetadata> fewer = new ArrayList<>(manifests);
        fewer.removeIf(ConfigMap.class::isInstance);
        fewer.add(all);
        if (fewer.getFirst() instanceof Deployment jobManager) {
            jobManager
                    .getSpec()
                    .getTemplate()
                    .getSpec()
                    .getVolumes()
                    .forEach(volume -> mount(volume, maps, all.getMetadata().getName()));
        }
        return List.copyOf(fewer);
    }

    private static void mount(Volume volume, List<ConfigMap> former, String name) {
        boolean isOfOurs =
                volume.getConfigMap() != null
                        && former.stream()
                                .anyMatch(
                                        map ->
                                                map.getMetadata()
                                                        .getName()
                                                        .equals(volume.getConfigMap().getName()));
        if (isOfOurs) {
            volume.getConfigMap().setName(name);
        }
    }
}
