// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.testkit.apiserver.fields.FieldSets;
import io.sluice.testkit.apiserver.fields.ManagedFields;
import java.util.List;

/**
 * Server-side apply: the manager says all that it wants of an object. What it wanted before and
 * does not want any more goes, unless somebody else wants it too.
 */
final class Apply {
    private Apply() {}

    /**
     * The object as it is to be then, without {@code managedFields}.
     *
     * @param live an object without fields if there is none
     * @param force whether fields of others are taken over
     * @throws ApiRefusal if others own fields that would change
     */
    static ObjectNode merge(
            ApiCall call,
            JsonNode live,
            ObjectNode applied,
            ManagedFields.Writer writer,
            boolean force) {
        ObjectNode wanted = fields(applied, writer);
        ObjectNode others = ManagedFields.ofOthers(live, writer);
        boolean ofStatus = writer.subresource().equals("status");
        ObjectNode clashes = FieldSets.both(others, FieldSets.changed(live, applied, ofStatus));
        if (!clashes.isEmpty() && !force) {
            throw conflict(call, ManagedFields.owners(live, writer, clashes));
        }
        ObjectNode merged = ((ObjectNode) live).deepCopy();
        ObjectNode given =
                FieldSets.without(
                        FieldSets.without(ManagedFields.owned(live, writer), wanted), others);
        FieldSets.remove(given, merged);
        merge(merged, applied);
        return merged;
    }

    /** All that a configuration says. */
    static ObjectNode fields(ObjectNode applied, ManagedFields.Writer writer) {
        return FieldSets.changed(
                JsonNodeFactory.instance.objectNode(),
                applied,
                writer.subresource().equals("status"));
    }

    private static void merge(ObjectNode into, JsonNode applied) {
        applied.properties()
                .forEach(
                        each -> {
                            String name = each.getKey();
                            JsonNode value = each.getValue();
                            if (value.isObject() && into.get(name) instanceof ObjectNode had) {
                                merge(had, value);
                            } else if (isOfElements(name)
                                    && into.get(name) instanceof ArrayNode had) {
                                value.forEach(element -> put(had, element));
                            } else {
                                into.set(name, value.deepCopy());
                            }
                        });
    }

    private static boolean isOfElements(String name) {
        return name.equals("finalizers") || name.equals("ownerReferences");
    }

    private static void put(ArrayNode list, JsonNode element) {
        for (int i = 0; i < list.size(); i++) {
            if (FieldSets.areSame(list.get(i), element)) {
                list.set(i, element);
                return;
            }
        }
        list.add(element);
    }

    private static ApiRefusal conflict(ApiCall call, List<String> owners) {
        String why = "conflict with " + String.join(", ", owners.stream().distinct().toList());
        return new ApiRefusal(
                        409,
                        "Conflict",
                        "Apply failed with %d conflict: %s".formatted(owners.size(), why))
                .because("FieldManagerConflict", why, call.key());
    }
}
