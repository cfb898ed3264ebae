// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.rules.review.Violation;
import io.sluice.rules.review.Warning;
import java.util.List;

/** The result for people: a line for each resource, below it what is wrong or odd. */
final class LintText {
    private LintText() {}

    static String of(List<LintResult> results) {
        var text = new StringBuilder();
        for (LintResult result : results) {
            text.append(head(result));
            result.findings().problems().stream()
                    .map(Violation::text)
                    .forEach(line -> text.append("  problem  ").append(line).append('\n'));
            result.findings().warnings().stream()
                    .map(Warning::text)
                    .forEach(line -> text.append("  warning  ").append(line).append('\n'));
        }
        return text.append(summary(results)).toString();
    }

    private static String head(LintResult result) {
        var document = result.document();
        return "%s: %s %s: %s%n"
                .formatted(
                        document.file(),
                        document.kind(),
                        document.name(),
                        result.isValid() ? "valid" : "invalid");
    }

    private static String summary(List<LintResult> results) {
        long invalid = results.stream().filter(result -> !result.isValid()).count();
        return "%d resources, %d invalid%n".formatted(results.size(), invalid);
    }
}
