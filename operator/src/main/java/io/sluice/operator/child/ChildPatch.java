// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.child;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A change of a child as JSON Patch (RFC 6902), which can say what it must be true of: the object
 * of one uid, or of one resource version. It sets each field that is wanted, by the grain of {@link
 * #fields}, and leaves those of others alone.
 */
final class ChildPatch {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String VERSION = "/metadata/resourceVersion";
    private static final String LABELS = "/metadata/labels/";
    private static final String ANNOTATIONS = "/metadata/annotations/";
    private static final String SPEC = "/spec/";
    private static final String DATA = "/data";

    private final ArrayNode operations = JsonNodeFactory.instance.arrayNode();

    private ChildPatch() {}

    /**
     * Of an object that has all the wanted fields, and no more that were ours, as it was written:
     * the API server refuses it if there is another object by now, or it was changed since.
     */
    static String ofVersion(WrittenObjects.Version before, HasMetadata wanted) {
        var patch = new ChildPatch();
        patch.put("test", "/metadata/uid", JsonNodeFactory.instance.textNode(before.uid()));
        patch.put("replace", VERSION, JsonNodeFactory.instance.textNode(before.resourceVersion()));
        fields(wanted).forEach((pointer, value) -> patch.put("add", pointer, value));
        return patch.operations.toString();
    }

    /**
     * Of what was found, as it was found: the API server refuses it with a conflict if the object
     * was changed since. What belongs to nobody belongs to the owners that are wanted from then on.
     *
     * @param manager whose fields go if they are not wanted any more
     */
    static String ofFound(HasMetadata found, HasMetadata wanted, String manager) {
        var patch = new ChildPatch();
        ObjectNode standing = JSON.valueToTree(found);
        patch.put("replace", VERSION, standing.at(VERSION));
        Map<String, JsonNode> fields = fields(wanted);
        Set<String> unwanted = managed(found, manager);
        unwanted.removeAll(fields.keySet());
        unwanted.removeIf(pointer -> standing.at(pointer).isMissingNode());
        unwanted.forEach(patch::remove);
        if (found.getMetadata().getOwnerReferences().isEmpty()) {
            patch.put(
                    "add",
                    "/metadata/ownerReferences",
                    JSON.valueToTree(wanted.getMetadata().getOwnerReferences()));
        }
        fields.keySet().stream()
                .map(ChildPatch::parent)
                .filter(pointer -> !standing.at(pointer).isObject())
                .distinct()
                .forEach(
                        pointer ->
                                patch.put("add", pointer, JsonNodeFactory.instance.objectNode()));
        fields.forEach((pointer, value) -> patch.put("add", pointer, value));
        return patch.operations.toString();
    }

    /**
     * What of a manifest is set, by JSON pointer: each label, each annotation, each field of the
     * spec, all data.
     */
    static Map<String, JsonNode> fields(HasMetadata manifest) {
        ObjectNode tree = JSON.valueToTree(manifest);
        Map<String, JsonNode> fields = new TreeMap<>(Comparator.naturalOrder());
        each(tree.at("/metadata/labels"), LABELS, fields);
        each(tree.at("/metadata/annotations"), ANNOTATIONS, fields);
        each(tree.path("spec"), SPEC, fields);
        Optional.ofNullable(tree.get("data")).ifPresent(data -> fields.put(DATA, data));
        return fields;
    }

    private static void each(JsonNode parent, String pointer, Map<String, JsonNode> into) {
        parent.properties()
                .forEach(field -> into.put(pointer + escaped(field.getKey()), field.getValue()));
    }

    /** What {@code manager} set of an object, of the same grain as {@link #fields}. */
    private static Set<String> managed(HasMetadata found, String manager) {
        Set<String> pointers = new TreeSet<>();
        for (ManagedFieldsEntry entry : found.getMetadata().getManagedFields()) {
            if (manager.equals(entry.getManager())
                    && entry.getSubresource() == null
                    && entry.getFieldsV1() != null) {
                JsonNode set = JSON.valueToTree(entry.getFieldsV1());
                managed(set.at("/f:metadata/f:labels"), LABELS, pointers);
                managed(set.at("/f:metadata/f:annotations"), ANNOTATIONS, pointers);
                managed(set.path("f:spec"), SPEC, pointers);
            }
        }
        return pointers;
    }

    private static void managed(JsonNode set, String pointer, Set<String> into) {
        set.properties().stream()
                .map(Map.Entry::getKey)
                .filter(key -> key.startsWith("f:"))
                .forEach(key -> into.add(pointer + escaped(key.substring(2))));
    }

    private static String parent(String pointer) {
        int last = pointer.lastIndexOf('/');
        return last == 0 ? "" : pointer.substring(0, last);
    }

    private static String escaped(String key) {
        return key.replace("~", "~0").replace("/", "~1");
    }

    private void put(String operation, String pointer, JsonNode value) {
        operations.addObject().put("op", operation).put("path", pointer).set("value", value);
    }

    private void remove(String pointer) {
        operations.addObject().put("op", "remove").put("path", pointer);
    }
}
