// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.lint;

import io.sluice.cli.document.Document;

/** The result for people: a line for each resource, below it what is wrong or odd, and where. */
public final class LintText {
    private LintText() {}

    public static String of(LintReport report) {
        var text = new StringBuilder();
        for (LintResult result : report.results()) {
            Document document = result.document();
            text.append(head(result));
            result.findings()
                    .problems()
                    .forEach(
                            problem ->
                                    text.append("  problem  ")
                                            .append(place(document, problem.problem().path()))
                                            .append("  ")
                                            .append(problem.text())
                                            .append('\n'));
            result.findings()
                    .warnings()
                    .forEach(
                            warning ->
                                    text.append("  warning  ")
                                            .append(place(document, warning.path()))
                                            .append("  ")
                                            .append(warning.text())
                                            .append('\n'));
        }
        return text.append(summary(report)).toString();
    }

    private static String head(LintResult result) {
        var document = result.document();
        return "%s: %s %s: %s%n"
                .formatted(
                        place(document, ""),
                        document.kind().isEmpty() ? "?" : document.kind(),
                        document.name(),
                        result.isValid() ? "valid" : "invalid");
    }

    /** The file and the line, as editors and terminals know how to open them. */
    private static String place(Document document, String path) {
        return document.file() + ":" + document.position(path).line();
    }

    private static String summary(LintReport report) {
        long invalid = report.results().stream().filter(result -> !result.isValid()).count();
        String foreign =
                report.foreign() == 0
                        ? ""
                        : "; %d of other kinds, not checked".formatted(report.foreign());
        return "%d resources, %d invalid%s%n".formatted(report.results().size(), invalid, foreign);
    }
}
