// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import java.util.List;

/** The report for people. */
final class CheckText {
    private CheckText() {}

    /**
     * @param served by which operator the cluster is served before the migration
     */
    static String of(CheckReport report, Product served) {
        var text = new StringBuilder();
        report.resources().forEach(each -> judgement(text, each, "taken over as it is"));
        report.operators().forEach(each -> judgement(text, each, "nothing has to be edited"));
        if (report.operators().isEmpty()) {
            text.append(
                    switch (served) {
                        case APACHE ->
                                """

                                The Apache operator was not found, so that its own configuration \
                                was not checked, and the
                                resources were with the defaults of Sluice's chart. See \
                                --operator-namespace.
                                """;
                        case SLUICE ->
                                """

                                No release of Sluice was found, so that its configuration was not \
                                checked. See --operator-namespace.
                                """;
                    });
        }
        if (!report.missing().isEmpty()) {
            text.append("\nThis check is incomplete, because you lack these rights. Ask for them,")
                    .append(" or choose namespaces\nwith -n and --operator-namespace:\n");
            report.missing().forEach(right -> text.append("  ").append(right.text()).append('\n'));
        }
        text.append(
                "%n%d resources: %d taken over as they are, %d need an edit, %d blocked%n"
                        .formatted(
                                report.resources().size(),
                                report.count(Verdict.TakenOver.class),
                                report.count(Verdict.NeedsEdit.class),
                                report.count(Verdict.Blocked.class)));
        text.append(
                report.isFine()
                        ? "\nTo migrate, run in this order:\n"
                        : "\nSettle what is blocked or needs an edit. Then run in this order:\n");
        report.commands().forEach(command -> text.append("  ").append(command).append('\n'));
        return text.toString();
    }

    private static void judgement(StringBuilder text, MigrationVerdict judgement, String fine) {
        text.append(judgement.kind())
                .append(' ')
                .append(judgement.namespace())
                .append(judgement.name().isEmpty() ? "" : "/" + judgement.name())
                .append(": ");
        switch (judgement.verdict()) {
            case Verdict.TakenOver _ -> text.append(fine).append('\n');
            case Verdict.NeedsEdit(var edits) -> {
                text.append("needs an edit\n");
                remarks(text, "edit", edits);
            }
            case Verdict.Blocked(var reasons, var edits) -> {
                text.append("blocked\n");
                remarks(text, "blocked", reasons);
                remarks(text, "edit", edits);
            }
        }
        remarks(text, "note", judgement.notes());
    }

    private static void remarks(StringBuilder text, String word, List<CheckRemark> remarks) {
        remarks.forEach(
                remark ->
                        text.append("  %-7s  ".formatted(word)).append(remark.line()).append('\n'));
    }
}
