// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Who set which field, which the API server keeps in {@code metadata.managedFields}. */
public final class ManagedFields {
    /**
     * Who wrote, and how.
     *
     * @param operation {@code Apply} or {@code Update}
     * @param subresource empty of the object itself
     */
    public record Writer(String manager, String operation, String subresource, String apiVersion) {
        private boolean owns(JsonNode entry) {
            return entry.path("manager").asText().equals(manager)
                    && entry.path("operation").asText().equals(operation)
                    && entry.path("subresource").asText("").equals(subresource);
        }
    }

    private ManagedFields() {}

    /**
     * Notes in {@code after} who has changed what.
     *
     * @param before an object without fields if it is created
     * @param time as Kubernetes writes it
     */
    public static void update(JsonNode before, ObjectNode after, Writer writer, String time) {
        boolean ofStatus = writer.subresource().equals("status");
        write(before, after, writer, FieldSets.changed(before, after, ofStatus), false, time);
    }

    /**
     * @param set what the writer has set
     * @param only whether it owns nothing else from now on
     */
    public static void write(
            JsonNode before,
            ObjectNode after,
            Writer writer,
            ObjectNode set,
            boolean only,
            String time) {
        ArrayNode entries = JsonNodeFactory.instance.arrayNode();
        boolean found = false;
        for (JsonNode entry : before.path("metadata").path("managedFields")) {
            ObjectNode fields = (ObjectNode) entry.path("fieldsV1");
            if (writer.owns(entry)) {
                found = true;
                ObjectNode all = only ? set : FieldSets.union(fields, set);
                add(entries, entry, FieldSets.present(all, after), time);
            } else {
                ObjectNode left =
                        only
                                ? FieldSets.without(
                                        fields,
                                        differing(FieldSets.both(fields, set), before, after))
                                : FieldSets.without(fields, set);
                add(entries, entry, FieldSets.present(left, after), "");
            }
        }
        if (!found && !set.isEmpty()) {
            entries.add(entry(writer, set, time));
        }
        ObjectNode metadata = after.withObject("/metadata");
        if (entries.isEmpty()) {
            metadata.remove("managedFields");
        } else {
            metadata.set("managedFields", entries);
        }
    }

    /** Those fields of {@code set} whose values differ. */
    private static ObjectNode differing(ObjectNode set, JsonNode before, JsonNode after) {
        return FieldSets.both(
                set,
                FieldSets.union(
                        FieldSets.changed(before, after, false),
                        FieldSets.changed(before, after, true)));
    }

    private static void add(ArrayNode entries, JsonNode entry, ObjectNode fields, String time) {
        if (!fields.isEmpty()) {
            ObjectNode kept = ((ObjectNode) entry).deepCopy();
            kept.set("fieldsV1", fields);
            if (!time.isEmpty() && !fields.equals(entry.path("fieldsV1"))) {
                kept.put("time", time);
            }
            entries.add(kept);
        }
    }

    private static ObjectNode entry(Writer writer, ObjectNode set, String time) {
        ObjectNode entry =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("manager", writer.manager())
                        .put("operation", writer.operation())
                        .put("apiVersion", writer.apiVersion())
                        .put("time", time)
                        .put("fieldsType", "FieldsV1");
        entry.set("fieldsV1", set);
        if (!writer.subresource().isEmpty()) {
            entry.put("subresource", writer.subresource());
        }
        return entry;
    }

    /** What the writer owns of an object. */
    public static ObjectNode owned(JsonNode object, Writer writer) {
        for (JsonNode entry : object.path("metadata").path("managedFields")) {
            if (writer.owns(entry)) {
                return (ObjectNode) entry.path("fieldsV1");
            }
        }
        return JsonNodeFactory.instance.objectNode();
    }

    /** What others own of an object. */
    public static ObjectNode ofOthers(JsonNode object, Writer writer) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        for (JsonNode entry : object.path("metadata").path("managedFields")) {
            if (!writer.owns(entry)) {
                all = FieldSets.union(all, (ObjectNode) entry.path("fieldsV1"));
            }
        }
        return all;
    }

    /** The names of those others that own a field of {@code set}. */
    public static List<String> owners(JsonNode object, Writer writer, ObjectNode set) {
        List<String> names = new ArrayList<>();
        for (JsonNode entry : object.path("metadata").path("managedFields")) {
            if (!writer.owns(entry)
                    && !FieldSets.both((ObjectNode) entry.path("fieldsV1"), set).isEmpty()) {
                names.add(entry.path("manager").asText());
            }
        }
        return names;
    }
}
