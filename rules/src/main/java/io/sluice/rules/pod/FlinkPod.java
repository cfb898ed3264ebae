// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * The template of a component's pods as it takes effect: the common one, the component's own merged
 * over it, and what is filled in where neither says anything. Rules look at it, and the operator
 * renders it.
 */
public final class FlinkPod {
    public static final String MAIN_CONTAINER = "flink-main-container";

    private FlinkPod() {}

    /**
     * The template, which always has the container that Flink runs in; the two stay as they are.
     */
    public static ObjectNode of(
            Optional<ObjectNode> common, Optional<ObjectNode> own, FillIn fillIn) {
        ObjectNode pod = JsonNodeFactory.instance.objectNode();
        common.ifPresent(template -> merge(pod, template));
        own.ifPresent(template -> merge(pod, template));
        pod.put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode main = main(pod);
        // So that the kubelet hands over the end of the log of a container that failed.
        putIfAbsent(
                main,
                "terminationMessagePolicy",
                JsonNodeFactory.instance.textNode("FallbackToLogsOnError"));
        fillIn.into(objectAt(pod, "spec"), main);
        return pod;
    }

    /** The container of {@code pod} that Flink runs in; it is added if it is not there. */
    public static ObjectNode main(ObjectNode pod) {
        ObjectNode spec = objectAt(pod, "spec");
        ArrayNode containers =
                spec.get("containers") instanceof ArrayNode list
                        ? list
                        : spec.putArray("containers");
        for (JsonNode container : containers) {
            if (container instanceof ObjectNode object
                    && object.path("name").asText().equals(MAIN_CONTAINER)) {
                return object;
            }
        }
        return containers.addObject().put("name", MAIN_CONTAINER);
    }

    /**
     * Objects are merged by field, lists whose elements have a name by that name, everything else
     * is replaced.
     */
    private static void merge(ObjectNode into, ObjectNode from) {
        from.properties()
                .forEach(
                        entry -> {
                            JsonNode before = into.get(entry.getKey());
                            JsonNode after = entry.getValue();
                            if (before instanceof ObjectNode target
                                    && after instanceof ObjectNode source) {
                                merge(target, source);
                            } else if (before instanceof ArrayNode target
                                    && after instanceof ArrayNode source
                                    && isNamed(target)
                                    && isNamed(source)) {
                                mergeByName(target, source);
                            } else {
                                into.set(entry.getKey(), after.deepCopy());
                            }
                        });
    }

    private static boolean isNamed(ArrayNode list) {
        for (JsonNode element : list) {
            if (!element.path("name").isTextual()) {
                return false;
            }
        }
        return true;
    }

    private static void mergeByName(ArrayNode into, ArrayNode from) {
        for (JsonNode element : from) {
            named(into, element.path("name").asText())
                    .ifPresentOrElse(
                            target -> merge(target, (ObjectNode) element),
                            () -> into.add(element.deepCopy()));
        }
    }

    private static Optional<ObjectNode> named(ArrayNode list, String name) {
        for (JsonNode element : list) {
            if (element instanceof ObjectNode object && object.path("name").asText().equals(name)) {
                return Optional.of(object);
            }
        }
        return Optional.empty();
    }

    static ObjectNode objectAt(ObjectNode node, String name) {
        return node.get(name) instanceof ObjectNode object ? object : node.putObject(name);
    }

    /** To the API server null is as good as nothing. */
    static void putIfAbsent(ObjectNode node, String name, JsonNode value) {
        if (!node.hasNonNull(name)) {
            node.set(name, value);
        }
    }
}
