// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.operator.deployment.simulation.hands.MetadataRecords;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** ConfigMaps with Flink's metadata of one cluster, which no owner takes along. */
public final class MetadataMaps implements MetadataRecords {
    private final SimulatedNode.World world;
    private final String cluster;

    public MetadataMaps(SimulatedNode.World world, String cluster) {
        this.world = world;
        this.cluster = cluster;
    }

    private String map(String name) {
        return cluster + "-" + name + "-config-map";
    }

    @Override
    public Map<String, String> read(String name) {
        return find(name)
                .flatMap(it -> Optional.ofNullable(it.getData()))
                .<Map<String, String>>map(TreeMap::new)
                .orElseGet(Map::of);
    }

    private Optional<ConfigMap> find(String name) {
        return world.api().find(ConfigMap.class, world.namespace(), map(name));
    }

    @Override
    public void create(String name) {
        if (!world.isNamespaceEnding()) {
            world.quietly(
                    () ->
                            find(name)
                                    .orElseGet(
                                            () -> world.client().resource(empty(name)).create()));
        }
    }

    private ConfigMap empty(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(world.namespace())
                .withName(map(name))
                .addToLabels("app", cluster)
                .addToLabels("type", "flink-native-kubernetes")
                .endMetadata()
                .build();
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    @Override
    public boolean change(String name, Map<String, Optional<String>> values) {
        String fields =
                String.join(
                        ",",
                        values.entrySet().stream()
                                .map(
                                        each ->
                                                quoted(each.getKey())
                                                        + ":"
                                                        + each.getValue()
                                                                .map(MetadataMaps::quoted)
                                                                .orElse("null"))
                                .toList());
        return world.api()
                .patch(empty(name), "", PatchType.JSON_MERGE, "{\"data\":{" + fields + "}}");
    }

    @Override
    public void delete(String name) {
        world.api().delete(empty(name), Optional.empty());
    }
}
