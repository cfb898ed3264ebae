// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is rendered of one resource, in the order in which the operator creates it. */
record Manifests(List<ObjectNode> all) {
    Manifests {
        all = List.copyOf(all);
    }

    /**
     * Renders {@code input}.
     *
     * @throws IllegalArgumentException if Flink refuses the configuration; the message is Flink's
     */
    static Manifests of(RenderInput input) {
        return new Manifests(input.manifests());
    }

    /**
     * The roots of the paths, one for each manifest: its kind, and a number that counts manifests
     * of that kind. A root does not depend on the name, so that manifests of another name have the
     * same paths.
     */
    List<String> roots() {
        Map<String, Integer> before = new HashMap<>();
        List<String> roots = new ArrayList<>();
        for (ObjectNode manifest : all) {
            String kind = manifest.path("kind").asText();
            roots.add(kind + before.merge(kind, 1, Integer::sum));
        }
        return roots;
    }

    /** All values by path. */
    Map<String, JsonNode> leaves() {
        List<String> roots = roots();
        Map<String, JsonNode> leaves = new LinkedHashMap<>();
        for (int i = 0; i < roots.size(); i++) {
            leaves.putAll(Leaves.of(roots.get(i), Leaves.withOpenFiles(all.get(i))));
        }
        return leaves;
    }
}
