// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class EnvironmentReferenceTest {
    private static final Path REFERENCE = Path.of("../docs/reference/environment.md");
    private static final Path CHART = Path.of("../helm/sluice/templates");
    private static final Pattern NAMED = Pattern.compile("\\bSLUICE_[A-Z_]+\\b");

    @Test
    void theReferenceIsWhatTheVariablesSay() throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(REFERENCE, reference());
        }

        assertThat(REFERENCE)
                .as("write it anew with ./mvnw -pl process -am test -Dgolden.update=true")
                .hasContent(reference());
    }

    @Test
    void theChartSetsNothingThatIsNotRead() throws IOException {
        Set<String> set = new TreeSet<>();
        try (var templates = Files.list(CHART)) {
            for (Path template : templates.filter(Files::isRegularFile).toList()) {
                NAMED.matcher(Files.readString(template))
                        .results()
                        .forEach(name -> set.add(name.group()));
            }
        }

        assertThat(set)
                .hasSizeGreaterThan(20)
                .isSubsetOf(Arrays.stream(Variable.values()).map(Variable::wire).toList());
    }

    private static String reference() {
        var text =
                new StringBuilder(
                        """
                        # Environment variables

                        <!-- Generated from io.sluice.process.Variable; do not edit. -->

                        The processes read these variables at their start. One that is blank counts as one that is not set. A process
                        ends with a line that names the variable if its value can't be used. The chart sets what it has
                        [values](values.md) for; `operator.env`, `webhook.env` and `autoscaler.env` set others.

                        Most of what can be configured is not here but in [Configuration](configuration.md), which takes effect without a
                        restart. Libraries read variables of their own: Java reads `JAVA_TOOL_OPTIONS`, and the operator's
                        [traces](../traces.md) are configured by those of OpenTelemetry. The [command line](cli.md) reads
                        `SLUICE_TOKEN`.
                        """);
        part(text, "All processes", EnumSet.allOf(ProcessName.class));
        part(text, "Webhook and operator", EnumSet.of(ProcessName.WEBHOOK, ProcessName.OPERATOR));
        part(
                text,
                "Operator and autoscaler",
                EnumSet.of(ProcessName.OPERATOR, ProcessName.AUTOSCALER));
        part(text, "The webhook", EnumSet.of(ProcessName.WEBHOOK));
        part(text, "The operator", EnumSet.of(ProcessName.OPERATOR));
        part(text, "The autoscaler", EnumSet.of(ProcessName.AUTOSCALER));
        return text.toString();
    }

    private static void part(StringBuilder text, String title, Set<ProcessName> readers) {
        text.append("\n## ")
                .append(title)
                .append("\n\n| variable | if not set | |\n|---|---|---|\n")
                .append(
                        Arrays.stream(Variable.values())
                                .filter(variable -> variable.readers().equals(readers))
                                .map(EnvironmentReferenceTest::row)
                                .collect(Collectors.joining()));
    }

    private static String row(Variable variable) {
        return "| `%s` | %s | %s |%n"
                .formatted(
                        variable.wire(),
                        variable.usual().map(usual -> "`" + usual + "`").orElse(""),
                        variable.meaning());
    }

    @Test
    void everyVariableStandsInOnePartOfTheReference() {
        assertThat(Arrays.stream(Variable.values()))
                .allSatisfy(
                        variable ->
                                assertThat(reference())
                                        .as("add a part for %s", variable.readers())
                                        .containsOnlyOnce("| `" + variable.wire() + "` |"));
    }
}
