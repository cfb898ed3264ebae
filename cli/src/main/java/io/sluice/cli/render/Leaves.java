// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.render;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The values of a tree by their paths, such as {@code spec.containers[main].image}. */
final class Leaves {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String OWNERS = ".ownerReferences";

    private Leaves() {}

    /** By path, in the order in which they stand there; an empty object or list is a value. */
    static Map<String, JsonNode> of(String root, JsonNode tree) {
        Map<String, JsonNode> leaves = new LinkedHashMap<>();
        visit(root, tree, (_, path, value) -> leaves.put(path, value));
        return leaves;
    }

    /** Receives a value, with the JSON Pointer and the path that lead to it. */
    @FunctionalInterface
    interface Visitor {
        void visit(JsonPointer pointer, String path, JsonNode value);
    }

    /** Shows {@code visitor} each value, as {@link #of} has them. */
    static void visit(String root, JsonNode tree, Visitor visitor) {
        visit(JsonPointer.empty(), root, tree, visitor);
    }

    private static void visit(JsonPointer at, String path, JsonNode node, Visitor visitor) {
        switch (node) {
            case ObjectNode object when !object.isEmpty() ->
                    object.properties()
                            .forEach(
                                    each ->
                                            visit(
                                                    at.appendProperty(each.getKey()),
                                                    field(path, each.getKey()),
                                                    each.getValue(),
                                                    visitor));
            case ArrayNode list when !list.isEmpty() -> {
                List<String> paths = elements(path, list);
                for (int i = 0; i < paths.size(); i++) {
                    visit(at.appendIndex(i), paths.get(i), list.get(i), visitor);
                }
            }
            default -> visitor.visit(at, path, node);
        }
    }

    /** The path of a field below {@code path}. */
    static String field(String path, String name) {
        if (name.indexOf('.') >= 0 || name.indexOf('/') >= 0) {
            return path + "[" + name + "]";
        }
        return path + "." + name;
    }

    /**
     * The paths of a list's elements. They are told apart by their names where all have one of
     * their own, so that one more moves none of the others, else by their places. An owner's name
     * is the resource's, which is one of the values to be told apart.
     */
    static List<String> elements(String path, ArrayNode list) {
        List<String> names =
                list.valueStream()
                        .map(each -> each.path("name").asText(""))
                        .filter(name -> !name.isEmpty())
                        .distinct()
                        .toList();
        boolean byName = names.size() == list.size() && !path.endsWith(OWNERS);
        return IntStream.range(0, list.size())
                .mapToObj(i -> byName ? names.get(i) : String.valueOf(i))
                .map(name -> path + "[" + name + "]")
                .toList();
    }

    /**
     * A copy of a manifest that has what is inside the files of a ConfigMap in their place, as far
     * as it is YAML.
     */
    static ObjectNode withOpenFiles(ObjectNode manifest) {
        ObjectNode open = manifest.deepCopy();
        if (open.path("kind").asText().equals("ConfigMap")
                && open.path("data") instanceof ObjectNode data) {
            data.properties().forEach(each -> each.setValue(opened(each.getValue())));
        }
        return open;
    }

    private static JsonNode opened(JsonNode file) {
        try {
            return YAML.readTree(file.asText()) instanceof ObjectNode inside ? inside : file;
        } catch (JsonProcessingException notYaml) {
            return file;
        }
    }
}
