// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.lint;

import io.sluice.cli.document.Documents;
import io.sluice.cli.document.Unreadable;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice lint}: the API server's verdict on every resource in the named files. */
@Command(
        name = "lint",
        description = {
            "Checks resources as the API server and the webhook do, without a cluster.",
            "",
            "What a resource refers to is looked up in the named files alone."
        },
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = 2,
        exitCodeListHeading = "Ends with:%n",
        exitCodeList = {
            "0:every resource is valid",
            "1:a resource is refused, or with --strict has a warning",
            "2:a file cannot be read, or the command line is wrong"
        })
public final class LintCommand implements Callable<Integer> {
    private static final int VALID = 0;
    private static final int PROBLEMS = 1;
    private static final int UNREADABLE = 2;

    /** How the result is written. */
    enum Output {
        TEXT,
        JSON,
        SARIF,
        JUNIT
    }

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = {"-o", "--output"},
            description = "text (also if not given), json, sarif or junit.")
    private Output output = Output.TEXT;

    @Option(names = "--strict", description = "Warnings end with 1, too.")
    private boolean strict;

    @Mixin private ConfigurationOption configuration = new ConfigurationOption();

    @Option(
            names = {"-n", "--namespace"},
            description = "The namespace of resources that name none; unknown if not given.")
    private String namespace = "";

    @Option(
            names = "--release-namespace",
            description = "Where Sluice is installed; sluice-system if not given.")
    private String releaseNamespace = "sluice-system";

    @Option(
            names = "--rules-url",
            paramLabel = "URL",
            description = "The address of docs/reference/rules.md, to which SARIF links.")
    private String rulesUrl = "";

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "YAML or JSON files, folders of them, or - for the standard input.")
    private List<String> files = List.of();

    @Override
    public Integer call() {
        var line = Objects.requireNonNull(spec).commandLine();
        try {
            LintReport report =
                    new Lint(configuration.read(), releaseNamespace, namespace)
                            .review(Documents.read(files, System.in));
            line.getOut().print(text(report));
            line.getOut().flush();
            return report.isValid() && !(strict && report.hasWarnings()) ? VALID : PROBLEMS;
        } catch (Unreadable unreadable) {
            line.getErr().println("sluice lint: " + unreadable.getMessage());
            return UNREADABLE;
        }
    }

    private String text(LintReport report) {
        return switch (output) {
            case TEXT -> LintText.of(report);
            case JSON -> LintJson.of(report);
            case SARIF -> LintSarif.of(report, rulesUrl);
            case JUNIT -> LintJunit.of(report, strict);
        };
    }
}
