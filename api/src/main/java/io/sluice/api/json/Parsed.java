// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.json;

import java.util.List;

/** What could be read of a user's document, and every field of it that could not. */
public record Parsed<T>(T value, List<FieldProblem> problems) {
    public Parsed {
        problems = List.copyOf(problems);
    }

    public boolean isClean() {
        return problems.isEmpty();
    }
}
