// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.hands;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A ZooKeeper that several Flinks share, and that the operator does not read. */
public final class ZooKeeper {
    private final Map<String, Map<String, String>> nodes = new TreeMap<>();

    /** What a Flink keeps below a node of its own. */
    public MetadataRecords below(String root) {
        return new MetadataRecords() {
            private String path(String name) {
                return root + "/" + name;
            }

            @Override
            public Map<String, String> read(String name) {
                return new TreeMap<>(nodes.getOrDefault(path(name), Map.of()));
            }

            @Override
            public void create(String name) {
                nodes.putIfAbsent(path(name), new TreeMap<>());
            }

            @Override
            public boolean change(String name, Map<String, Optional<String>> values) {
                Optional<Map<String, String>> node = Optional.ofNullable(nodes.get(path(name)));
                node.ifPresent(
                        there ->
                                values.forEach(
                                        (key, value) ->
                                                value.ifPresentOrElse(
                                                        it -> there.put(key, it),
                                                        () -> there.remove(key))));
                return node.isPresent();
            }

            @Override
            public void delete(String name) {
                nodes.remove(path(name));
            }
        };
    }
}
