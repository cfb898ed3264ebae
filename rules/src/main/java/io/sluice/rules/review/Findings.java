// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

import java.util.List;

/** Everything a review found: problems refuse a resource, warnings do not. */
public record Findings(List<Violation> problems, List<Warning> warnings) {
    public static final Findings NONE = new Findings(List.of(), List.of());

    public Findings {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    public boolean isAcceptable() {
        return problems.isEmpty();
    }
}
