// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Label and field selectors of a list or a watch. */
record Selector(List<Predicate<StoredObject>> requirements) implements Predicate<StoredObject> {
    private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");
    private static final Pattern IN =
            Pattern.compile("(?<key>\\S+) +(?<op>in|notin) +\\((?<values>[^)]*)\\)");
    private static final Pattern EQUALS =
            Pattern.compile("(?<key>[^=!]+)(?<op>==|=|!=)(?<value>.*)");
    private static final Set<String> OF_EVENTS =
            Set.of(
                    "involvedObject.kind",
                    "involvedObject.namespace",
                    "involvedObject.name",
                    "involvedObject.uid",
                    "reason",
                    "type");
    private static final Set<String> OF_PODS = Set.of("spec.nodeName", "status.phase");

    static Selector of(ApiCall call) {
        Stream<Predicate<StoredObject>> labels =
                parts(call, "labelSelector").map(Selector::ofLabel);
        Stream<Predicate<StoredObject>> fields =
                parts(call, "fieldSelector").map(part -> ofField(call.type(), part));
        return new Selector(Stream.concat(labels, fields).toList());
    }

    private static Stream<String> parts(ApiCall call, String parameter) {
        return call.parameter(parameter).stream()
                .flatMap(COMMA::splitAsStream)
                .map(String::strip)
                .filter(part -> !part.isEmpty());
    }

    @Override
    public boolean test(StoredObject object) {
        for (Predicate<StoredObject> requirement : requirements) {
            if (!requirement.test(object)) {
                return false;
            }
        }
        return true;
    }

    private static Predicate<StoredObject> ofLabel(String part) {
        Matcher in = IN.matcher(part);
        if (part.endsWith(")") && in.matches()) {
            String key = in.group("key");
            Set<String> values =
                    Set.copyOf(
                            Stream.of(in.group("values").split(",")).map(String::strip).toList());
            Predicate<StoredObject> isIn =
                    object ->
                            label(object, key).isTextual()
                                    && values.contains(label(object, key).asText());
            return in.group("op").equals("in") ? isIn : isIn.negate();
        }
        Matcher equals = EQUALS.matcher(part);
        if (equals.matches()) {
            String key = equals.group("key").strip();
            String value = equals.group("value").strip();
            Predicate<StoredObject> is =
                    object ->
                            label(object, key).isTextual()
                                    && label(object, key).asText().equals(value);
            return equals.group("op").equals("!=") ? is.negate() : is;
        }
        return part.startsWith("!")
                ? object -> label(object, part.substring(1)).isMissingNode()
                : object -> !label(object, part).isMissingNode();
    }

    private static JsonNode label(StoredObject object, String key) {
        return object.metadata().path("labels").path(key);
    }

    private static Predicate<StoredObject> ofField(ResourceType type, String part) {
        Matcher equals = EQUALS.matcher(part);
        if (!equals.matches() || !isSelectable(type, equals.group("key"))) {
            throw ApiRefusal.badRequest("field label not supported: " + part);
        }
        List<String> path = List.of(equals.group("key").split("\\."));
        String value = equals.group("value");
        Predicate<StoredObject> is = object -> at(object, path).asText("").equals(value);
        return equals.group("op").equals("!=") ? is.negate() : is;
    }

    private static boolean isSelectable(ResourceType type, String field) {
        return field.equals("metadata.name")
                || field.equals("metadata.namespace")
                || (type.plural().equals("events") && OF_EVENTS.contains(field))
                || (type.isPods() && OF_PODS.contains(field));
    }

    private static JsonNode at(StoredObject object, List<String> path) {
        JsonNode at = object.tree();
        for (String name : path) {
            at = at.path(name);
        }
        return at;
    }
}
