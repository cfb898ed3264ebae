// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.lint;

import io.sluice.cli.document.Document;
import io.sluice.rules.review.Violation;
import io.sluice.rules.review.Warning;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * The result as JUnit's XML: a suite, and in it a test case for each resource, which fails if the
 * resource is refused.
 */
final class LintJunit {
    private static final String NAME = "sluice lint";

    private final boolean strict;
    private final XMLStreamWriter xml;

    private LintJunit(boolean strict, XMLStreamWriter xml) {
        this.strict = strict;
        this.xml = xml;
    }

    /**
     * @param strict whether a warning fails a test case, too
     */
    static String of(LintReport report, boolean strict) {
        var text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            new LintJunit(strict, xml).write(report);
            xml.close();
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException("writing into memory", impossible);
        }
        return text + "\n";
    }

    private void write(LintReport report) throws XMLStreamException {
        long failures = report.results().stream().filter(this::fails).count();
        xml.writeStartDocument("UTF-8", "1.0");
        start("testsuites", "name", NAME);
        start(
                "testsuite",
                "name",
                NAME,
                "tests",
                Integer.toString(report.results().size()),
                "failures",
                Long.toString(failures),
                "errors",
                "0");
        for (LintResult result : report.results()) {
            write(result);
        }
        xml.writeEndElement();
        xml.writeEndElement();
        xml.writeEndDocument();
    }

    private void write(LintResult result) throws XMLStreamException {
        Document document = result.document();
        String file = document.file();
        start(
                "testcase",
                "classname",
                file,
                "name",
                document.kind() + " " + document.name(),
                "file",
                file,
                "line",
                Integer.toString(document.position("").line()));
        List<String> warnings = result.findings().warnings().stream().map(Warning::text).toList();
        List<String> problems =
                Stream.concat(
                                result.findings().problems().stream().map(Violation::text),
                                strict ? warnings.stream() : Stream.empty())
                        .toList();
        if (!problems.isEmpty()) {
            start("failure", "message", problems.getFirst(), "type", "refused");
            text(problems);
            xml.writeEndElement();
        }
        if (!strict && !warnings.isEmpty()) {
            xml.writeStartElement("system-out");
            text(warnings);
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    private boolean fails(LintResult result) {
        return !result.isValid() || (strict && result.hasWarnings());
    }

    /** An element and its attributes, whose names and values take turns. */
    private void start(String element, String... attributes) throws XMLStreamException {
        xml.writeStartElement(element);
        for (int i = 0; i < attributes.length; i += 2) {
            xml.writeAttribute(attributes[i], printable(attributes[i + 1]));
        }
    }

    private void text(List<String> lines) throws XMLStreamException {
        xml.writeCharacters(printable(String.join("\n", lines)));
    }

    /** XML 1.0 has no control characters, not even escaped. */
    private static String printable(String text) {
        return text.codePoints()
                .map(c -> c < ' ' && c != '\n' && c != '\t' ? '?' : c)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }
}
