// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads one document of YAML into JSON: aliases stand for what they name, and merge keys ({@code
 * <<}) add what is not there. How much a file may ask for by aliases is limited.
 */
final class YamlReader {
    private static final int LONGEST = 256 * 1024 * 1024;
    private static final int DEEPEST = 100;
    private static final int MOST_ALIASES = 10_000;

    /** Beyond one for each character, which is what a file without aliases can have. */
    private static final int MOST_BY_ALIASES = 100_000;

    private static final String MERGE = "<<";

    private final String file;
    private final Map<String, Position> positions = new HashMap<>();
    private final List<String> duplicates = new ArrayList<>();
    private final Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private final long most;
    private long nodes;

    private YamlReader(String file, String text) {
        this.file = file;
        this.most = (long) text.length() + MOST_BY_ALIASES;
    }

    /**
     * Every document of a file that is an object, in order.
     *
     * @param file as messages and documents name it
     * @throws Unreadable if the text is not YAML
     */
    static List<Document> documents(String file, String text) {
        var options = new LoaderOptions();
        options.setCodePointLimit(LONGEST);
        options.setNestingDepthLimit(DEEPEST);
        options.setMaxAliasesForCollections(MOST_ALIASES);
        List<Document> documents = new ArrayList<>();
        try (var reader = new StringReader(withoutTabs(text))) {
            for (Node root : new Yaml(options).composeAll(reader)) {
                if (root instanceof MappingNode mapping) {
                    documents.add(new YamlReader(file, text).document(mapping));
                }
            }
        } catch (MarkedYAMLException notYaml) {
            throw notYaml(file, notYaml);
        } catch (YAMLException notYaml) {
            throw new Unreadable(
                    file
                            + ": is not YAML; "
                            + firstLine(Objects.requireNonNullElse(notYaml.getMessage(), "")));
        }
        return documents;
    }

    /** JSON may be indented by tabs, and YAML may not; JSON has no tab inside a string. */
    private static String withoutTabs(String text) {
        return text.stripLeading().startsWith("{") ? text.replace('\t', ' ') : text;
    }

    private static Unreadable notYaml(String file, MarkedYAMLException why) {
        var mark = why.getProblemMark();
        return new Unreadable(
                file
                        + (mark == null ? "" : ":" + (mark.getLine() + 1))
                        + ": is not YAML; "
                        + firstLine(why.getProblem()));
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    private Document document(MappingNode root) {
        positions.put("", Position.of(root.getStartMark()));
        ObjectNode content = object(root, "");
        return new Document(file, content, new Positions(positions), duplicates);
    }

    private JsonNode value(Node node, String path) {
        return switch (node) {
            case MappingNode mapping -> object(mapping, path);
            case SequenceNode sequence -> array(sequence, path);
            case ScalarNode scalar -> {
                count(scalar);
                yield YamlScalars.read(scalar);
            }
            default -> throw refused(node, "holds what is no value");
        };
    }

    private ObjectNode object(MappingNode mapping, String path) {
        enter(mapping);
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (NodeTuple entry : mapping.getValue()) {
            if (isMerge(entry.getKeyNode())) {
                merge(object, entry.getValueNode(), path);
            }
        }
        Set<String> own = new HashSet<>();
        for (NodeTuple entry : mapping.getValue()) {
            if (!isMerge(entry.getKeyNode())) {
                String key = key(entry.getKeyNode());
                String below = Positions.join(path, key);
                positions.put(below, Position.of(entry.getKeyNode().getStartMark()));
                if (!own.add(key)) {
                    duplicates.add(below);
                }
                object.set(key, value(entry.getValueNode(), below));
            }
        }
        open.remove(mapping);
        return object;
    }

    private ArrayNode array(SequenceNode sequence, String path) {
        enter(sequence);
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (Node item : sequence.getValue()) {
            String below = Positions.join(path, Integer.toString(array.size()));
            positions.put(below, Position.of(item.getStartMark()));
            array.add(value(item, below));
        }
        open.remove(sequence);
        return array;
    }

    private void enter(Node node) {
        count(node);
        if (!open.add(node)) {
            throw refused(node, "contains itself through an alias");
        }
    }

    private void count(Node node) {
        nodes++;
        if (nodes > most) {
            throw refused(node, "has too many values through aliases");
        }
    }

    private static boolean isMerge(Node key) {
        return key instanceof ScalarNode scalar
                && scalar.isPlain()
                && scalar.getValue().equals(MERGE);
    }

    /** What is merged gives way to what stands there, and of several maps the first one wins. */
    private void merge(ObjectNode into, Node merged, String path) {
        switch (merged) {
            case MappingNode mapping ->
                    object(mapping, path)
                            .properties()
                            .forEach(each -> into.putIfAbsent(each.getKey(), each.getValue()));
            case SequenceNode sequence ->
                    sequence.getValue().forEach(each -> merge(into, each, path));
            default -> throw refused(merged, "merges what is not a map");
        }
    }

    private String key(Node node) {
        if (node instanceof ScalarNode scalar) {
            count(scalar);
            JsonNode key = YamlScalars.read(scalar);
            if (!key.isNull()) {
                return key.asText();
            }
        }
        throw refused(node, "has a key that is not text");
    }

    private Unreadable refused(Node node, String why) {
        return new Unreadable(
                file + ":" + Position.of(node.getStartMark()).line() + ": " + why + "; correct it");
    }
}
