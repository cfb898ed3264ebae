// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import io.sluice.cli.cluster.SafeText;
import java.time.Instant;
import java.util.List;

/** An explanation for people. Pure. */
final class WhyText {
    private final Span span;
    private final StringBuilder text = new StringBuilder();

    private WhyText(Span span) {
        this.span = span;
    }

    static String of(Explanation explanation, Instant now) {
        var text = new WhyText(new Span(now));
        text.write(explanation, "");
        text.remedies(explanation);
        return text.text.toString();
    }

    private void write(Explanation explanation, String indent) {
        line(indent, head(explanation));
        explanation.sentences().forEach(sentence -> line(indent + "  ", sentence));
        events(explanation, indent + "  ");
        explanation.missing().forEach(sentence -> line(indent + "  ", sentence));
        explanation
                .related()
                .forEach(
                        each -> {
                            text.append('\n');
                            write(each, indent + "  ");
                        });
    }

    private String head(Explanation explanation) {
        return explanation.subject()
                + " "
                + explanation.verdict().text()
                + explanation.since().map(at -> " " + span.since(at)).orElse("")
                + (explanation.reason().isEmpty() ? "." : ": " + explanation.reason());
    }

    private void events(Explanation explanation, String indent) {
        switch (explanation.events()) {
            case Picture.Events.Hidden() ->
                    line(
                            indent,
                            "You have no right to list events in namespace '"
                                    + explanation.namespace()
                                    + "', so that none are shown.");
            case Picture.Events.Listed(var lines) when lines.isEmpty() -> {}
            case Picture.Events.Listed(var lines) -> {
                line(indent, "Events, warnings first:");
                lines.forEach(event -> line(indent + "  ", event(event)));
            }
        }
    }

    private String event(EventLine event) {
        return (event.isWarning() ? "Warning " : "")
                + SafeText.line(event.reason(), 100)
                + ", "
                + span.distance(event.at())
                + (event.count() > 1 ? " (" + event.count() + " times)" : "")
                + ": "
                + SafeText.line(event.message().strip(), 1024);
    }

    private void remedies(Explanation explanation) {
        section("What to do:", explanation.remedies());
        explanation.related().stream()
                .filter(each -> each.verdict() == Verdict.STALLED)
                .forEach(
                        each ->
                                section(
                                        "What to do about " + each.subject() + ":",
                                        each.remedies()));
    }

    private void section(String title, List<String> lines) {
        if (!lines.isEmpty()) {
            text.append('\n');
            line("", title);
            lines.forEach(each -> line("  - ", each));
        }
    }

    private void line(String indent, String content) {
        text.append(indent).append(content).append('\n');
    }
}
