// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.review.SchemaRule;
import io.sluice.rules.review.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What the API server itself refuses: unknown fields, wrong types, limits, the syntax of metadata.
 * The types of a status are not compared, because the API server drops the status of what is
 * created or applied.
 */
public final class SchemaReview {
    private SchemaReview() {}

    /** Every problem that the CRD and Kubernetes' own checks find. */
    public static List<Violation> of(ResourceKind kind, ObjectNode resource) {
        JsonNode schema = Schemas.of(kind);
        List<Violation> violations =
                new ArrayList<>(
                        violations(SchemaRule.UNKNOWN_FIELD, UnknownFields.of(schema, resource)));
        for (String part : List.of("metadata", "spec")) {
            JsonNode value = resource.path(part);
            if (!value.isMissingNode() && !value.isNull()) {
                violations.addAll(FieldTypes.of(schema.path("properties").path(part), value, part));
            }
        }
        violations.addAll(
                violations(
                        SchemaRule.METADATA_FORMAT, MetadataSyntax.of(resource.path("metadata"))));
        return violations;
    }

    /**
     * The ids of the rules that the CRD checks of a resource. They hold for what no webhook is
     * asked about.
     */
    public static Set<String> celRules(ResourceKind kind, ObjectNode resource) {
        return CelRules.of(Schemas.of(kind), resource);
    }

    private static List<Violation> violations(SchemaRule rule, List<FieldProblem> problems) {
        return problems.stream().map(problem -> new Violation(rule.id(), problem)).toList();
    }
}
