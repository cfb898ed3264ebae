// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Sets of fields in the form of {@code managedFields} (FieldsV1): {@code f:} before the name of a
 * field, {@code v:} before a finalizer, {@code k:} before the key of an owner reference. All other
 * lists are owned as a whole.
 */
public final class FieldSets {
    private static final List<String> OWNED_METADATA =
            List.of("labels", "annotations", "finalizers", "ownerReferences");
    private static final JsonNode ABSENT = JsonNodeFactory.instance.missingNode();

    private FieldSets() {}

    /**
     * The fields of {@code after} that are not as they are in {@code before}; all of them if that
     * is empty.
     *
     * @param withStatus whether the status is looked at, or all but the status
     */
    public static ObjectNode changed(JsonNode before, JsonNode after, boolean withStatus) {
        ObjectNode set = JsonNodeFactory.instance.objectNode();
        if (withStatus) {
            field("status", before.path("status"), after.path("status"), set);
            return set;
        }
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        for (String name : OWNED_METADATA) {
            JsonNode was = before.path("metadata").path(name);
            JsonNode is = after.path("metadata").path(name);
            if (is.isArray()) {
                elements(was, is, metadata, "f:" + name);
            } else {
                field(name, was, is, metadata);
            }
        }
        if (!metadata.isEmpty()) {
            set.set("f:metadata", metadata);
        }
        for (Map.Entry<String, JsonNode> each : after.properties()) {
            if (!List.of("apiVersion", "kind", "metadata", "status").contains(each.getKey())) {
                field(each.getKey(), before.path(each.getKey()), each.getValue(), set);
            }
        }
        return set;
    }

    private static void field(String name, JsonNode before, JsonNode after, ObjectNode into) {
        if (after.isMissingNode() || after.equals(before)) {
            return;
        }
        ObjectNode inner = JsonNodeFactory.instance.objectNode();
        if (after.isObject()) {
            after.properties()
                    .forEach(
                            each ->
                                    field(
                                            each.getKey(),
                                            before.path(each.getKey()),
                                            each.getValue(),
                                            inner));
            if (inner.isEmpty() && !after.isEmpty()) {
                return;
            }
        }
        into.set("f:" + name, inner);
    }

    /** Of a list of finalizers or owner references. */
    private static void elements(JsonNode before, JsonNode after, ObjectNode into, String name) {
        ObjectNode inner = JsonNodeFactory.instance.objectNode();
        for (JsonNode element : after) {
            if (!element.equals(sameElement(before, element))) {
                inner.putObject(elementName(element));
            }
        }
        if (!inner.isEmpty()) {
            into.set(name, inner);
        }
    }

    /** Whether two elements of such a list are about the same, whatever else they say. */
    public static boolean areSame(JsonNode one, JsonNode other) {
        return elementName(one).equals(elementName(other));
    }

    /** Missing if there is none. */
    private static JsonNode sameElement(JsonNode list, JsonNode element) {
        for (JsonNode each : list) {
            if (areSame(each, element)) {
                return each;
            }
        }
        return ABSENT;
    }

    private static String elementName(JsonNode element) {
        return element.isObject() ? "k:{\"uid\":" + element.path("uid") + "}" : "v:" + element;
    }

    /** The fields of {@code set} that are not in {@code other}. */
    public static ObjectNode without(ObjectNode set, JsonNode other) {
        ObjectNode left = JsonNodeFactory.instance.objectNode();
        set.properties()
                .forEach(
                        each -> {
                            JsonNode taken = other.path(each.getKey());
                            if (taken.isMissingNode()) {
                                left.set(each.getKey(), each.getValue());
                            } else if (!each.getValue().isEmpty() && !taken.isEmpty()) {
                                ObjectNode inner = without((ObjectNode) each.getValue(), taken);
                                if (!inner.isEmpty()) {
                                    left.set(each.getKey(), inner);
                                }
                            }
                        });
        return left;
    }

    public static ObjectNode both(ObjectNode set, ObjectNode other) {
        return without(set, without(set, other));
    }

    public static ObjectNode union(ObjectNode set, ObjectNode other) {
        ObjectNode all = set.deepCopy();
        other.properties()
                .forEach(
                        each -> {
                            if (all.get(each.getKey()) instanceof ObjectNode had) {
                                all.set(each.getKey(), union(had, (ObjectNode) each.getValue()));
                            } else {
                                all.set(each.getKey(), each.getValue());
                            }
                        });
        return all;
    }

    /** Without the fields that an object does not have. */
    public static ObjectNode present(ObjectNode set, JsonNode object) {
        ObjectNode left = JsonNodeFactory.instance.objectNode();
        set.properties()
                .forEach(
                        each -> {
                            JsonNode value = value(object, each.getKey());
                            if (value.isMissingNode()) {
                                return;
                            }
                            ObjectNode inner = (ObjectNode) each.getValue();
                            ObjectNode kept = inner.isEmpty() ? inner : present(inner, value);
                            if (inner.isEmpty() || !kept.isEmpty()) {
                                left.set(each.getKey(), kept);
                            }
                        });
        return left;
    }

    private static JsonNode value(JsonNode object, String name) {
        if (name.startsWith("f:")) {
            return object.path(name.substring(2));
        }
        for (JsonNode element : object) {
            if (elementName(element).equals(name)) {
                return element;
            }
        }
        return ABSENT;
    }

    /** Removes these fields from an object. */
    public static void remove(ObjectNode set, JsonNode from) {
        for (Map.Entry<String, JsonNode> each : set.properties()) {
            String name = each.getKey();
            if (!each.getValue().isEmpty()) {
                remove((ObjectNode) each.getValue(), value(from, name));
            } else if (name.startsWith("f:") && from instanceof ObjectNode object) {
                object.remove(name.substring(2));
            } else if (!name.startsWith("f:")) {
                removeElement(from, name);
            }
        }
    }

    private static void removeElement(JsonNode list, String name) {
        for (Iterator<JsonNode> each = list.iterator(); each.hasNext(); ) {
            if (elementName(each.next()).equals(name)) {
                each.remove();
            }
        }
    }
}
