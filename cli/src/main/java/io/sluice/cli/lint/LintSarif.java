// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.lint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.document.Document;
import io.sluice.cli.document.Position;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), which code hosts
 * show at the lines of a change.
 */
final class LintSarif {
    private static final String SCHEMA =
            "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

    private final String reference;
    private final Map<String, Integer> indexes = new LinkedHashMap<>();
    private final ArrayNode rules = JsonNodeFactory.instance.arrayNode();
    private final ArrayNode results = JsonNodeFactory.instance.arrayNode();

    private LintSarif(String reference) {
        this.reference = reference;
    }

    /**
     * @param reference the address of docs/reference/rules.md, to which each rule links; empty if
     *     it is not known
     */
    static String of(LintReport report, String reference) {
        var sarif = new LintSarif(reference);
        report.results().forEach(sarif::add);
        return sarif.log().toPrettyString() + "\n";
    }

    private void add(LintResult result) {
        Document document = result.document();
        for (var problem : result.findings().problems()) {
            add(document, "error", problem.rule(), problem.problem().path(), problem.text());
        }
        for (var warning : result.findings().warnings()) {
            add(document, "warning", warning.id(), warning.path(), warning.text());
        }
    }

    private void add(Document document, String level, String rule, String path, String text) {
        ObjectNode result = results.addObject();
        result.put("ruleId", rule).put("ruleIndex", index(rule)).put("level", level);
        result.putObject("message")
                .put("text", document.kind() + " " + document.name() + ": " + text);
        ObjectNode location = result.putArray("locations").addObject();
        ObjectNode place = location.putObject("physicalLocation");
        place.putObject("artifactLocation").put("uri", uri(document.file()));
        Position position = document.position(path);
        place.putObject("region")
                .put("startLine", position.line())
                .put("startColumn", position.column());
        location.putArray("logicalLocations").addObject().put("fullyQualifiedName", path);
    }

    private int index(String rule) {
        return indexes.computeIfAbsent(rule, this::describe);
    }

    private int describe(String rule) {
        RuleTexts.Entry entry = RuleTexts.of(rule);
        ObjectNode described = rules.addObject().put("id", rule);
        described.putObject("shortDescription").put("text", entry.why());
        if (!reference.isEmpty()) {
            described.put("helpUri", reference + "#" + entry.section());
        }
        return rules.size() - 1;
    }

    private ObjectNode log() {
        ObjectNode log = JsonNodeFactory.instance.objectNode();
        log.put("$schema", SCHEMA).put("version", "2.1.0");
        ObjectNode run = log.putArray("runs").addObject();
        run.putObject("tool").putObject("driver").put("name", "sluice lint").set("rules", rules);
        run.put("columnKind", "unicodeCodePoints").set("results", results);
        return log;
    }

    /**
     * A relative file stays relative: code hosts look for it below the root of the repository. A
     * colon in its first part must not read like a scheme.
     */
    private static String uri(String file) {
        String path = file.replace('\\', '/');
        boolean isLikeScheme = path.split("/", 2)[0].contains(":");
        try {
            return new URI(null, null, isLikeScheme ? "./" + path : path, null).toASCIIString();
        } catch (URISyntaxException impossible) {
            throw new IllegalArgumentException(file, impossible);
        }
    }
}
