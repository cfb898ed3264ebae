// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.Redaction;

/**
 * A rule that a resource breaks, and where. The value is shown without what looks like a secret in
 * it, whatever its field is called.
 */
public record Violation(String rule, FieldProblem problem) {
    private static final Redaction REDACTION = Redaction.of(FlinkConfiguration.EMPTY);

    public Violation {
        problem =
                new FieldProblem(
                        problem.path(), REDACTION.apply(problem.value()), problem.message());
    }

    /** The violation in one line: rule, path, value if there is one, message. */
    public String text() {
        return rule + "  " + problem.text();
    }
}
