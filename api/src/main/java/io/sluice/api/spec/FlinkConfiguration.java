// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code spec.flinkConfiguration} in its one canonical form. Users write it flat ({@code a.b: 1})
 * or nested ({@code a: {b: 1}}); both read the same: nested keys joined by dots, lists joined by
 * {@code ;}, every value a string, nulls left out.
 */
public record FlinkConfiguration(Map<String, String> entries) {
    public static final FlinkConfiguration EMPTY = new FlinkConfiguration(Map.of());

    public FlinkConfiguration {
        entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    /** The options in {@code name}, flat or nested; empty if there are none. */
    static FlinkConfiguration read(Fields fields, String name) {
        return fields.raw(name).map(FlinkConfiguration::of).orElse(EMPTY);
    }

    public static FlinkConfiguration of(JsonNode node) {
        Map<String, String> entries = new HashMap<>();
        flatten("", node, entries);
        return new FlinkConfiguration(entries);
    }

    public Optional<String> get(String key) {
        return Optional.ofNullable(entries.get(key));
    }

    /** This configuration with {@code overrides} on top; an override wins. */
    public FlinkConfiguration with(FlinkConfiguration overrides) {
        Map<String, String> merged = new HashMap<>(entries);
        merged.putAll(overrides.entries);
        return new FlinkConfiguration(merged);
    }

    /** Writes an entry into {@code spec.flinkConfiguration}, in place of however it was written. */
    public static void put(ObjectNode node, String key, String value) {
        remove(node, key);
        node.put(key, value);
    }

    /** Takes an entry out of {@code spec.flinkConfiguration}, flat or nested. */
    public static void remove(ObjectNode node, String key) {
        node.remove(key);
        for (int dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
            if (node.get(key.substring(0, dot)) instanceof ObjectNode below) {
                remove(below, key.substring(dot + 1));
            }
        }
    }

    private static void flatten(String prefix, JsonNode node, Map<String, String> into) {
        if (node.isObject()) {
            node.properties()
                    .forEach(
                            entry ->
                                    flatten(
                                            prefix.isEmpty()
                                                    ? entry.getKey()
                                                    : prefix + "." + entry.getKey(),
                                            entry.getValue(),
                                            into));
        } else if (node.isArray()) {
            List<String> elements = new ArrayList<>();
            node.forEach(element -> elements.add(text(element)));
            into.put(prefix, String.join(";", elements));
        } else if (!node.isNull() && !node.isMissingNode() && !prefix.isEmpty()) {
            into.put(prefix, text(node));
        }
    }

    private static String text(JsonNode node) {
        return node.isValueNode() ? node.asText() : node.toString();
    }
}
