// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.rules.review.Violation;
import io.sluice.rules.review.Warning;
import java.util.List;

/** The result for programs: an array with one object for each resource. */
final class LintJson {
    private LintJson() {}

    static String of(List<LintResult> results) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        results.forEach(result -> write(result, array.addObject()));
        return array.toPrettyString();
    }

    private static void write(LintResult result, ObjectNode node) {
        node.put("file", result.document().file())
                .put("kind", result.document().kind())
                .put("name", result.document().name())
                .put("valid", result.isValid());
        ArrayNode problems = node.putArray("problems");
        result.findings().problems().forEach(problem -> write(problem, problems.addObject()));
        ArrayNode warnings = node.putArray("warnings");
        result.findings().warnings().forEach(warning -> write(warning, warnings.addObject()));
    }

    private static void write(Violation violation, ObjectNode node) {
        node.put("rule", violation.rule())
                .put("path", violation.problem().path())
                .put("value", violation.problem().value())
                .put("message", violation.problem().message());
    }

    private static void write(Warning warning, ObjectNode node) {
        node.put("rule", warning.id())
                .put("path", warning.path())
                .put("message", warning.message());
    }
}
