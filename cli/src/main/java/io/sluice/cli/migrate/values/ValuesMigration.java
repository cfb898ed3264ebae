// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate.values;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.document.Document;
import io.sluice.cli.migrate.values.Migration.ValueNote;
import io.sluice.rules.config.ConfigurationReview;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides for each value of the Apache operator's chart what becomes of it. */
final class ValuesMigration {
    private static final String CONFIGURATION = "defaultConfiguration";
    private static final String OLDER = "flink-conf.yaml";
    private static final String NEWER = "config.yaml";

    private final Document document;
    private final ObjectNode values = JsonNodeFactory.instance.objectNode();
    private final List<ValueNote> open = new ArrayList<>();
    private final List<ValueNote> check = new ArrayList<>();
    private final List<ValueNote> kept = new ArrayList<>();

    private ValuesMigration(Document document) {
        this.document = document;
    }

    static Migration of(Document document) {
        var migration = new ValuesMigration(document);
        migration.look("", document.content());
        migration.configuration();
        return new Migration(migration.values, migration.open, migration.check, migration.kept);
    }

    private void look(String above, JsonNode values) {
        for (var field : values.properties()) {
            String path = above.isEmpty() ? field.getKey() : above + "." + field.getKey();
            JsonNode value = field.getValue();
            if (value.isObject() && ApacheValues.isDivided(path)) {
                look(path, value);
            } else if (!isEmpty(value) && !means(path, value, values)) {
                decide(path, value);
            }
        }
    }

    /** An empty value says nothing, and neither does a file of comments. */
    private static boolean isEmpty(JsonNode value) {
        return value.isNull()
                || (value.isContainerNode() && value.isEmpty())
                || (value.isTextual()
                        && value.textValue()
                                .lines()
                                .map(String::strip)
                                .allMatch(line -> line.isEmpty() || line.startsWith("#")));
    }

    /** Whether our chart does anyway what the value asks for, or nothing asks for the value. */
    private static boolean means(String path, JsonNode value, JsonNode beside) {
        return ApacheValues.hint(path)
                .filter(
                        hint ->
                                hint.fine().contains(value.asText())
                                        || (!hint.unless().isEmpty()
                                                && !beside.path(hint.unless()).asBoolean(false)))
                .isPresent();
    }

    private void decide(String path, JsonNode value) {
        Optional<ApacheValues.Move> move = ApacheValues.move(path);
        if (move.filter(each -> each.isKept(value.asText())).isPresent()) {
            note(kept, path, hint(path, "Sluice sets it itself"));
        } else if (move.filter(each -> !each.to().isEmpty()).isPresent()) {
            move(path, value, move.get());
        } else {
            around(path)
                    .ifPresentOrElse(
                            target -> put(path, target, value),
                            () ->
                                    note(
                                            open,
                                            path,
                                            hint(
                                                    path,
                                                    "is no value of the Apache operator's chart")));
        }
    }

    private static String hint(String path, String otherwise) {
        return ApacheValues.hint(path)
                .map(ApacheValues.Hint::use)
                .map(use -> use.startsWith("nothing") ? use : "use " + use)
                .orElse(otherwise);
    }

    /** Where a value goes because of the value around it, such as a field of a security context. */
    private static Optional<List<String>> around(String path) {
        int dot = path.lastIndexOf('.');
        return ApacheValues.move(path.substring(0, Math.max(0, dot)))
                .filter(move -> move.to().size() == 1)
                .map(
                        move -> {
                            List<String> target = new ArrayList<>(move.to().getFirst());
                            target.add(path.substring(dot + 1));
                            return target;
                        });
    }

    private void move(String path, JsonNode value, ApacheValues.Move move) {
        for (List<String> target : move.to()) {
            put(path, target, move.variable().isEmpty() ? value : variable(move, value));
        }
        if (!move.check().isEmpty()) {
            note(check, path, "check " + move.check());
        }
    }

    private static JsonNode variable(ApacheValues.Move move, JsonNode value) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        list.addObject().put("name", move.variable()).put("value", value.asText());
        return list;
    }

    private void put(String path, List<String> target, JsonNode value) {
        ObjectNode parent = values;
        for (String key : target.subList(0, target.size() - 1)) {
            parent = parent.withObjectProperty(key);
        }
        JsonNode before = parent.path(target.getLast());
        if (before instanceof ArrayNode list && value instanceof ArrayNode more) {
            more.forEach(each -> add(path, target, list, each));
        } else if (before.isMissingNode()) {
            parent.set(target.getLast(), value.deepCopy());
        } else if (!before.equals(value)) {
            note(
                    open,
                    path,
                    String.join(".", target) + " has another value already; choose one of them");
        }
    }

    /** A list has an entry once, and no second one of the same name. */
    private void add(String path, List<String> target, ArrayNode list, JsonNode entry) {
        for (JsonNode other : list) {
            if (other.equals(entry)) {
                return;
            }
            if (entry.hasNonNull("name") && entry.get("name").equals(other.get("name"))) {
                note(
                        open,
                        path,
                        String.join(".", target)
                                + " has another '"
                                + entry.path("name").asText()
                                + "' already; choose one of them");
                return;
            }
        }
        list.add(entry.deepCopy());
    }

    /** The configuration is read as the processes read it, so that they do not refuse it later. */
    private void configuration() {
        JsonNode moved = values.path(CONFIGURATION);
        if (moved.has(OLDER) && moved.has(NEWER)) {
            note(
                    open,
                    CONFIGURATION + "." + NEWER,
                    "only one of it and " + OLDER + " is read; write all entries into one of them");
        }
        for (String file : List.of(OLDER, NEWER)) {
            String text = moved.path(file).asText("");
            if (!text.isEmpty()) {
                String path = CONFIGURATION + "." + file;
                try {
                    var review = ConfigurationReview.of(ConfigurationText.read(file, text));
                    review.errors().forEach(error -> note(open, path, error));
                    review.warnings().forEach(warning -> note(check, path, warning));
                } catch (IllegalArgumentException notYaml) {
                    note(open, path, "cannot be read; write 'key: value' lines");
                }
            }
        }
    }

    private void note(List<ValueNote> remarks, String path, String text) {
        remarks.add(new ValueNote(path, document.position(path).line(), text));
    }
}
