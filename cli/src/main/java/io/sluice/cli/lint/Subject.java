// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.lint;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.document.Document;
import io.sluice.rules.config.EditDistance;
import io.sluice.rules.review.SchemaRule;
import io.sluice.rules.review.Violation;
import java.util.List;

/** What the API server makes of the {@code apiVersion} and the {@code kind} of a document. */
sealed interface Subject {
    /** A resource of a kind and version that the CRDs serve. */
    record Resource(ResourceKind kind) implements Subject {}

    /** It is meant to be one, and the API server finds no such kind. */
    record Misnamed(Violation why) implements Subject {}

    /** It belongs to somebody else. */
    record Foreign() implements Subject {}

    static Subject of(Document document) {
        String apiVersion = document.apiVersion();
        int slash = apiVersion.indexOf('/');
        String group = apiVersion.substring(0, Math.max(0, slash));
        ResourceKind kind = ResourceKind.WORDS.get(document.kind());
        if (apiVersion.equals(ApiVersion.TEXT)) {
            return kind == null
                    ? misnamed(SchemaRule.UNKNOWN_KIND, document.kind(), kindHint(document.kind()))
                    : new Resource(kind);
        }
        boolean isMeant =
                EditDistance.nearest(group, List.of(ApiVersion.GROUP)).isPresent()
                        || (kind != null && slash < 0);
        return isMeant
                ? misnamed(
                        SchemaRule.UNKNOWN_VERSION,
                        apiVersion,
                        apiVersion.isEmpty()
                                ? "is missing; write " + ApiVersion.TEXT
                                : "is not served; write " + ApiVersion.TEXT)
                : new Foreign();
    }

    private static Misnamed misnamed(SchemaRule rule, String value, String message) {
        return new Misnamed(
                new Violation(rule.id(), new FieldProblem(rule.field(), value, message)));
    }

    private static String kindHint(String kind) {
        String all = String.join(", ", ResourceKind.WORDS.keySet());
        return kind.isEmpty()
                ? "is missing; name one of " + all
                : EditDistance.nearest(kind, ResourceKind.WORDS.keySet())
                        .map(nearest -> "is no kind of this group; did you mean " + nearest + "?")
                        .orElse("is no kind of this group, which has " + all);
    }
}
