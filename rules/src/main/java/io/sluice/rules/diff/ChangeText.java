// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.diff;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.Redaction;
import io.sluice.rules.config.SecretKeys;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What changed, for people: each field that counts with its former and its present value; of a
 * field that has fields of its own, those that differ. All of it is short, and secrets are hidden.
 */
public final class ChangeText {
    private static final String SPEC = "spec.";
    private static final String JOB = SPEC + "job";
    private static final String CONFIGURATION = SPEC + "flinkConfiguration.";
    private static final String NONE = "(none)";
    private static final String CUT = "…";
    private static final int LONGEST_VALUE = 60;

    /** So that a message has room for more than this. */
    private static final int LONGEST = 600;

    private final ObjectNode before;
    private final ObjectNode after;
    private final FlinkConfiguration configurationBefore;
    private final FlinkConfiguration configurationAfter;
    private final Redaction redactionBefore;
    private final Redaction redactionAfter;

    private ChangeText(ObjectNode before, ObjectNode after) {
        this.before = before;
        this.after = after;
        configurationBefore = FlinkConfiguration.of(before.path("flinkConfiguration"));
        configurationAfter = FlinkConfiguration.of(after.path("flinkConfiguration"));
        redactionBefore = Redaction.of(configurationBefore);
        redactionAfter = Redaction.of(configurationAfter);
    }

    /**
     * @param before the former spec as it was written
     * @param after the present one
     */
    public static String of(SpecDiff diff, ObjectNode before, ObjectNode after) {
        var text = new ChangeText(before, after);
        List<String> paths =
                diff.changes().stream()
                        .filter(change -> change.effect() != SpecDiff.Effect.IGNORE)
                        .map(SpecDiff.Change::path)
                        .toList();
        return cut(
                LONGEST,
                paths.stream()
                        .filter(path -> !paths.contains(JOB) || !path.startsWith(JOB + "."))
                        .map(text::of)
                        .collect(Collectors.joining("; ")));
    }

    private String of(String path) {
        if (path.startsWith(CONFIGURATION)) {
            String key = path.substring(CONFIGURATION.length());
            return edit(path, key, value(configurationBefore, key), value(configurationAfter, key));
        }
        String pointer = "/" + path.substring(SPEC.length()).replace('.', '/');
        String edits =
                edits(path, name(path), before.at(pointer), after.at(pointer))
                        .collect(Collectors.joining("; "));
        return edits.isEmpty() ? path : edits;
    }

    private static JsonNode value(FlinkConfiguration configuration, String key) {
        return configuration
                .get(key)
                .<JsonNode>map(TextNode::valueOf)
                .orElseGet(MissingNode::getInstance);
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    private Stream<String> edits(String path, String name, JsonNode old, JsonNode now) {
        if (isSame(old, now)) {
            return Stream.empty();
        }
        if (old instanceof ObjectNode former && now instanceof ObjectNode present) {
            Set<String> names = new LinkedHashSet<>();
            former.fieldNames().forEachRemaining(names::add);
            present.fieldNames().forEachRemaining(names::add);
            return names.stream()
                    .flatMap(
                            field ->
                                    edits(
                                            path + "." + field,
                                            field,
                                            former.path(field),
                                            present.path(field)));
        }
        if (old instanceof ArrayNode former
                && now instanceof ArrayNode present
                && former.size() == present.size()
                && !isPlain(former)) {
            return IntStream.range(0, former.size())
                    .boxed()
                    .flatMap(i -> edits(path + "[" + i + "]", name, former.get(i), present.get(i)));
        }
        return Stream.of(edit(path, name, old, now));
    }

    private String edit(String path, String name, JsonNode old, JsonNode now) {
        // An environment variable's name need not tell that its value is a secret.
        boolean hidden =
                SecretKeys.isSecret(name) || (path.contains(".env[") && name.equals("value"));
        return path + ": " + shown(hidden, old) + " -> " + shown(hidden, now);
    }

    private String shown(boolean hidden, JsonNode value) {
        if (isNothing(value)) {
            return NONE;
        }
        if (hidden) {
            return SecretKeys.HIDDEN;
        }
        return switch (value) {
            case ObjectNode _ -> "{" + CUT + "}";
            case ArrayNode list when isPlain(list) -> shown(list);
            case ArrayNode _ -> "[" + CUT + "]";
            default -> shown(value.asText());
        };
    }

    /** Arguments, most often: a secret has its name before it, or in front of it. */
    private String shown(ArrayNode list) {
        List<String> elements = new ArrayList<>();
        boolean named = false;
        for (JsonNode element : list) {
            String text = element.asText();
            int equals = text.indexOf('=');
            String name = equals < 0 ? text : text.substring(0, equals);
            boolean secret = SecretKeys.isSecret(name);
            if (named) {
                elements.add(SecretKeys.HIDDEN);
            } else {
                elements.add(secret && equals >= 0 ? name + "=" + SecretKeys.HIDDEN : text);
            }
            named = !named && secret && equals < 0;
        }
        return shown("[" + String.join(", ", elements) + "]");
    }

    private String shown(String text) {
        long lines = text.lines().count();
        if (lines > 1) {
            return "(" + lines + " lines)";
        }
        String clean = redactionAfter.apply(redactionBefore.apply(text));
        return clean.isEmpty() ? "\"\"" : cut(LONGEST_VALUE, clean);
    }

    private static String cut(int longest, String text) {
        return text.length() <= longest ? text : text.substring(0, longest - 1) + CUT;
    }

    private static boolean isPlain(ArrayNode list) {
        return list.valueStream().allMatch(JsonNode::isValueNode);
    }

    private static boolean isNothing(JsonNode value) {
        return value.isNull()
                || value.isMissingNode()
                || (value.isContainerNode() && value.isEmpty());
    }

    /** However it was written: a number may be a text, and nothing may be empty. */
    private static boolean isSame(JsonNode old, JsonNode now) {
        boolean both = isNothing(old) && isNothing(now);
        boolean texts = old.isValueNode() && now.isValueNode() && old.asText().equals(now.asText());
        boolean numbers =
                old.isNumber()
                        && now.isNumber()
                        && old.decimalValue().compareTo(now.decimalValue()) == 0;
        return both || texts || numbers || old.equals(now);
    }
}
