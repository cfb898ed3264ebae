// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.lint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.document.Document;
import io.sluice.cli.document.Position;
import io.sluice.rules.review.Violation;
import io.sluice.rules.review.Warning;

/** The result for programs: an array with one object for each resource. */
final class LintJson {
    private LintJson() {}

    static String of(LintReport report) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        report.results().forEach(result -> write(result, array.addObject()));
        return array.toPrettyString() + "\n";
    }

    private static void write(LintResult result, ObjectNode node) {
        Document document = result.document();
        node.put("file", document.file())
                .put("line", document.position("").line())
                .put("kind", document.kind())
                .put("namespace", document.namespace())
                .put("name", document.name())
                .put("valid", result.isValid());
        ArrayNode problems = node.putArray("problems");
        result.findings()
                .problems()
                .forEach(problem -> write(problem, document, problems.addObject()));
        ArrayNode warnings = node.putArray("warnings");
        result.findings()
                .warnings()
                .forEach(warning -> write(warning, document, warnings.addObject()));
    }

    private static void write(Violation violation, Document document, ObjectNode node) {
        node.put("rule", violation.rule())
                .put("path", violation.problem().path())
                .put("value", violation.problem().value())
                .put("message", violation.problem().message());
        place(document.position(violation.problem().path()), node);
    }

    private static void write(Warning warning, Document document, ObjectNode node) {
        node.put("rule", warning.id())
                .put("path", warning.path())
                .put("message", warning.message());
        place(document.position(warning.path()), node);
    }

    private static void place(Position position, ObjectNode node) {
        node.put("line", position.line()).put("column", position.column());
    }
}
