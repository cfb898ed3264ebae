// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ComponentSpec;
import java.util.Optional;

/**
 * Pod templates: the common one, a component's own merged over it, and wherever the user has not
 * said otherwise what Pod Security {@code restricted} asks for.
 */
final class PodTemplates {
    static final String MAIN_CONTAINER = "flink-main-container";
    private static final int FLINK_USER = 9999;

    private PodTemplates() {}

    /** The JobManager's as a Pod; what the user wrote is left as it is. */
    static ObjectNode jobManager(ClusterPlan plan) {
        ObjectNode pod = of(plan, plan.spec().jobManager());
        StartupProbe.put(plan, main(pod));
        return pod;
    }

    /** Likewise the TaskManagers'. */
    static ObjectNode taskManager(ClusterPlan plan) {
        return of(plan, plan.spec().taskManager());
    }

    /** The container that Flink runs in, which a template made here always has. */
    static ObjectNode main(ObjectNode pod) {
        return mainContainer(objectAt(pod, "spec"));
    }

    private static ObjectNode of(ClusterPlan plan, ComponentSpec component) {
        ObjectNode pod = of(plan.spec().podTemplate(), component.podTemplate());
        OtherResources.put(component, main(pod));
        return pod;
    }

    private static ObjectNode of(Optional<ObjectNode> common, Optional<ObjectNode> own) {
        ObjectNode pod = JsonNodeFactory.instance.objectNode();
        common.ifPresent(template -> merge(pod, template));
        own.ifPresent(template -> merge(pod, template));
        pod.put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode spec = objectAt(pod, "spec");
        ObjectNode security = objectAt(spec, "securityContext");
        putIfAbsent(security, "runAsNonRoot", JsonNodeFactory.instance.booleanNode(true));
        putIfAbsent(security, "runAsUser", JsonNodeFactory.instance.numberNode(FLINK_USER));
        putIfAbsent(security, "fsGroup", JsonNodeFactory.instance.numberNode(FLINK_USER));
        putIfAbsent(
                security,
                "seccompProfile",
                JsonNodeFactory.instance.objectNode().put("type", "RuntimeDefault"));
        ObjectNode main = mainContainer(spec);
        // So that the kubelet hands over the end of the log of a container that failed.
        putIfAbsent(
                main,
                "terminationMessagePolicy",
                JsonNodeFactory.instance.textNode("FallbackToLogsOnError"));
        ObjectNode container = objectAt(main, "securityContext");
        putIfAbsent(
                container, "allowPrivilegeEscalation", JsonNodeFactory.instance.booleanNode(false));
        if (!container.hasNonNull("capabilities")) {
            container.putObject("capabilities").putArray("drop").add("ALL");
        }
        return pod;
    }

    private static ObjectNode mainContainer(ObjectNode spec) {
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

    private static ObjectNode objectAt(ObjectNode node, String name) {
        return node.get(name) instanceof ObjectNode object ? object : node.putObject(name);
    }

    private static void putIfAbsent(ObjectNode node, String name, JsonNode value) {
        if (!node.hasNonNull(name)) {
            node.set(name, value);
        }
    }
}
