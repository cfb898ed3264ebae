// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import io.sluice.api.FieldProblem;

/** A rule that a resource breaks, and where. */
public record Violation(String rule, FieldProblem problem) {
    /** The violation in one line: rule, path, value if there is one, message. */
    public String text() {
        return rule + "  " + problem.text();
    }
}
