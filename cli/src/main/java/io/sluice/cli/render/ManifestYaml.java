// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.comments.CommentLine;
import org.yaml.snakeyaml.comments.CommentType;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;

/** Manifests as YAML, each value with a comment that says where it comes from. */
final class ManifestYaml {
    private final Map<String, List<String>> origins;

    /**
     * @param origins by the path of a value; empty for no comments
     */
    ManifestYaml(Map<String, List<String>> origins) {
        this.origins = origins;
    }

    /** One document for each manifest. The files of a ConfigMap are YAML with comments, too. */
    String of(Manifests manifests) {
        List<String> roots = manifests.roots();
        var text = new StringBuilder();
        for (int i = 0; i < roots.size(); i++) {
            ObjectNode manifest = manifests.all().get(i);
            text.append("---\n")
                    .append(
                            dumped(
                                    roots.get(i),
                                    origins.isEmpty()
                                            ? manifest
                                            : withCommentedFiles(roots.get(i), manifest)));
        }
        return text.toString();
    }

    private ObjectNode withCommentedFiles(String root, ObjectNode manifest) {
        ObjectNode open = Leaves.withOpenFiles(manifest);
        if (open.path("data") instanceof ObjectNode data) {
            String path = Leaves.field(root, "data");
            for (Map.Entry<String, JsonNode> file : data.properties()) {
                if (file.getValue() instanceof ObjectNode inside) {
                    data.put(file.getKey(), dumped(Leaves.field(path, file.getKey()), inside));
                }
            }
        }
        return open;
    }

    private String dumped(String path, JsonNode tree) {
        var options = new DumperOptions();
        options.setDefaultFlowStyle(FlowStyle.BLOCK);
        options.setProcessComments(true);
        options.setSplitLines(false);
        options.setIndicatorIndent(2);
        options.setIndentWithIndicator(true);
        var yaml =
                new Yaml(
                        new SafeConstructor(new LoaderOptions()),
                        new Representer(options),
                        options);
        var text = new StringWriter();
        yaml.serialize(node(path, tree), text);
        return text.toString();
    }

    private Node node(String path, JsonNode tree) {
        return switch (tree) {
            case ObjectNode object -> {
                List<NodeTuple> fields = new ArrayList<>();
                object.properties()
                        .forEach(
                                each ->
                                        fields.add(
                                                new NodeTuple(
                                                        scalar(Tag.STR, each.getKey()),
                                                        node(
                                                                Leaves.field(path, each.getKey()),
                                                                each.getValue()))));
                FlowStyle style = fields.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK;
                yield commented(path, new MappingNode(Tag.MAP, fields, style));
            }
            case ArrayNode list -> {
                List<String> paths = Leaves.elements(path, list);
                List<Node> elements = new ArrayList<>();
                for (int i = 0; i < paths.size(); i++) {
                    elements.add(node(paths.get(i), list.get(i)));
                }
                FlowStyle style = elements.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK;
                yield commented(path, new SequenceNode(Tag.SEQ, elements, style));
            }
            default -> commented(path, scalar(tag(tree), tree.asText()));
        };
    }

    private static Tag tag(JsonNode value) {
        return switch (value.getNodeType()) {
            case BOOLEAN -> Tag.BOOL;
            case NUMBER -> value.isIntegralNumber() ? Tag.INT : Tag.FLOAT;
            case NULL -> Tag.NULL;
            case STRING, ARRAY, BINARY, MISSING, OBJECT, POJO -> Tag.STR;
        };
    }

    private static ScalarNode scalar(Tag tag, String text) {
        ScalarStyle style = text.indexOf('\n') >= 0 ? ScalarStyle.LITERAL : ScalarStyle.PLAIN;
        return new ScalarNode(tag, text, null, null, style);
    }

    private Node commented(String path, Node node) {
        Optional.ofNullable(origins.get(path))
                .ifPresent(
                        from ->
                                node.setInLineComments(
                                        List.of(
                                                new CommentLine(
                                                        null,
                                                        null,
                                                        " " + String.join("; ", from),
                                                        CommentType.IN_LINE))));
        return node;
    }
}
